import PopCEL
import PopSource
import Testing

struct NextChangeTests {
    /// When an expression changes after 2026-11-20T09:00:00.5Z; `since` is half an hour before.
    private func next(_ text: String) throws -> String? {
        var environment = Environment()
        for name in ["now", "since"] { environment.declare(Variable(name, type: .timestamp)) }
        environment.declare(Variable("missing", type: .timestamp, mayBeMissing: true))
        environment.declare(Variable("on", type: .bool))
        var slots = SlotTable()
        let now = slots.slot(for: .variable(identity: "now"))
        let expression = try #require(Expression.parse(text).value)
        let program = try #require(
            environment.compile(expression, expecting: .bool, slots: &slots).value)
        var values = SlotValues(count: slots.entries.count)
        let given: [String: String] = [
            "now": "2026-11-20T09:00:00.5Z", "since": "2026-11-20T08:30:00Z",
        ]
        for (slot, entry) in slots.entries.enumerated() {
            guard case .variable(let name) = entry else { continue }
            if let text = given[name], let date = Timestamp(parsing: text) {
                values[SlotIndex(slot)] = .value(.timestamp(date))
            } else if name == "on" {
                values[SlotIndex(slot)] = .value(.bool(true))
            }
        }
        return program.nextChange(of: now, in: values)?.description
    }

    @Test(arguments: [
        ("now < timestamp('2026-11-20T10:00:00Z')", "2026-11-20T10:00:00Z"),
        ("now >= timestamp('2026-11-20T10:00:00Z')", "2026-11-20T10:00:00Z"),
        ("now > timestamp('2026-11-20T10:00:00Z')", "2026-11-20T10:00:00.000000001Z"),
        ("timestamp('2026-11-20T10:00:00Z') <= now", "2026-11-20T10:00:00Z"),
        ("timestamp('2026-11-20T10:00:00Z') > now", "2026-11-20T10:00:00Z"),
        ("now == timestamp('2026-11-20T10:00:00Z')", "2026-11-20T10:00:00Z"),
        ("now - since >= duration('1h')", "2026-11-20T09:30:00Z"),
        ("now - duration('1h') >= since", "2026-11-20T09:30:00Z"),
        ("since + duration('1h') < now", "2026-11-20T09:30:00.000000001Z"),
        ("now < since + duration('1h') && now < since + duration('45m')", "2026-11-20T09:15:00Z"),
        ("on ? now < since + duration('1h') : true", "2026-11-20T09:30:00Z"),
    ])
    func `a comparison with the time gives the time of the next change`(
        text: String, expected: String
    ) throws {
        #expect(try next(text) == expected)
    }

    @Test(arguments: [
        "on", "now >= since", "now - now == duration('0s')", "now > missing", "now == now",
    ])
    func `a condition that time can no longer change has no next change`(text: String) throws {
        #expect(try next(text) == nil)
    }

    @Test(arguments: [
        ("now.getHours() == 10", "2026-11-20T09:01:00Z"),
        ("now.getDayOfWeek('Europe/Berlin') == 5", "2026-11-20T09:01:00Z"),
        ("now.getSeconds() == 10", "2026-11-20T09:00:01Z"),
        ("now.getHours() % 2 == 0", "2026-11-20T09:01:00Z"),
        ("(now - since).getMinutes() > 30", "2026-11-20T09:01:00Z"),
        (
            "(now - timestamp('2026-11-20T08:59:58.250Z')).getSeconds() % 2 == 0",
            "2026-11-20T09:00:01.25Z"
        ),
        (
            "(now - timestamp('2026-11-20T10:00:02Z')).getHours() == 0",
            "2026-11-20T09:00:02.000000001Z"
        ),
        ("string(now) == 'x' || now > since", "2026-11-20T09:00:01Z"),
    ])
    func `a condition that cannot be solved is checked again soon`(text: String, expected: String)
        throws
    {
        #expect(try next(text) == expected)
    }
}
