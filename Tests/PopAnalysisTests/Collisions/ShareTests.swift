import PopAnalysis
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
            if case .share(_, let total) = collision.cause { return total }
            return nil
        }
    }

    @Test func `parts that lap over each other are told, with what they come to`() throws {
        #expect(try shares("range: [0, 60]", "range: [50, 100]") == [110])
    }

    @Test(arguments: [
        ("percent: 60", "percent: 60"), ("percent: 60", "percent: 80"),
        ("range: [0, 60]", "range: [0, 60]"), ("range: [10, 90]", "range: [20, 60]"),
        ("range: [0, 50]", "range: [50, 100]"), ("percent: 60", "percent: 100"),
    ])
    func `parts of which one holds the other are meant for the same users, and not told`(
        _ first: String, _ second: String
    ) throws {
        #expect(try shares(first, second).isEmpty)
    }
}
