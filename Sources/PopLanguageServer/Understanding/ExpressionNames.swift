internal import PopCEL
internal import PopRuleFiles
internal import PopSource
internal import PopStories
internal import PopYAML

/// The names that the conditions of a rule set may use.
struct ExpressionNames: Sendable {
    private let model: RuleModel
    private let environment: Environment

    init(_ model: RuleModel) {
        self.model = model
        environment = model.environment()
    }

    /// Returns the environment, with the payload of an event if there is one to read, and with the
    /// history of the popup that a name is about.
    func environment(forEvent event: String?, naming name: String = "") -> Environment {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        let popup = words.count > 1 && words[0] == "popups" ? String(words[1]) : nil
        if event == nil, popup == nil { return environment }
        return model.environment(forEvent: event, historyOf: popup)
    }

    /// The environment of the conditions of a test, which are about its state.
    var environmentOfState: Environment { StateSlots.environment(of: model) }

    /// Returns the variables in the strings of a popup: context keys, and the fields of the events
    /// that trigger it; the fields of all events if the popup is not known.
    func variablesInTexts(of popup: String?) -> [Variable] {
        let events = popup.flatMap { eventsTriggering($0) } ?? model.events.names
        let keys = Set(model.context.names)
        var found = environment.variables.filter { keys.contains($0.name) }
        for event in Set(events).sorted() {
            let own = self.environment(forEvent: event).variables
            found += own.filter { $0.name.hasPrefix("event.") }
        }
        return found
    }

    /// Returns the events that trigger a popup; nil if the popup is not known.
    func eventsTriggering(_ popup: String) -> [String]? {
        model.popups[popup].map { popup in
            (popup.trigger?.value ?? []).compactMap { trigger in
                if case .event(let event) = trigger.value { event.event.value } else { nil }
            }
        }
    }

    /// Returns a popup whose strings show a field that several of its trigger events have, one of
    /// which is the given event.
    func popupWithText(of field: String, ofEvent event: String) -> String? {
        model.popups.entries.first { popup in
            let carrying = (eventsTriggering(popup.name.value) ?? []).filter { name in
                fields(ofEvent: name).contains { $0.name.value == field }
            }
            return Set(carrying).count > 1 && carrying.contains(event)
                && model.placeholders(in: popup).contains { $0.name == "event.\(field)" }
        }?.name.value
    }

    /// Returns the owner of a popup's variants: its own experiment, or a shared one.
    func experiment(ofPopup popup: String) -> String {
        let shared = model.popups[popup]?.limits.experiment?.value.of?.value
        return shared.map { "experiment \($0)" } ?? "popup \(popup)"
    }

    /// The variants of an experiment by what they belong to.
    func variants(of owner: String) -> [String] {
        let named = model.experiments.entries.filter { "experiment \($0.name.value)" == owner }
        let weighed = named.flatMap { $0.variants?.value.map(\.name.value) ?? [] }
        let popups = model.popups.entries.filter {
            $0.limits.experiment != nil && experiment(ofPopup: $0.name.value) == owner
        }
        return weighed
            + popups.flatMap { popup in
                (popup.limits.experiment?.value.variants?.value ?? []).map(\.name.value)
            }
    }

    /// The fields that an event carries.
    func fields(ofEvent name: String) -> [FieldModel] { model.events[name]?.fields ?? [] }

    /// The names of the popups whose history conditions may read.
    var popups: [String] { model.popups.names }

    /// Returns the declared name that a dotted name refers to: its longest prefix that is declared.
    func meaning(of words: [String]) -> (kind: String, name: String, words: Range<Int>)? {
        if words.count > 1, words[0] == "popups", model.popups[words[1]] != nil {
            return ("popup", words[1], 1..<2)
        }
        for count in stride(from: words.count, to: 0, by: -1) {
            let name = words.prefix(count).joined(separator: ".")
            if model.context[name] != nil { return ("context key", name, 0..<count) }
            if model.conditions[name] != nil { return ("named condition", name, 0..<count) }
        }
        return nil
    }

    /// Returns the kind of an entry in the history of a test: a popup or an event; nil for neither.
    func kindInHistory(_ name: String) -> String? {
        if model.popups[name] != nil { return "popup" }
        return model.events[name] != nil ? "event" : nil
    }

    /// Returns the kind of an entry in the replies of a mapping: a popup or a template; nil for
    /// neither.
    func kindOfReply(_ name: String) -> String? {
        if model.popups[name] != nil { return "popup" }
        return model.templates[name] != nil ? "template" : nil
    }

    /// The names that rules declare of a kind.
    func declared(_ kind: String) -> [String] {
        kind == "event" ? model.events.names : model.popups.names
    }

    /// The kinds of names that follow the first words of conditions on the state of a test.
    static let kindOfState = ["showing": "scheduler", "waiting": "scheduler", "shown": "popup"]

    /// Returns the kind of name that a string argument of a call refers to.
    static func kind(ofArgument position: Int, of function: String) -> String? {
        switch (function, position) {
        case ("event_count", 0), ("last_event", 0), ("since", 0), ("event_sum", 0): "event"
        case ("acted", 0), ("last_acted", 0): "popup"
        default: nil
        }
    }
}

