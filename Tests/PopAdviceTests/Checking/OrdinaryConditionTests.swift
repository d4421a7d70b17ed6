import PopCEL
import PopSource
import Testing

/// Ordinary conditions are recognized before the adviser sees them; a part of a condition that
/// isn't ordinary always reaches the adviser.
@Suite struct `Advice on an ordinary condition` {
    private static let names = [
        "user.plan", "user.launches", "user.version", "net.online", "steps", "user.total", "now",
        "app.retries",
    ]
    private static let operators = ["==", "!=", "<", "<=", ">", ">="]
    private static let constants = [
        "\"free\"", "\"Free\"", "\"\"", "\"%a\"", "\"!= free\"", "\"10.2\"", "\"a*\"", "\"*a\"",
        "0", "1", "-1", "18", "1.000", "2.5", "true", "timestamp(\"2027-01-01T00:00:00Z\")",
    ]

    private let environment: Environment = {
        var environment = Environment.advised
        environment.declare(Variable("user.total", type: .double))
        environment.knowsDays = true
        return environment
    }()

    /// But for what always or never holds, which depends on the whole.
    private func advice(_ text: String, upTo end: Int) -> [Diagnostic] {
        environment.compile(text, expecting: .bool).diagnostics.sorted.filter {
            !$0.check.name.hasPrefix("logic/") && $0.range.upper <= end
        }
    }

    @Test(arguments: names)
    func `is the same if the condition is nested in another expression`(name: String) {
        var said = 0
        for sign in Self.operators {
            for constant in Self.constants {
                for text in ["\(name) \(sign) \(constant)", "!(\(constant) \(sign) \(name))"] {
                    let alone = advice(text, upTo: text.utf8.count)
                    let inside = advice("\(text) ? true : false", upTo: text.utf8.count)
                    #expect(alone.map(\.message) == inside.map(\.message), "\(text)")
                    said += alone.count
                }
            }
        }
        #expect(said > 0)
    }
}
