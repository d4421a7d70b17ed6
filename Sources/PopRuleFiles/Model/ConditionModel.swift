internal import PopCEL
public import PopSource
internal import PopYAML

/// A condition in one of the forms in which it can be written.
public struct ConditionModel: Sendable {
    enum Form: Sendable {
        case constant(Bool)
        case expression(Expression)
        case all([ConditionModel])
        case any([ConditionModel])
        case none([ConditionModel])
        /// Keys with the values or matchers that they must satisfy; all must hold.
        case keys([KeyMatch])
        /// A string that isn't an expression: the report about it depends on the existing names.
        indirect case unread(String, TextMap)
        /// An unreadable condition, which has been reported.
        case broken
    }

    /// A key, and the tests of its value.
    struct KeyMatch: Sendable {
        var key: Located<String>
        var tests: [Test]
        /// The place of the tests, brackets included.
        var value: SourceRange
        /// True if the key must not pass all of the tests; a key without a value does not pass.
        var isNegated = false
    }

    /// A matcher such as `gte: 3`; a plain value is `eq`.
    struct Test: Sendable {
        var matcher: Located<Matcher>
        var operand: YAMLNode

        /// True if no value to compare with is written.
        var isEmpty: Bool { operand.isNull && operand.range.isEmpty }
    }

    var form: Form
    /// The whole condition as written, lists and maps included.
    public var range: SourceRange
    /// The place of the expression itself if the condition is an alias; nil for a part of a map.
    var definition: SourceRange?

    /// True if it is written as an expression, and not as a list or map.
    var isText: Bool {
        switch form {
        case .expression, .unread: true
        case .constant, .all, .any, .none, .keys, .broken: false
        }
    }

    /// The constant that is written, when it is one, be it as text.
    public var constant: Bool? {
        switch form {
        case .constant(let value): return value
        case .expression(let expression):
            let tree = expression.tree
            if case .bool(let value)? = tree.literal(tree.root) { return value }
            return nil
        case .all(let parts): return Self.constants(parts).map { $0.allSatisfy { $0 } }
        case .any(let parts): return Self.constants(parts).map { $0.contains(true) }
        case .none(let parts): return Self.constants(parts).map { !$0.contains(true) }
        case .keys, .unread, .broken: return nil
        }
    }

    /// Nil unless there is one, and all are constants.
    private static func constants(_ parts: [ConditionModel]) -> [Bool]? {
        let values = parts.compactMap(\.constant)
        return values.isEmpty || values.count < parts.count ? nil : values
    }
}

extension ConditionModel {
    /// True if it may read `schedule.open`.
    var mentionsSchedule: Bool {
        switch form {
        case .constant, .broken: false
        case .unread(let text, _): text.contains("schedule")
        case .expression(let expression): expression.mentions("schedule")
        case .all(let parts), .any(let parts), .none(let parts):
            parts.contains { $0.mentionsSchedule }
        case .keys(let matches): matches.contains { $0.key.value.hasPrefix("schedule.") }
        }
    }
}

/// The comparisons with a key's value in the map form of a condition.
enum Matcher: String, Sendable, CaseIterable {
    case eq
    case ne
    case gt
    case gte
    case lt
    case lte
    case `in`
    case notIn = "not_in"
    case contains
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case matches
    case exists
}
