public import PopScheduler
package import PopSource

// A bundle is one JSON object: the version of the format, a checksum, and the rules.
extension RuleSet {
    /// The newest version of the format that is written and read. What rules say that the first one
    /// could say too is written in that.
    public static let bundleVersion = BundleVersions.known.newest

    /// Reads a bundle that `poprules compile` has made; it takes the same decisions as the rule
    /// files did.
    ///
    /// Refuses what is newer, damaged or too large. Needs neither the rule files nor anything that
    /// reads YAML.
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
            // What is cut off still begins like a bundle.
            guard bytes.starts(with: Self.beginning.utf8) else { throw .notABundle }
            throw .damaged("\(error)")
        }
        try self.init(bundle: json, limits: limits, versions: versions)
    }

    /// Reads a bundle that stands inside something else.
    package init(bundle json: JSON, limits: BundleLimits) throws(BundleError) {
        try self.init(bundle: json, limits: limits, versions: .known)
    }

    private init(
        bundle json: JSON, limits: BundleLimits, versions: BundleVersions
    ) throws(BundleError) {
        var reader = BundleReader(limits: limits)
        self = try reader.read(try Self.open(json, versions: versions))
    }

    /// The rules of a bundle as the newest version has them, once its version and its checksum are
    /// right.
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
            throw .damaged("its checksum is not that of its rules")
        }
        return try versions.upgrade(rules, from: version)
    }

    private static let beginning = #"{"popbundle":"#

    /// The rules as a bundle, the same bytes for the same rules.
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
        // The first version of the format that can say all of it.
        let version = max(
            parts.compactMap { $0.value?.version }.max() ?? 1,
            slots.map { $0.firstVersion }.max() ?? 1)
        return .object([
            "popbundle": .int(version), "checksum": .string(Self.checksum(rules)), "rules": rules,
        ])
    }

    /// FNV-1a over the compact text: tells damage, not ill will.
    static func checksum(_ rules: JSON) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in rules.compact.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
