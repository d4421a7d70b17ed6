import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource

/// A command that the user typed in a line.
enum PlayOrder: Sendable, Equatable {
    case set([String: Value])
    case unset(String)
    case send(String, [String: Value])
    case enqueue(String)
    case close(String)
    case act(String, String)
    case dismiss(String)
    case remove(String)
    case suspend(String?)
    case resume(String?)
    case skip(Duration)
    case why(String)
    case user(String)
    case help
    case quit
}

/// The reason why a line isn't a valid command, in words for the user.
struct PlayMistake: Error, Equatable {
    var message: String
}

extension PlayOrder {
    /// Every order, and what it does.
    static let usages: [(order: String, meaning: String)] = [
        ("set KEY=VALUE", "changes the context"),
        ("unset KEY", "resets a key to its default"),
        ("send EVENT {field: value}", "sends an event; the payload is optional"),
        ("enqueue POPUP", "puts a popup in the queue"),
        ("close POPUP", "closes a popup as a user would"),
        ("act POPUP ACTION", "uses an action of a popup as a user would"),
        ("dismiss POPUP", "dismisses a popup as the app would"),
        ("remove POPUP", "removes a popup immediately"),
        ("suspend [SCHEDULER]", "shows no new popups"),
        ("resume [SCHEDULER]", "shows popups again after suspend"),
        ("skip DURATION", "moves the clock forward, such as 1h30m or 2d"),
        (
            "why POPUP",
            "explains why a popup shows or does not; the key w explains the first popup in the list"
        ),
        ("user NAME", "continues as another user"),
        ("help, quit", ""),
    ]

    /// The order that a line spells, checked against the rules that are in force.
    init(_ line: String, rules: RuleSet) throws(PlayMistake) {
        let line = line.trimmingBlanks
        let verb = line.prefix { $0 != " " }
        let rest = String(line.dropFirst(verb.count)).trimmingBlanks
        switch verb {
        case "set": self = .set(try Self.values(rest, in: rules))
        case "unset": self = .unset(try Self.name(rest, after: verb, what: "a context key"))
        case "send": self = try Self.sending(rest, in: rules)
        case "enqueue": self = .enqueue(try Self.name(rest, after: verb, what: "a popup"))
        case "close": self = .close(try Self.name(rest, after: verb, what: "a popup"))
        case "act": self = try Self.acting(rest)
        case "dismiss": self = .dismiss(try Self.name(rest, after: verb, what: "a popup"))
        case "remove": self = .remove(try Self.name(rest, after: verb, what: "a popup"))
        case "why": self = .why(try Self.name(rest, after: verb, what: "a popup"))
        case "user": self = .user(rest)
        case "suspend": self = .suspend(rest.isEmpty ? nil : rest)
        case "resume": self = .resume(rest.isEmpty ? nil : rest)
        case "skip": self = .skip(try Self.duration(rest))
        case "help": self = .help
        case "quit": self = .quit
        default: throw PlayMistake(message: "unknown command `\(verb)`; type `help` for a list")
        }
    }

    private static func name(
        _ text: String, after verb: Substring, what: String
    ) throws(PlayMistake) -> String {
        guard !text.isEmpty else { throw PlayMistake(message: "write \(what) after `\(verb)`") }
        return text
    }

    private static func acting(_ text: String) throws(PlayMistake) -> PlayOrder {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else { throw PlayMistake(message: "write `act POPUP ACTION`") }
        return .act(words[0], words[1])
    }

    private static func values(
        _ text: String, in rules: RuleSet
    ) throws(PlayMistake) -> [String: Value] {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw PlayMistake(message: "write `set KEY=VALUE`")
        }
        let key = String(text[..<equals]).trimmingBlanks
        let value = String(text[text.index(after: equals)...]).trimmingBlanks
        let type = rules.keys.first { $0.name == key }?.type
        let setting = ContextOptions.setting(key, value: value, type: type)
        let source = SourceFile(path: "<line>", text: setting)
        return try result(ContextFile.parse(source, keys: rules.keys))
    }

    private static func sending(
        _ text: String, in rules: RuleSet
    ) throws(PlayMistake) -> PlayOrder {
        let event = String(text.prefix { $0 != " " && $0 != "{" })
        let payload = String(text.dropFirst(event.count)).trimmingBlanks
        guard !event.isEmpty else { throw PlayMistake(message: "write an event after `send`") }
        guard !payload.isEmpty else { return .send(event, [:]) }
        let source = SourceFile(path: "<line>", text: payload)
        guard let rule = rules.events.first(where: { $0.name == event }) else {
            return .send(event, try result(ContextFile.parse(source)))
        }
        return .send(event, try result(ContextFile.parse(source, payloadOf: rule)))
    }

    private static func result(
        _ checked: Checked<[String: Value]>
    ) throws(PlayMistake) -> [String: Value] {
        let error = checked.diagnostics.sorted.first { $0.level == .error }
        if let error { throw PlayMistake(message: error.message) }
        return checked.value ?? [:]
    }

    /// Days are of 24 hours, as in rule files.
    private static func duration(_ text: String) throws(PlayMistake) -> Duration {
        var rest = text[...]
        var total = Duration.zero
        if let days = text.firstIndex(of: "d"), let count = Int32(text[..<days]), count >= 0 {
            total = .seconds(Int64(count) * 86_400)
            rest = text[text.index(after: days)...]
        }
        if !rest.isEmpty {
            guard let part = DurationText.parse(String(rest)), part >= .zero else {
                throw PlayMistake(message: "`\(text)` is not a duration such as 90s or 1h30m")
            }
            total += part
        }
        guard total > .zero else { throw PlayMistake(message: "write a duration after `skip`") }
        return total
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: blanks).reversed().drop(while: blanks).reversed())
    }
}
