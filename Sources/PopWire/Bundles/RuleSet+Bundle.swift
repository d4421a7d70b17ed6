public import PopScheduler
public import PopSource

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

/// The limits of a bundle, so that none exhausts its host.
public struct BundleLimits: Sendable, Hashable {
    /// Bytes, nesting and number of values of the file.
    public var json: JSONLimits
    /// The maximum number of popups, of keys, of events and so on.
    public var entries = 10_000
    /// The maximum nesting depth of `list<…>` and `map<…>` in a type.
    public var typeDepth = 8
    /// The maximum count of an event in a history: counters that continue from it can never
    /// overflow.
    public var historyCount: Int64 = 1_000_000_000_000
    /// The maximum length of a chain of named conditions that use each other.
    public var conditionChain = 64

    /// The standard limits, to change one by one.
    public init() {
        json = JSONLimits()
        json.depth = 128
        json.takesRepeatedKeys = false
    }

    /// The limits that apply unless a bundle is read with other limits.
    public static let standard = BundleLimits()
}

/// The reason why a bundle was rejected.
public enum BundleError: Error, Sendable, Hashable {
    /// The bytes aren't a bundle of rules.
    case notABundle
    /// It was created by a newer `poprules`, in a version of the format that this program doesn't
    /// know.
    case newer(version: Int, known: Int)
    /// It was changed or truncated after it was created.
    case damaged(String)
    /// It is larger than a limit allows.
    case tooLarge(String)
}

extension BundleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notABundle: "not a bundle; create one with `poprules compile`"
        case .newer(let version, let known):
            "the bundle has format \(version), but this app supports formats up to \(known): "
                + "create it with an older `poprules`, or update PopEngine"
        case .damaged(let what): "the bundle is damaged: \(what)"
        case .tooLarge(let what): "the bundle is too large: \(what)"
        }
    }
}
