import PopScheduler
import PopSource

@testable import PopWire

extension FuzzTarget {
    /// Bundles as they are, and the same with the checksum that their rules would have.
    static let bundle = FuzzTarget(
        name: "bundle",
        body: .direct { bytes in
            try open(bytes)
            guard case .object(let members)? = try? JSON.parse(bytes),
                let rules = members.first(where: { $0.key == "rules" })?.value
            else { return }
            let forged = JSON.object([
                "popbundle": .int(1), "checksum": .string(RuleSet.checksum(rules)), "rules": rules,
            ])
            try open(Array(forged.compact.utf8))
        })

    /// A bundle is either refused, or its rules can be written, read again and played.
    private static func open(_ bytes: [UInt8]) throws {
        guard let rules = try? RuleSet(bundle: bytes) else { return }
        try Rules.compareWithBundle(rules, seed: 1, steps: 8)
    }
}
