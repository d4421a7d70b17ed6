import Foundation
import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopWire

/// S-H5
@Suite struct `A bundle with changed numbers` {
    /// Values that a forger of a bundle may write in place of a number.
    private static let others: [JSON] = [
        .int(Int64.max), .int(Int64.min), .int(Int64(-1)), .int(Int64(0)),
        .int(Int64(1_000_000_000_000)), .uint(.max), .double(1e308), .double(-0.5),
    ]

    /// Strings that may be there in place of a duration or a point in time.
    private static let otherTimes = [
        "9223372036.854775807s", "-9223372036.854775808s", "0s", "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
    ]

    /// Rules that have every number of the format.
    private static let sample = """
        schedulers:
          main: { cap: { max: 3, per: calendar_day }, max_waiting: 4, gap: [1s, 2s] }
        context: { plan: { type: string, default: free }, n: { type: int, default: 2, max: 9 } }
        events: { bought: { total: double } }
        session: { timeout: 30m }
        quiet: { hours: 22:00-07:00, zone: plan }
        limits: [{ max: 3, per: 1d, tags: [new] }, { max: 2, per: plan }]
        groups: { g: { caps: [{ max: 2, per: session }, { max: 4, per: 7d }] } }
        holdout: { percent: 5, by: plan }
        layers: { deep: { by: plan } }
        experiments: { tone: { layer: deep, range: [12.5, 50], variants: { x: 2, y: 1 } } }
        popups:
          a:
            group: g
            priority: 7
            tags: [new]
            trigger: [start, { event: bought, nth: 2 }, { event: bought, every: 3 }]
            cap: { lifetime: 3, per_session: 2, every: 1h, closes: { max: 2, per: plan } }
            schedule: { from: 2026-01-01, until: 2036-02-01T09:00, days: [mon-sun], zone: local }
          b:
            after: [{ popup: a, since: 1s }]
            cap: { windows: [{ max: 1, per: 1d }, { max: 2, per: plan }], closes: 4 }
            experiment: { by: plan, control: 10, variants: { x: { weight: 2 }, y: {} } }
            goals: [{ name: buy, event: bought, within: 7d, ends: 30d }]
          c: { rollout: { steps: { 2026-01-10: 5, 2026-02-10: 90.5 }, by: plan } }
          d: { experiment: { of: tone }, rollout: { range: [5, 90], by: plan } }
        """

    @Test func `a bundle with changed numbers is refused or works`() throws {
        let rules = try RuleSet.parse(Self.sample)
        let written = try #require(rules.bundleJSON["rules"])
        var (refused, taken) = (0, 0)
        for forged in Self.forgeries(of: written) {
            guard let read = try? RuleSet(bundle: Self.bundle(forged)) else {
                refused += 1
                continue
            }
            taken += 1
            var play = RandomPlay(read, by: SeededGenerator(seed: 5))
            for _ in 0..<15 { _ = play.step() }
            _ = play.explanations
            _ = RuleChanges(from: rules, to: read)
            _ = RuleChanges(from: read, to: rules)
            #expect(throws: Never.self) { try RuleSet(bundle: read.bundle()) }
        }
        #expect(refused > 200)
        #expect(taken > 40)
    }

    @Test(arguments: ["lifetimeCap", "sessionCap", "closes", "max", "maxWaiting", "nth", "every"])
    func `a number beyond the bounds of rule files is refused, and the error names it`(
        member: String
    ) throws {
        let rules = try #require(try RuleSet.parse(Self.sample).bundleJSON["rules"])
        let (largest, tooLarge) = (RuleBounds.counts.upperBound, RuleBounds.counts.upperBound + 1)
        let taken = Self.replacing(member, in: rules, with: largest)
        #expect(throws: Never.self) { try RuleSet(bundle: Self.bundle(taken)) }
        #expect(taken != rules)
        #expect(throws: BundleError.damaged("`\(tooLarge)` is not a valid count")) {
            try RuleSet(bundle: Self.bundle(Self.replacing(member, in: rules, with: tooLarge)))
        }
    }

    /// The rules with each of their numbers and times replaced, one at a time.
    private static func forgeries(of json: JSON) -> [JSON] {
        switch json {
        case .int, .uint, .double: return others
        case .string(let text):
            let isTime = text.last == "s" && text.first?.isNumber == true || text.last == "Z"
            return isTime ? otherTimes.map { .string($0) } : []
        case .null, .bool: return []
        case .array(let items):
            return items.indices.flatMap { place in
                forgeries(of: items[place]).map { other in
                    var items = items
                    items[place] = other
                    return .array(items)
                }
            }
        case .object(let members):
            return members.indices.flatMap { place in
                forgeries(of: members[place].value).map { other in
                    var members = members
                    members[place].value = other
                    return .object(members)
                }
            }
        }
    }

    private static func replacing(_ member: String, in json: JSON, with number: Int) -> JSON {
        switch json {
        case .array(let items): .array(items.map { replacing(member, in: $0, with: number) })
        case .object(let members):
            .object(
                members.map {
                    if $0.key == member, case .int = $0.value {
                        JSON.Member(key: $0.key, value: .int(number))
                    } else {
                        JSON.Member(
                            key: $0.key, value: replacing(member, in: $0.value, with: number))
                    }
                })
        case .null, .bool, .int, .uint, .double, .string: json
        }
    }

    private static func bundle(_ rules: JSON) -> [UInt8] {
        let bundle = JSON.object([
            "popbundle": .int(RuleSet.bundleVersion),
            "checksum": .string(RuleSet.checksum(rules)), "rules": rules,
        ])
        return Array(bundle.compact.utf8)
    }
}
