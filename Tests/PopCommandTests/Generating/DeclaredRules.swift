// Made by `poprules generate swift` from the rules: do not edit.
// swift-format-ignore-file

public import Foundation
public import PopEngine

/// The values of `user.plan`.
public enum UserPlanValue: String, CaseIterable, ValueConvertible, Sendable {
    case free
    case pro
}

extension TypedKey<Bool> {
    public static var `is`: Self { Self("is") }
}

extension TypedKey<Double> {
    public static var appRatio: Self { Self("app.ratio") }
}

extension TypedKey<Duration> {
    public static var appWait: Self { Self("app.wait") }
}

extension TypedKey<Int> {
    public static var _init: Self { Self("init") }
}

extension TypedKey<String> {
    public static var appVersion: Self { Self("app.version") }
    public static var name: Self { Self("name") }
}

extension TypedKey<Timestamp> {
    public static var userSince: Self { Self("user.since") }
}

extension TypedKey<UInt64> {
    public static var appLaunches: Self { Self("app.launches") }
}

extension TypedKey<UserPlanValue> {
    public static var userPlan: Self { Self("user.plan") }
}

extension TypedKey<[String: Int]> {
    public static var userScores: Self { Self("user.scores") }
}

extension TypedKey<[String]> {
    public static var userTags: Self { Self("user.tags") }
}

/// An event that the rules declare.
public protocol RuleEvent: Sendable {
    /// The name in the rules.
    static var name: String { get }
    /// The fields that have a value.
    var payload: [String: Value] { get }
}

extension PopupEngine {
    /// Sends an event to the engine.
    @discardableResult
    public func send(_ event: some RuleEvent) -> CallOutcome {
        send(type(of: event).name, event.payload)
    }
}

/// The events of the rules.
public enum RuleEvents {
    /// `order.paid`
    public struct OrderPaid: RuleEvent {
        public static let name = "order.paid"
        public var total: Double?
        public var at: Timestamp?
        public var items: [String]?

        public init(
            total: Double? = nil,
            at: Timestamp? = nil,
            items: [String]? = nil
        ) {
            self.total = total
            self.at = at
            self.items = items
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["total"] = self.total?.value
            payload["at"] = self.at?.value
            payload["items"] = self.items?.value
            return payload
        }
    }

    /// `value`
    public struct _Value: RuleEvent {
        public static let name = "value"
        public var string: String?
        public var _payload: Int?
        public var name: String?
        public var `any`: Value?

        public init(
            string: String? = nil,
            _payload: Int? = nil,
            name: String? = nil,
            `any`: Value? = nil
        ) {
            self.string = string
            self._payload = _payload
            self.name = name
            self.`any` = `any`
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["string"] = self.string?.value
            payload["payload"] = self._payload?.value
            payload["name"] = self.name?.value
            payload["any"] = self.`any`
            return payload
        }
    }

    /// `rule_event`
    public struct _RuleEvent: RuleEvent {
        public static let name = "rule_event"

        public init() {}

        public var payload: [String: Value] { [:] }
    }

    /// `Type`
    public struct _Type: RuleEvent {
        public static let name = "Type"
        public var `await`: Int?
        public var `copy`: Duration?
        public var `unsafe`: Bool?
        public var `isolated`: String?

        public init(
            `await`: Int? = nil,
            `copy`: Duration? = nil,
            `unsafe`: Bool? = nil,
            `isolated`: String? = nil
        ) {
            self.`await` = `await`
            self.`copy` = `copy`
            self.`unsafe` = `unsafe`
            self.`isolated` = `isolated`
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["await"] = self.`await`?.value
            payload["copy"] = self.`copy`?.value
            payload["unsafe"] = self.`unsafe`?.value
            payload["isolated"] = self.`isolated`?.value
            return payload
        }
    }
}

/// The popups of the rules.
public enum PopupName: String, CaseIterable, Sendable {
    case ratingPrompt = "rating_prompt"
    case `default` = "default"
    case _allCases = "all_cases"
    case _self = "self"
    case _hashValue = "hash_value"
    case _init = "init"
}

extension PopupEngine {
    @discardableResult
    public func enqueue(_ popup: PopupName, calling callbacks: PopupCallbacks? = nil) -> CallOutcome {
        enqueue(popup.rawValue, calling: callbacks)
    }

    @discardableResult
    public func show(_ popup: PopupName) async -> PopupEnding {
        await show(popup.rawValue)
    }

    @discardableResult
    public func dismiss(_ popup: PopupName) -> CallOutcome {
        dismiss(popup.rawValue)
    }

    @discardableResult
    public func remove(_ popup: PopupName) -> CallOutcome {
        remove(popup.rawValue)
    }

    @discardableResult
    public func userClosed(_ popup: PopupName) -> CallOutcome {
        userClosed(popup.rawValue)
    }

    @discardableResult
    public func didDisappear(_ popup: PopupName) -> CallOutcome {
        didDisappear(popup.rawValue)
    }

    @discardableResult
    public func updateContent(of popup: PopupName, _ fields: [String: (any ValueConvertible)?]) -> CallOutcome {
        updateContent(of: popup.rawValue, fields)
    }

    public func explain(_ popup: PopupName) -> PopupExplanation? {
        explain(popup.rawValue)
    }

    public func statusUpdates(of popup: PopupName) -> PopupStatusUpdates {
        statusUpdates(of: popup.rawValue)
    }
}

extension Popup {
    /// The popup's name in the rules; nil for a hand-made popup.
    public var name: PopupName? { PopupName(rawValue: id) }
}

/// The schedulers of the rules.
public enum SchedulerName: String, CaseIterable, Sendable {
    case main
    case `default` = "default"
}

/// The content of a `sheet`.
public struct SheetContent: Decodable, Sendable {
    public var title: String
    public var kind: Kind
    public var showUntil: Date?
    public var lasts: Duration?
    public var rows: [[String: String]]?
    public var codingKeys: Int?
    public var _rawValue: Bool?
    public var string: _String?

    /// The values of `kind`.
    public enum Kind: String, CaseIterable, Decodable, Sendable {
        case showMe = "Show me"
        case _10 = "1.0"
        case empty = ""
        case u3c = "<"
        case aBC = "a \"b\" \\ c"
        case `default` = "default"
    }

    /// The values of `string`.
    public enum _String: String, CaseIterable, Decodable, Sendable {
        case string
        case int
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case kind
        case showUntil = "show_until"
        case lasts
        case rows
        case codingKeys = "coding_keys"
        case _rawValue = "raw_value"
        case string
    }
}

/// The actions of a `sheet`, except closing it.
public enum SheetAction: String, CaseIterable, Sendable {
    case accept
    case later
    case `repeat` = "repeat"
    case _self = "self"
    case _rawValue = "raw_value"
}

extension PopupEngine {
    /// Reports that the user used an action of a popup.
    @discardableResult
    public func acted(
        _ popup: PopupName, _ action: SheetAction, stays: Bool = false
    ) -> CallOutcome {
        acted(popup.rawValue, action.rawValue, stays: stays)
    }
}

/// The content of a `plain`.
public struct PlainContent: Decodable, Sendable {}