/// The text of an expression in a file.
struct ExpressionText: Sendable {
    let text: [UInt8]
    let map: TextMap
    let tokens: [LexicalToken]
    /// The event whose payload it may read; nil for none.
    let event: String?
    /// Indicates whether it is about the state of a test, where popups are named as strings.
    let isOfState: Bool

    /// Returns the range in the file for a part of the expression.
    func range(_ part: Range<Int>) -> Range<Int> { map.range(part).bytes }

    func text(_ part: Range<Int>) -> String { String(decoding: text[part], as: UTF8.self) }

    func isSign(_ index: Int, _ sign: UInt8) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .sign
            && tokens[index].range.count == 1 && text[tokens[index].range.lowerBound] == sign
    }

    /// A name of several words with dots between them, or a call.
    struct Chain: Sendable {
        /// The positions of its words among the tokens.
        var words: [Int]
        /// Indicates whether the last word is called.
        var isCall: Bool
    }

    /// The names in the order of the text.
    var chains: [Chain] {
        var found: [Chain] = []
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            guard tokens[index].kind == .name else { continue }
            var chain = Chain(words: [index], isCall: false)
            // A word after a dot that follows no name belongs to a value, such as the result of a
            // call.
            if isSign(index - 1, UInt8(ascii: ".")) { chain.words = [index] }
            while isSign(index + 1, UInt8(ascii: ".")), index + 2 < tokens.count,
                tokens[index + 2].kind == .name
            {
                index += 2
                chain.words.append(index)
            }
            chain.isCall = isSign(index + 1, UInt8(ascii: "("))
            found.append(chain)
        }
        return found
    }

    /// Returns the given number of words of a chain as a dotted name.
    func name(_ chain: Chain, words count: Int) -> String {
        chain.words.prefix(count).map { text(tokens[$0].range) }.joined(separator: ".")
    }

    /// Returns the range in the file for words of a chain.
    func range(_ chain: Chain, words: Range<Int>) -> Range<Int> {
        let first = tokens[chain.words[words.lowerBound]].range.lowerBound
        let last = tokens[chain.words[words.upperBound - 1]].range.upperBound
        return range(first..<last)
    }

    /// Returns the strings in the arguments of a call, without their quotes, by position, if they
    /// are constants.
    func texts(ofCall chain: Chain) -> [(position: Int, text: String, range: Range<Int>)] {
        guard chain.isCall, let last = chain.words.last else { return [] }
        var found: [(position: Int, text: String, range: Range<Int>)] = []
        var depth = 0
        var position = 0
        for index in (last + 1)..<tokens.count {
            let token = tokens[index]
            if token.kind == .sign, token.range.count == 1 {
                switch text[token.range.lowerBound] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return found }
                case UInt8(ascii: ",") where depth == 1: position += 1
                default: break
                }
            } else if token.kind == .text, depth == 1, token.range.count >= 2 {
                let inner = token.range.lowerBound + 1..<token.range.upperBound - 1
                found.append((position, text(inner), range(inner)))
            }
        }
        return found
    }
}

/// One form of a function, for display: its call, its parameters, and its result.
struct FunctionForm: Sendable, Hashable {
    let name: String
    /// The type of what it is called on; nil for a function that is called by itself.
    let receiver: String?
    let parameters: [String]
    let result: String

    /// Such as `string.startsWith(string) -> bool`.
    var text: String {
        let call = "\(name)(\(parameters.joined(separator: ", ")))"
        return "\(receiver.map { "\($0)." } ?? "")\(call) -> \(result)"
    }
}

extension Environment {
    /// Every form of every function that expressions may call, macros among them, by name.
    var functionForms: [FunctionForm] {
        let declared = functions.flatMap { name, function in
            function.overloads.map { form($0, of: name) }
        }
        let slots = slotFunctions.flatMap { name, functions in
            functions.map { form($0.overload, of: name) }
        }
        // Operators are functions too, under names that can't be written.
        let callable = (declared + slots).filter { $0.name.utf8.allSatisfy(isNamePart) }
        return (callable + macroForms).sorted { ($0.name, $0.text) < ($1.name, $1.text) }
    }

    private func form(_ overload: Overload, of name: String) -> FunctionForm {
        let parameters = overload.parameters.map { "\(types.publicType($0))" }
        return FunctionForm(
            name: name, receiver: overload.isMember ? parameters.first : nil,
            parameters: Array(parameters.dropFirst(overload.isMember ? 1 : 0)),
            result: "\(types.publicType(overload.result))")
    }

    /// The macros of the language (CEL, section "Macros").
    private var macroForms: [FunctionForm] {
        func form(
            _ name: String, on receiver: String?, _ parameters: [String], to result: String
        ) -> FunctionForm {
            FunctionForm(name: name, receiver: receiver, parameters: parameters, result: result)
        }
        return [
            form("has", on: nil, ["name"], to: "bool"),
            form("all", on: "list", ["x", "condition"], to: "bool"),
            form("exists", on: "list", ["x", "condition"], to: "bool"),
            form("exists_one", on: "list", ["x", "condition"], to: "bool"),
            form("filter", on: "list", ["x", "condition"], to: "list"),
            form("map", on: "list", ["x", "value"], to: "list"),
        ]
    }
}
