/// A function that takes bytes from outside, with requirements that must hold for any bytes.
struct FuzzTarget: Sendable {
    enum Body: Sendable {
        case direct(@Sendable ([UInt8]) throws -> Void)
        case suspending(@Sendable ([UInt8]) async throws -> Void)
    }

    /// The name of its folder in `Corpus`.
    let name: String
    /// Throws a `Violation` when something does not hold.
    let body: Body

    static let all: [FuzzTarget] = [
        .yaml, .ruleFile, .ruleSet, .testFile, .expression, .evaluation, .bundle, .time, .regex,
        .history, .zone, .meaning, .edits, .mapping, .log, .checkpoint,
        .markdown,
        .packed, .bootstrap, .stories, .tables, .textLogic, .writers, .recording,
    ]
}

/// A requirement that doesn't hold.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(description: what()) }
}
