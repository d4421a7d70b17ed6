internal import PopCEL
internal import PopScheduler
internal import PopSource

extension SwiftCode {
    /// Returns a struct for each event, and the code that sends it.
    static func events(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        let names = try SwiftName.distinct(
            rules.events.map(\.name), as: "events", by: SwiftName.type)
        if names.isEmpty { return [] }
        var blocks: [[String]] = []
        for (event, name) in zip(rules.events, names.map(\.name)) {
            blocks.append(try self.event(event, name: name))
        }
        return joined([
            [
                "/// An event that the rules declare.", "public protocol RuleEvent: Sendable {",
                "    /// The name in the rules.", "    static var name: String { get }",
                "    /// The fields that have a value.",
                "    var payload: [String: Value] { get }", "}",
            ],
            [
                "extension PopupEngine {", "    /// Sends an event to the engine.",
                "    @discardableResult",
                "    public func send(_ event: some RuleEvent) -> CallOutcome {",
                "        send(type(of: event).name, event.payload)", "    }", "}",
            ],
            ["/// The events of the rules.", "public enum RuleEvents {"]
                + indented(joined(blocks)) + ["}"],
        ])
    }

    private static func event(_ event: EventRule, name: String) throws(SwiftNameClash) -> [String] {
        let fields = try SwiftName.distinct(
            event.fields.map(\.name), as: "fields of `\(event.name)`", by: SwiftName.member)
        let typed = zip(event.fields, fields).map { field, name in
            (field: field.name, name: name.name, type: field.type.swiftName ?? "Value")
        }
        var lines = ["/// `\(event.name)`", "public struct \(name): RuleEvent {"]
        lines.append("    public static let name = \"\(event.name)\"")
        lines += typed.map { "    public var \($0.name): \($0.type)?" }
        lines.append("")
        lines += initializer(
            typed.map { "\($0.name): \($0.type)? = nil" }, names: typed.map(\.name))
        lines += payload(typed.map { ($0.field, $0.name, $0.type == "Value") })
        return lines + ["}"]
    }

    private static func initializer(_ parameters: [String], names: [String]) -> [String] {
        if parameters.isEmpty { return ["    public init() {}"] }
        let last = parameters.count - 1
        return ["    public init("]
            + parameters.enumerated().map { "        \($1)\($0 == last ? "" : ",")" }
            + ["    ) {"] + names.map { "        self.\($0) = \($0)" } + ["    }"]
    }

    private static func payload(
        _ fields: [(field: String, name: String, isValue: Bool)]
    ) -> [String] {
        if fields.isEmpty { return ["", "    public var payload: [String: Value] { [:] }"] }
        return [
            "", "    public var payload: [String: Value] {",
            "        var payload: [String: Value] = [:]",
        ]
            + fields.map { field, name, isValue in
                "        payload[\"\(field)\"] = self.\(name)\(isValue ? "" : "?.value")"
            } + ["        return payload", "    }"]
    }

    /// Returns an id for each popup.
    static func popups(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        if rules.popups.isEmpty { return [] }
        let ids = try enumeration(
            "PopupName", of: rules.popups.map(\.id), raw: "String, CaseIterable",
            summary: "The popups of the rules.")
        return joined([
            ids, ["extension PopupEngine {"] + indented(joined(Self.calls)) + ["}"],
            [
                "extension Popup {",
                "    /// The popup's name in the rules; nil for a hand-made popup.",
                "    public var name: PopupName? { PopupName(rawValue: id) }", "}",
            ],
        ])
    }

    /// The calls to an engine about one popup: commands and questions.
    private static var calls: [[String]] {
        let short = ["dismiss", "remove", "userClosed", "didDisappear"].map { name in
            call("\(name)(_ popup: PopupName) -> CallOutcome", "\(name)(popup.rawValue)")
        }
        let enqueue = call(
            "enqueue(_ popup: PopupName, calling callbacks: PopupCallbacks? = nil) -> CallOutcome",
            "enqueue(popup.rawValue, calling: callbacks)")
        let show = call(
            "show(_ popup: PopupName) async -> PopupEnding", "await show(popup.rawValue)")
        let fields = "[String: (any ValueConvertible)?]"
        let update = call(
            "updateContent(of popup: PopupName, _ fields: \(fields)) -> CallOutcome",
            "updateContent(of: popup.rawValue, fields)")
        let questions = [
            ("explain(_ popup: PopupName) -> PopupExplanation?", "explain(popup.rawValue)"),
            (
                "statusUpdates(of popup: PopupName) -> PopupStatusUpdates",
                "statusUpdates(of: popup.rawValue)"
            ),
        ].map { signature, body in Array(call(signature, body).dropFirst()) }
        return [enqueue, show] + short + [update] + questions
    }

    private static func call(_ signature: String, _ body: String) -> [String] {
        ["@discardableResult", "public func \(signature) {", "    \(body)", "}"]
    }

    /// Returns a name for each scheduler.
    static func schedulers(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        try enumeration(
            "SchedulerName", of: rules.schedulers.map(\.name), raw: "String, CaseIterable",
            summary: "The schedulers of the rules.")
    }
}
