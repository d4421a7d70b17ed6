/// How bad a finding is. Only what is certain to be broken is an error.
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

    /// As configuration, output and `--fail-level` spell it, such as `warning`.
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
        /// What is underlined; it may lie in another file than the culprit.
        public var range: SourceRange
        /// A few words, in lower case and without a full stop.
        public var text: String

        /// Says a few words about a place.
        public init(_ text: String, at range: SourceRange) {
            self.range = range
            self.text = text
        }
    }

    /// Replaces a range of a file by a text.
    public struct Edit: Sendable, Hashable {
        /// The bytes to replace; empty to insert in front of a byte.
        public var range: SourceRange
        /// What then stands there; empty to delete.
        public var replacement: String

        /// Replaces a range of a file by a text.
        public init(_ range: SourceRange, replacement: String) {
            self.range = range
            self.replacement = replacement
        }
    }

    /// Edits that mend the finding, applied together.
    public struct Fix: Sendable, Hashable {
        /// What it does, such as "write `priority`".
        public var title: String
        /// Ranges that do not overlap; all are applied or none.
        public var edits: [Edit]
        /// Whether the meaning that the author intended is certain, so that `--fix` may apply it.
        public var isSafe: Bool

        /// Edits that mend a finding together.
        public init(_ title: String, edits: [Edit], isSafe: Bool) {
            self.title = title
            self.edits = edits
            self.isSafe = isSafe
        }
    }

    /// Which check noticed it.
    public var check: Check
    /// The level of the check until configuration gives it another.
    public var level: Level
    /// What is wrong, in words that stand alone.
    public var message: String
    /// The culprit, underlined with `^^^`.
    public var range: SourceRange
    /// A few words behind the `^^^`.
    public var label: String
    /// What the finding is about when the place alone does not say it, such as "popup `welcome`".
    public var subject: String?
    /// Other places that explain it, in the order of drawing.
    public var secondary: [Label]
    /// Facts.
    public var notes: [String]
    /// How to mend it.
    public var help: [String]
    /// Ways to mend it, any one of which will do; empty when no edit is known.
    public var fixes: [Fix]

    /// A finding with the level that its check has without configuration.
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
