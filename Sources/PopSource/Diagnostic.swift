/// How bad a finding is. Only what is certain to be broken is an error.
public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    case off
    case info
    case warning
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    public var name: String {
        switch self {
        case .off: "off"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// A finding about a file that an author wrote: what is wrong, where, and how to mend it.
///
/// Texts are lowercase, without full stop, with backticks round code, in the words of a person who
/// edits YAML.
public struct Diagnostic: Sendable, Hashable {
    /// A place that explains the finding, with a few words about it.
    public struct Label: Sendable, Hashable {
        public var range: SourceRange
        public var text: String

        public init(_ text: String, at range: SourceRange) {
            self.range = range
            self.text = text
        }
    }

    /// Replaces a range of a file by a text.
    public struct Edit: Sendable, Hashable {
        public var range: SourceRange
        public var replacement: String

        public init(_ range: SourceRange, replacement: String) {
            self.range = range
            self.replacement = replacement
        }
    }

    /// Edits that mend the finding, applied together.
    public struct Fix: Sendable, Hashable {
        public var title: String
        public var edits: [Edit]
        /// Whether the meaning that the author intended is certain, so that `--fix` may apply it.
        public var isSafe: Bool

        public init(_ title: String, edits: [Edit], isSafe: Bool) {
            self.title = title
            self.edits = edits
            self.isSafe = isSafe
        }
    }

    public var check: Check
    public var level: Level
    /// What is wrong, in words that stand alone.
    public var message: String
    /// The culprit, underlined with `^^^`.
    public var range: SourceRange
    /// A few words behind the `^^^`.
    public var label: String
    /// What the finding is about when the place alone does not say it, such as "popup `welcome`".
    public var subject: String?
    public var secondary: [Label]
    /// Facts.
    public var notes: [String]
    /// How to mend it.
    public var help: [String]
    public var fixes: [Fix]

    public init(
        _ check: Check, _ message: String, at range: SourceRange, label: String = "",
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
