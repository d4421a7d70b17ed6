public import PopScheduler
package import PopSource

// A bundle is one JSON object: the version of the format, a checksum, and the rules.
extension RuleSet {
    /// The newest version of the format that is written and read. Rules that the first version can
    /// express are written in the first version.
    public static let bundleVersion = BundleVersions.known.newest

    /// Reads a bundle that `poprules compile` has created; it makes the same decisions as the rule
    /// files did.
    ///
    /// Throws for a bundle that is newer, damaged or too large. Needs neither the rule files nor
    /// any YAML reader.
    public init(
        bundle bytes: some Collection<UInt8>, limits: BundleLimits = .standard
    ) throws(BundleError) {
        try self.init(bundle: bytes, limits: limits, versions: .known)
    }

    init(
        bundle bytes: some Collection<UInt8>, limits: BundleLimits, versions: BundleVersions
    ) throws(BundleError) {
        guard bytes.count <= limits.json.bytes else {
            throw .tooLarge("more than \(limits.json.bytes) bytes")
        }
        let json: JSON
        do {
            json = try JSON.parse(bytes, limits: limits.json)
        } catch {
            // A truncated bundle still begins like a bundle.
            guard bytes.starts(with: Self.beginning.utf8) else { throw .notABundle }
            throw .damaged("\(error)")
        }
        try self.init(bundle: json, limits: limits, versions: versions)
    }

    /// Reads a bundle that is inside another JSON value.
    package init(bundle json: JSON, limits: BundleLimits) throws(BundleError) {
        try self.init(bundle: json, limits: limits, versions: .known)
    }

    private init(
        bundle json: JSON, limits: BundleLimits, versions: BundleVersions
    ) throws(BundleError) {
        var reader = BundleReader(limits: limits)
        self = try reader.read(try Self.open(json, versions: versions))
    }

    /// Returns the rules of a bundle in the newest version, after its version and its checksum have
    /// been checked.
    private static func open(
        _ json: JSON, versions: BundleVersions
    ) throws(BundleError) -> JSON {
        guard case .object(let members) = json, let first = members.first,
            first.key == "popbundle", case .int(let number) = first.value,
            let version = Int(exactly: number), version > 0
        else { throw .notABundle }
        guard version <= versions.newest else {
            throw .newer(version: version, known: versions.newest)
        }
        guard let rules = json["rules"], json["checksum"] == .string(checksum(rules)) else {
            throw .damaged("its checksum does not match its rules")
        }
        return try versions.upgrade(rules, from: version)
    }

    private static let beginning = #"{"popbundle":"#

    /// Returns the rules as a bundle, with equal bytes for equal rules.
    public func bundle() -> [UInt8] { Array((bundleJSON.compact + "\n").utf8) }

    package var bundleJSON: JSON {
        let parts: KeyValuePairs<String, Written?> = [
            "schedulers": WireForm.list(of: .scheduler).written(schedulers),
            "keys": WireForm.list(of: .contextKey).written(keys),
            "events": WireForm.list(of: .event).written(events),
            "conditions": WireForm.list(of: .namedCondition).written(conditions),
            "groups": WireForm.list(of: .group).written(groups),
            "popups": WireForm.list(of: .popup).written(popups),
            "limits": limits.unlessEmpty.map(WireForm.list(of: .limit).written),
            "templates": templates.unlessEmpty.map(WireForm.list(of: .template).written),
            "holdout": holdout.map(WireForm.holdout.written),
            "locales": locales.map(WireForm.locales.written),
            "quiet": quiet.map(WireForm.quiet.written),
            "sessionTimeout": sessionTimeout.map { WireForm.positiveLength.written($0).atLeast(2) },
        ]
        let rules = JSON.object(
            parts.compactMap { name, part in
                part.map { JSON.Member(key: name, value: $0.json) }
            })
        // The first version of the format that can express all of it.
        let version = max(
            parts.compactMap { $0.value?.version }.max() ?? 1,
            slots.map { $0.firstVersion }.max() ?? 1)
        return .object([
            "popbundle": .int(version), "checksum": .string(Self.checksum(rules)), "rules": rules,
        ])
    }

    /// Returns FNV-1a over the compact text: it detects damage, not intentional changes.
    static func checksum(_ rules: JSON) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in rules.compact.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
