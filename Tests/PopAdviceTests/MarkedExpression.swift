import PopAdvice
import PopCEL
import PopSource
import PopTestSupport
import Testing

/// An expression in which `«»` mark where a diagnostic must point.
struct MarkedExpression {
    let text: String
    let marked: [Range<Int>]

    init(_ source: String) {
        var text = ""
        var marked: [Range<Int>] = []
        var start = 0
        for character in source {
            switch character {
            case "«": start = text.utf8.count
            case "»": marked.append(start..<text.utf8.count)
            default: text.append(character)
            }
        }
        self.text = text
        self.marked = marked
    }

    /// Compiles the expression and expects exactly one finding, at the marked place.
    func expect(
        _ check: Check, _ message: String, expecting type: CELType? = .bool,
        in environment: Environment = .advised, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = environment.compile(text, expecting: type).diagnostics.sorted
        #expect(found.map(\.check.name) == [check.name], sourceLocation: sourceLocation)
        #expect(found.map(\.message) == [message], sourceLocation: sourceLocation)
        #expect(found.map(\.range.bytes) == marked, sourceLocation: sourceLocation)
    }

    /// Compiles the expression and expects no finding at all.
    static func expectNothing(
        _ text: String, expecting type: CELType? = .bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = Environment.advised.compile(text, expecting: type).diagnostics.sorted
        #expect(found.map(\.message) == [], sourceLocation: sourceLocation)
    }
}

extension Environment {
    /// The sample, with advice.
    static var advised: Environment {
        var environment = Environment.sample
        environment.advice = .full
        return environment
    }
}
