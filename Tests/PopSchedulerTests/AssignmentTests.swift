import PopCEL
import PopScheduler
import Testing

/// The assignment of users to arms: it depends only on a value, and is known before any popup
/// shows.
struct AssignmentTests {
    private static let arms = [Assignment.Arm("short"), Assignment.Arm("long", weight: 3)]

    private static func assignment(
        salt: String = "s", share: Double = 100, control: Double = 20,
        arms: [Assignment.Arm] = arms
    ) -> Assignment {
        Assignment(
            key: KeyIndex(0), salt: salt, share: share, control: control, arms: arms)
    }

    /// The arms of so many users.
    private static func arms(of assignment: Assignment, users: Int) -> [String?] {
        (0..<users).map { assignment.arm(of: .string("user-\($0)")) }
    }

    private static func parts(_ arms: [String?]) -> [String: Double] {
        var parts: [String: Double] = [:]
        for arm in arms { parts[arm ?? "none", default: 0] += 100 / Double(arms.count) }
        return parts
    }

    @Test func `each arm gets its share of a million users within half a percent`() {
        let parts = Self.parts(Self.arms(of: Self.assignment(share: 50), users: 1_000_000))
        let expected = ["none": 50.0, "control": 10, "short": 10, "long": 30]
        for (arm, part) in expected {
            #expect(abs((parts[arm] ?? 0) - part) < 0.5, "\(arm): \(parts[arm] ?? 0)")
        }
        #expect(parts.count == expected.count)
    }

    /// Pearson's chi-squared test of independence; four degrees of freedom, at the level of 0.1 %.
    @Test func `arms of different salts are independent of each other`() {
        let arms = ["a", "b", "c"].map { Assignment.Arm($0) }
        for (first, second) in [("one", "two"), ("promo-1", "promo-2"), ("", "0")] {
            let pairs = zip(
                Self.arms(of: Self.assignment(salt: first, control: 0, arms: arms), users: 90_000),
                Self.arms(of: Self.assignment(salt: second, control: 0, arms: arms), users: 90_000))
            var counts: [String: Double] = [:]
            for (left, right) in pairs { counts["\(left ?? "")\(right ?? "")", default: 0] += 1 }
            let statistic = counts.values.reduce(0) { $0 + ($1 - 10_000) * ($1 - 10_000) / 10_000 }
            // The expected counts are known, not estimated: eight degrees of freedom.
            #expect(counts.count == 9 && statistic < 26.12, "\(first), \(second): \(statistic)")
        }
    }

    @Test func `participation, the arm and rollouts with that salt are independent of each other`()
    {
        let users = (0..<100_000).map { Value.string("user-\($0)") }
        let inRollout = users.filter { (UserPlace(of: $0, salt: "s")?.number ?? 0) < 100_000 }
        let assignment = Self.assignment(share: 50)
        let all = Self.parts(users.map(assignment.arm))
        let some = Self.parts(inRollout.map(assignment.arm))
        for (arm, part) in all { #expect(abs((some[arm] ?? 0) - part) < 1.5, "\(arm)") }
    }

    @Test func `a changed share moves no user between arms`() {
        let whole = Self.arms(of: Self.assignment(), users: 10_000)
        let half = Self.arms(of: Self.assignment(share: 50), users: 10_000)
        for (before, after) in zip(whole, half) { #expect(after == nil || after == before) }
        #expect(half.contains(nil) && Set(half).count == 4)
    }

    @Test func `control comes first, then the variants by name, in any order of the list`() {
        let listed = Self.assignment(arms: Self.arms.reversed())
        #expect(Self.arms(of: listed, users: 500) == Self.arms(of: Self.assignment(), users: 500))
        #expect(Self.assignment(control: 100).arm(of: .string("ada")) == Assignment.control)
        let none = Self.assignment(control: 0, arms: [Assignment.Arm("a", weight: 0)])
        #expect(none.arm(of: .string("ada")) == nil)
    }

    @Test func `percentages with decimals are cut exactly`() {
        // 0.29 × 10,000 is 2,900.0000000000005 in binary, 1.1367 × 10,000 is 11,366.999999999998.
        for (control, place) in [(0.29, 2900), (1.1367, 11_367)] {
            let assignment = Self.assignment(control: control)
            let users = (0..<400_000).lazy.map { Value.string("user-\($0)") }
            let near = users.filter {
                abs((UserPlace(of: $0, salt: "s", for: .arm)?.number ?? 0) - place) < 3
            }
            for user in near {
                let isBelow = (UserPlace(of: user, salt: "s", for: .arm)?.number ?? 0) < place
                #expect((assignment.arm(of: user) == Assignment.control) == isBelow)
            }
        }
    }

    @Test func `experiments of a layer have no user in common`() {
        let parts = [0.0..<30, 30..<100].map { range in
            var assignment = Self.assignment(control: 0)
            assignment.layer = Assignment.LayerPart(of: "offers", salt: "l", range: range)
            return assignment
        }
        for number in 0..<2000 {
            let user = Value.string("user-\(number)")
            #expect(parts.count { $0.arm(of: user) != nil } == 1)
        }
    }

    @Test func `users without a value or with an empty value do not participate`() {
        for value in [nil, .string(""), .double(1.5)] as [Value?] {
            #expect(Self.assignment().arm(of: value) == nil)
        }
        #expect(Self.assignment().arm(of: .int(42)) == Self.assignment().arm(of: .string("42")))
    }
}
