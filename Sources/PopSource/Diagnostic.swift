/// The severity of a diagnostic. Only an input that is certainly broken is an error.
public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Not reported at all; only configuration gives a check this level.
    case off
    /// Worth a look; fails nothing unless asked for with `--fail-level`.
    case info
    /// Probably not what its author meant.
    case warning
    /// Certain to be broken: `validate` fails, and `Checked.get` throws.
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// The name in configuration, output and `--fail-level`, such as `warning`.
    public var name: String {
        switch self {
        case .off: "off"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// A problem in a file that an author wrote: what is wrong, where, and how to fix it.
///
/// Messages are lowercase, without full stop, with backticks around code, in the words of editors
/// of YAML.
public struct Diagnostic: Sendable, Hashable {
    /// A place that explains the diagnostic, with a few words about it.
    public struct Label: Sendable, Hashable {
        /// The underlined range, which may be in another file than the diagnostic's.
        public var range: SourceRange
        /// A few words, in lower case and without a full stop.
        public var text: String

        /// Creates a label at a place.
        public init(_ text: String, at range: SourceRange) {
            self.range = range
            self.text = text
        }
    }

    /// The replacement of a range of a file by a string.
    public struct Edit: Sendable, Hashable {
        /// The bytes to replace; empty to insert in front of a byte.
        public var range: SourceRange
        /// The new text; empty to delete.
        public var replacement: String

        /// Creates the replacement of a range of a file by a string.
        public init(_ range: SourceRange, replacement: String) {
            self.range = range
            self.replacement = replacement
        }
    }

    /// Edits that fix the problem, applied together.
    public struct Fix: Sendable, Hashable {
        /// The effect of the fix, such as "write `priority`".
        public var title: String
        /// Ranges that do not overlap; all are applied or none.
        public var edits: [Edit]
        /// True if the intended meaning is certain, so that `--fix` may apply the fix.
        public var isSafe: Bool

        /// Creates edits that fix a problem together.
        public init(_ title: String, edits: [Edit], isSafe: Bool) {
            self.title = title
            self.edits = edits
            self.isSafe = isSafe
        }
    }

    /// The check that found the problem.
    public var check: Check
    /// The level of the check until configuration gives it another.
    public var level: Level
    /// The problem, in words that make sense alone.
    public var message: String
    /// The range of the problem, underlined with `^^^`.
    public var range: SourceRange
    /// A few words after the `^^^`.
    public var label: String
    /// The subject of the diagnostic if the place alone doesn't make it clear, such as "popup
    /// `welcome`".
    public var subject: String?
    /// Other places that explain it, in the order of drawing.
    public var secondary: [Label]
    /// Facts.
    public var notes: [String]
    /// Advice on how to fix it.
    public var help: [String]
    /// Alternative fixes, any of which is enough; empty if no edit is known.
    public var fixes: [Fix]

    /// Creates a diagnostic with the level that its check has without configuration.
    public init(
        _ check: Check, message: String, at range: SourceRange, label: String = "",
        subject: String? = nil, secondary: [Label] = [], notes: [String] = [], help: [String] = [],
        fixes: [Fix] = []
    ) {
        self.check = check
        self.level = check.level
        self.message = message
        self.range = range
        self.label = label
        self.subject = subject
        self.secondary = secondary
        self.notes = notes
        self.help = help
        self.fixes = fixes
    }
}

extension Diagnostic: Comparable {
    /// The order of printing: file, place, check, message.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.range != right.range { return left.range < right.range }
        return (left.check.id, left.message) < (right.check.id, right.message)
    }
}

/// The diagnostics of a stage: the only way to report problems in files that an author wrote.
public struct Diagnostics: Sendable, Hashable {
    /// In the order in which they were reported; `sorted` has the order of printing.
    public private(set) var list: [Diagnostic] = []

    /// Creates a list without diagnostics.
    public init() {}

    /// Takes over diagnostics in the given order, including repeated ones.
    public init(_ list: [Diagnostic]) { self.list = list }

    /// Adds a diagnostic at the end.
    public mutating func report(_ diagnostic: Diagnostic) { list.append(diagnostic) }

    /// Adds the diagnostics of another stage at the end, in their order.
    public mutating func report(contentsOf other: Diagnostics) {
        if !other.isEmpty { list += other.list }
    }

    /// True if there is no diagnostic of any level.
    public var isEmpty: Bool { list.isEmpty }
    /// True if a diagnostic has the level `error`: its input must not be run. Linear in the
    /// diagnostics.
    public var hasErrors: Bool { list.contains { $0.level == .error } }

    /// The diagnostics in the order of printing, each once.
    public var sorted: [Diagnostic] {
        var previous: Diagnostic?
        return list.ordered().filter { diagnostic in
            defer { previous = diagnostic }
            return diagnostic != previous
        }
    }

    /// Sets the subject of every diagnostic that has none.
    public mutating func setSubject(_ subject: String) {
        for index in list.indices where list[index].subject == nil { list[index].subject = subject }
    }
}

/// The result of a stage and its diagnostics.
///
/// The value is nil if nothing can be made of the input. A value together with errors is the part
/// that could be understood: good for finding more mistakes, not for running.
public struct Checked<Value> {
    /// Nil if nothing can be made of the input; together with errors, the part that was understood.
    public var value: Value?
    /// The diagnostics of this stage and of earlier stages.
    public var diagnostics: Diagnostics

    /// Creates a value with its diagnostics.
    public init(_ value: Value?, diagnostics: Diagnostics = Diagnostics()) {
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Passes the value to the next stage and adds its diagnostics.
    public func then<Next, Failure>(
        _ stage: (Value) throws(Failure) -> Checked<Next>
    ) throws(Failure) -> Checked<Next> {
        guard let value else { return Checked<Next>(nil, diagnostics: diagnostics) }
        var next = try stage(value)
        var all = diagnostics
        all.report(contentsOf: next.diagnostics)
        next.diagnostics = all
        return next
    }

    /// Transforms the value by a function that reports nothing itself; the diagnostics stay.
    public func map<Next, Failure>(
        _ transform: (Value) throws(Failure) -> Next
    ) throws(Failure) -> Checked<Next> {
        Checked<Next>(try value.map(transform), diagnostics: diagnostics)
    }

    /// Returns the value if there is one and no diagnostic is an error.
    public func get() throws(Rejected) -> Value {
        guard let value, !diagnostics.hasErrors else { throw Rejected(diagnostics: diagnostics) }
        return value
    }
}

extension Checked: Sendable where Value: Sendable {}

/// The error that is thrown if a value is requested although there are errors.
public struct Rejected: Error, Sendable, CustomStringConvertible {
    /// All diagnostics, not only errors.
    public let diagnostics: Diagnostics

    /// Creates the error; `description` prints the diagnostics in their order, one per line.
    public init(diagnostics: Diagnostics) { self.diagnostics = diagnostics }

    public var description: String {
        diagnostics.sorted.map { "\($0.level.name)[\($0.check.id)]: \($0.message)" }
            .joined(separator: "\n")
    }
}
