import PopAnalysis
import PopScheduler
import Testing

/// Parts of the users that one salt gives to several popups.
struct ShareTests {
    private func shares(_ first: String, _ second: String) throws -> [Double] {
        let rules = try Rules(
            """
            context: { user.id: { type: string, default: "" } }
            popups:
              flash: { priority: high, rollout: { \(first), by: user.id, salt: sale } }
              winter: { rollout: { \(second), by: user.id, salt: sale } }
            """
        ).rules
        return Collisions(rules).found.compactMap { collision in
            if case .share(_, let total, _) = collision.cause { return total }
            return nil
        }
    }

    @Test func `shares that grow by dates are reported from the date on which they overlap`() throws
    {
        let rules = try Rules(
            """
            context: { user.id: { type: string, default: "" } }
            popups:
              flash:
                rollout:
                  steps: { 2027-01-01: 20, 2027-02-01: 60 }
                  by: user.id
                  salt: sale
              winter: { rollout: { range: [50, 100], by: user.id, salt: sale } }
            """
        ).rules
        let text = Collisions(rules).text(in: rules)
        #expect(text.contains("with the salt `sale`, 110 % in total since 2027-02-01T00:00:00Z"))
    }

    @Test(arguments: [
        // They lap at no date.
        ("steps: { 2027-01-01: 20, 2027-02-01: 50 }", "range: [50, 100]", ""),
        // When one has grown the other one is over.
        (
            "steps: { 2027-01-01: 20, 2027-02-01: 60 }", "range: [50, 100]",
            "schedule: { until: 2027-02-01 },"
        ),
    ])
    func `shares that overlap on no date are not reported and keep popups apart`(
        _ steps: String, _ range: String, _ schedule: String
    ) throws {
        let rules = try Rules(
            """
            context: { user.id: { type: string, default: "" } }
            popups:
              flash: { rollout: { \(steps), by: user.id, salt: sale } }
              winter: { \(schedule) rollout: { \(range), by: user.id, salt: sale } }
            """
        ).rules
        #expect(Collisions(rules).found.isEmpty)
    }

    @Test func `a scenario starts on the date when its user is in a rollout with steps`() throws {
        let rules = try Rules(
            """
            context: { user.id: { type: string, default: "" } }
            popups:
              flash:
                priority: high
                rollout: { steps: { 2027-01-01: 20, 2027-02-01: 60 }, by: user.id }
              winter: {}
            """
        ).rules
        let found = try #require(Collisions(rules).found.first)
        #expect(found.story?.testFile.contains("start: 2027-01-01T00:00:00Z") == true)
        #expect(rules.popups[found.winner].id == "flash")
    }

    @Test func `a scenario starts on the date when its user is in a rollout that starts at 0 %`()
        throws
    {
        let rules = try Rules(
            """
            context: { user.id: { type: string, default: "" } }
            popups:
              flash:
                priority: high
                rollout: { steps: { 2025-12-01: 0, 2027-02-01: 50 }, by: user.id }
              winter: {}
            """
        ).rules
        let found = try #require(Collisions(rules).found.first)
        #expect(found.story?.testFile.contains("start: 2027-02-01T00:00:00Z") == true)
    }

    @Test func `overlapping shares are reported with the size of their overlap`() throws {
        #expect(try shares("range: [0, 60]", "range: [50, 100]") == [110])
    }

    @Test(arguments: [
        ("percent: 60", "percent: 60"), ("percent: 60", "percent: 80"),
        ("range: [0, 60]", "range: [0, 60]"), ("range: [10, 90]", "range: [20, 60]"),
        ("range: [0, 50]", "range: [50, 100]"), ("percent: 60", "percent: 100"),
    ])
    func `a share inside another share is meant for the same users and not reported`(
        _ first: String, _ second: String
    ) throws {
        #expect(try shares(first, second).isEmpty)
    }
}
