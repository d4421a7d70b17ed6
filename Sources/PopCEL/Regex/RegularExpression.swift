/// A regular expression in RE2's syntax, which tests a string for a match in linear time.
///
/// There is no backtracking: the time is at most proportional to the text's length times the
/// pattern's size, whatever they are. Most patterns are converted into a table when they are
/// created and then take one step per byte.
///
/// Rules: RE2, "Syntax". Groups may be named but can't be read; `\C` isn't supported.
public struct RegularExpression: Sendable {
    private enum Machine: Sendable {
        case table(StateTable)
        case program(RegexProgram)
    }

    /// The compiled form in one reference, so that matching copies only that.
    private final class Compiled: Sendable {
        let pattern: String
        let states: Int
        let machine: Machine

        init(_ pattern: String, states: Int, machine: Machine) {
            self.pattern = pattern
            self.states = states
            self.machine = machine
        }
    }

    private let compiled: Compiled

    /// The pattern that it was created from.
    public var pattern: String { compiled.pattern }

    /// The number of states of its compiled form, and of ranges in its classes: a class such as
    /// `\pL` takes as long to compile as many states.
    var states: Int { compiled.states }

    /// Parses and compiles a pattern.
    ///
    /// Throws if the pattern isn't valid in RE2's syntax, or is larger than the limits allow.
    public init(
        _ pattern: String, limits: CELLimits = .standard
    ) throws(RegularExpressionError) {
        let (program, states) = try Self.program(pattern, limits: limits)
        let table = StateTable(program, limits: limits)
        compiled = Compiled(
            pattern, states: states,
            machine: table.map(Machine.table) ?? .program(program))
    }

    /// Returns the number of states of a pattern. Throws the errors of the initializer, without
    /// creating the matcher.
    package static func states(
        of pattern: String, limits: CELLimits
    ) throws(RegularExpressionError) -> Int {
        try program(pattern, limits: limits).states
    }

    private static func program(
        _ pattern: String, limits: CELLimits
    ) throws(RegularExpressionError) -> (program: RegexProgram, states: Int) {
        let (node, ranges) = try RegexParser.parseCounting(pattern, limits: limits)
        guard let program = RegexProgram(node, mostStates: limits.regexStates) else {
            throw .tooLarge(pattern)
        }
        return (program, program.instructions.count + ranges)
    }

    /// Returns true if the pattern matches the string or a part of it.
    public func isMatch(_ text: String) -> Bool {
        if case .table(let table) = compiled.machine,
            #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        {
            return table.matches(text.utf8.span)
        }
        return isMatch(utf8: text.utf8)
    }

    /// Returns true if the pattern matches a text or a part of it, given in UTF-8.
    public func isMatch(utf8 text: some Sequence<UInt8>) -> Bool {
        switch compiled.machine {
        case .table(let table): return table.matches(text)
        case .program(let program):
            var simulation = Determinizer(program)
            return simulation.matches(text)
        }
    }

    /// Returns the cost of matching a string in an evaluation, in the steps of `CELLimits.cost`.
    func cost(of text: String) -> Int { cost(ofBytes: text.utf8.count) }

    func cost(ofBytes count: Int) -> Int {
        let steps = (min(count, .max - 1) + 1).multipliedReportingOverflow(by: stepsPerByte)
        return steps.overflow ? .max : steps.partialValue >> 3
    }

    /// The maximum number of steps per byte of text.
    var stepsPerByte: Int {
        switch compiled.machine {
        case .table: 1
        case .program(let program): program.instructions.count
        }
    }
}

extension RegularExpression: Hashable {
    public static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        equalScalars(left.pattern, right.pattern)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in pattern.utf8 { hasher.combine(byte) }
    }
}

/// A mistake in a pattern, in words for its author.
public struct RegularExpressionError: Error, Sendable, Hashable {
    /// The message in lower case, without a full stop.
    public let message: String
    /// The place in the pattern, in bytes of its UTF-8.
    public let range: Range<Int>

    init(_ message: String, at range: Range<Int>) {
        self.message = message
        self.range = range
    }
}

extension RegularExpressionError {
    fileprivate static func tooLarge(_ pattern: String) -> Self {
        RegularExpressionError(
            "the pattern is too large after its repetitions are expanded",
            at: 0..<pattern.utf8.count)
    }
}
