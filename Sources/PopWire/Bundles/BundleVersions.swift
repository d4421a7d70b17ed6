internal import PopSource

/// Converts the rules of a bundle from one version of the format to the next.
typealias BundleUpgrade = @Sendable (JSON) throws(BundleError) -> JSON

/// All versions of the format. All can be read: an older bundle is converted, version by version,
/// to the newest version.
struct BundleVersions: Sendable {
    /// The first converts version 1 to 2, the second 2 to 3.
    let upgrades: [BundleUpgrade]

    /// Version 2 contains everything of version 1, in the same form.
    static let known = BundleVersions(upgrades: [{ rules in rules }])

    /// The version of rules that use everything that can be written.
    var newest: Int { upgrades.count + 1 }

    /// Converts the rules of a version, from 1 to the newest.
    func upgrade(_ rules: JSON, from version: Int) throws(BundleError) -> JSON {
        var rules = rules
        for upgrade in upgrades.dropFirst(version - 1) { rules = try upgrade(rules) }
        return rules
    }
}
