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
