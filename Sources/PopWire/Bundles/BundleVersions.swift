internal import PopSource

/// Takes the rules of a bundle from one version of the format to the next.
typealias BundleUpgrade = @Sendable (JSON) throws(BundleError) -> JSON

/// Every version of the format that there was. All are read: what an older one says is rewritten,
/// version by version, until it stands as the newest has it.
struct BundleVersions: Sendable {
    /// The first takes version 1 to 2, the second 2 to 3.
    let upgrades: [BundleUpgrade]

    /// Version 2 says all that version 1 does, and in the same way.
    static let known = BundleVersions(upgrades: [{ rules in rules }])

    /// The version of rules that use all that can be written.
    var newest: Int { upgrades.count + 1 }

    /// The rules of a version, from 1 to the newest.
    func upgrade(_ rules: JSON, from version: Int) throws(BundleError) -> JSON {
        var rules = rules
        for upgrade in upgrades.dropFirst(version - 1) { rules = try upgrade(rules) }
        return rules
    }
}
