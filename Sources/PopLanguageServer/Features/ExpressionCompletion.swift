internal import PopCEL
internal import PopReports
internal import PopSource

/// The completions at the end of a partial expression.
struct ExpressionCompletion {
    let items: [Completion]
    /// The bytes at the end that belong to what is being written.
    let typed: Range<Int>
    /// Indicates whether the text is certainly an expression.
    let isInside: Bool

    /// The subject of an expression, which determines the names that it may use.
    enum Subject {
        /// Rules, and the payload of an event if there is one.
        case rules(event: String?)
        /// The popups that show and wait in a test.
        case state
    }

    init(
        _ text: [UInt8], names: ExpressionNames?, about subject: Subject,
        followedBy next: UInt8? = nil
    ) {
        let start = Self.startOfName(in: text)
        let name = String(decoding: text[start...], as: UTF8.self)
        let environment: Environment
        var groups: [String: [String]] = [:]
        switch subject {
        case .rules(let event):
            environment = names?.environment(forEvent: event, naming: name) ?? .ofRules()
            groups["popups"] = names?.popups ?? []
        case .state:
            environment = names?.environmentOfState ?? .ofRules()
            groups["shown"] = []
        }
        if let quote = Self.openQuote(in: text) {
            typed = quote.start + 1..<text.count
            isInside = true
            let closing = text[quote.start]
            let texts = Self.texts(in: quote, of: text, names: names, environment: environment)
            items = texts.map { item in
                var item = item
                if next != closing {
                    item.snippet = item.label + String(Character(Unicode.Scalar(closing)))
                }
                return item
            }
            return
        }
        typed = start..<text.count
        let before = LexicalToken.all(in: Array(text[..<start]))
        isInside = !before.isEmpty || text[start...].contains(UInt8(ascii: "."))
        let compared = Self.comparedName(before, in: text)
        var found: [Completion] = []
        if let compared, let variable = environment.variable(named: compared) {
            found += Self.values(of: variable)
        }
        // After a dot that follows a value, only methods are possible.
        if start > 0, text[start - 1] == UInt8(ascii: ".") {
            items = Self.methods(environment)
            return
        }
        // Names with other beginnings would only hide the intended ones.
        let owner = name.lastIndex(of: ".").map { name[...$0] } ?? ""
        found += Self.names(environment, beginningWith: owner).filter { item in
            !owner.isEmpty || !groups.keys.contains { item.label.hasPrefix($0 + ".") }
        }
        for (group, members) in groups where owner.isEmpty || owner == "\(group)." {
            found += Self.names(ofPopupsIn: group, owner.isEmpty ? [] : members)
        }
        if !name.contains(".") { found += Self.functions(environment) + Self.constants }
        if let dot = name.lastIndex(of: ".") {
            let owner = String(name[..<dot])
            if environment.variable(named: owner) != nil {
                found += Self.methods(environment).map { item in
                    var item = item
                    item.label = "\(owner).\(item.label)"
                    item.snippet = item.snippet.map { "\(owner).\($0)" }
                    return item
                }
            }
        }
        items = found
    }

    /// Where the dotted name at the end begins.
    private static func startOfName(in text: [UInt8]) -> Int {
        var start = text.count
        while start > 0, isNamePart(text[start - 1]) { start -= 1 }
        while start < text.count, text[start] == UInt8(ascii: ".") { start += 1 }
        return start
    }

    private struct OpenQuote {
        var start: Int
    }

    /// Returns the quote of a string that has not ended.
    private static func openQuote(in text: [UInt8]) -> OpenQuote? {
        var open: Int?
        var index = 0
        while index < text.count {
            let byte = text[index]
            if let start = open {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == text[start] {
                    open = nil
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                open = index
            }
            index += 1
        }
        return open.map { OpenQuote(start: $0) }
    }

    /// Returns completions for a string in quotes: the values of the name that it is compared with,
    /// or the names that a function takes.
    private static func texts(
        in quote: OpenQuote, of text: [UInt8], names: ExpressionNames?,
        environment: Environment
    ) -> [Completion] {
        let tokens = LexicalToken.all(in: Array(text[..<quote.start]))
        if let name = comparedName(tokens, in: text),
            let variable = environment.variable(named: name)
        {
            return (variable.allowedValues ?? []).compactMap { value in
                guard case .string(let text) = value else { return nil }
                return Completion(label: text, kind: .value, detail: name, rank: 1)
            }
        }
        guard let call = openCall(tokens, in: text),
            let kind = ExpressionNames.kind(ofArgument: call.position, of: call.function)
        else { return [] }
        return names?.declared(kind).map {
            Completion(label: $0, kind: kind == "event" ? .event : .reference, detail: kind)
        } ?? []
    }

    /// Returns the name on the other side of a comparison at the end, also the name of a list after
    /// `in`.
    static func comparedName(_ tokens: [LexicalToken], in text: [UInt8]) -> String? {
        var index = tokens.count - 1
        // Inside of a list: back to the bracket.
        while index >= 0 {
            let token = tokens[index]
            if token.kind == .text || token.kind == .number || isSign(token, ",", in: text)
                || isSign(token, "[", in: text)
            {
                index -= 1
            } else {
                break
            }
        }
        guard index > 0 else { return nil }
        let sign = String(decoding: text[tokens[index].range], as: UTF8.self)
        guard ["==", "!=", "in", "<", "<=", ">", ">="].contains(sign) else { return nil }
        let end = tokens[index - 1].range.upperBound
        guard tokens[index - 1].kind == .name else { return nil }
        var start = end
        while start > 0, isNamePart(text[start - 1]) { start -= 1 }
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    private static func isSign(_ token: LexicalToken, _ sign: String, in text: [UInt8]) -> Bool {
        token.kind == .sign && text[token.range].elementsEqual(sign.utf8)
    }

    /// Returns the function whose parentheses enclose the end, and the position of the argument
    /// that is being written.
    static func openCall(
        _ tokens: [LexicalToken], in text: [UInt8]
    ) -> (function: String, position: Int)? {
        var depth = 0
        var position = 0
        for (index, token) in tokens.enumerated().reversed() {
            guard token.kind == .sign, token.range.count == 1 else { continue }
            switch text[token.range.lowerBound] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: position += 1
            case UInt8(ascii: "("):
                if depth > 0 {
                    depth -= 1
                } else if index > 0, tokens[index - 1].kind == .name {
                    let name = String(decoding: text[tokens[index - 1].range], as: UTF8.self)
                    return (name, position)
                } else {
                    return nil
                }
            default: continue
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private static func values(of variable: Variable) -> [Completion] {
        let values = variable.allowedValues ?? (variable.type == .bool ? [.bool(true)] : [])
        return values.map {
            Completion(label: $0.expressionText, kind: .value, detail: variable.name, rank: 1)
        }
    }

    /// Returns the popups about which a group has data, as `group.popup`; the group if there are
    /// none.
    private static func names(ofPopupsIn group: String, _ popups: [String]) -> [Completion] {
        let names = popups.isEmpty ? [group] : popups.map { "\(group).\($0)" }
        return names.map {
            Completion(
                label: $0, kind: .module,
                documentation: group == "popups"
                    ? "the history of a popup" : "how often a popup was shown in the test",
                snippet: "\($0).", rank: 4)
        }
    }

    private static func names(
        _ environment: Environment, beginningWith owner: Substring
    ) -> [Completion] {
        environment.variables.filter { $0.name.hasPrefix(owner) }.map { Completion($0) }
    }

    private static func functions(_ environment: Environment) -> [Completion] {
        grouped(environment.functionForms.filter { $0.receiver == nil }).map { forms in
            Completion(
                label: forms[0].name, kind: .function, detail: forms[0].text,
                documentation: forms.map { .code($0.text) }.joined(separator: "\n\n"),
                snippet: snippet(forms[0]), rank: 6)
        }
    }

    private static func methods(_ environment: Environment) -> [Completion] {
        grouped(environment.functionForms.filter { $0.receiver != nil }).map { forms in
            Completion(
                label: forms[0].name, kind: .method, detail: forms[0].text,
                documentation: forms.map { .code($0.text) }.joined(separator: "\n\n"),
                snippet: snippet(forms[0]), rank: 6)
        }
    }

    private static func grouped(_ forms: [FunctionForm]) -> [[FunctionForm]] {
        Dictionary(grouping: forms, by: \.name).values.sorted { $0[0].name < $1[0].name }
    }

    private static func snippet(_ form: FunctionForm) -> String {
        let places = form.parameters.enumerated().map { "${\($0 + 1):\($1)}" }
        return "\(form.name)(\(places.joined(separator: ", ")))"
    }

    private static let constants = ["true", "false"].map {
        Completion(label: $0, kind: .keyword, rank: 7)
    }
}

extension Completion {
    /// A variable, with its values and when it has one.
    init(_ variable: Variable) {
        var text: [Markdown] = []
        if let values = variable.allowedValues, !values.isEmpty {
            text.append("values: \(.codes(values.map(\.expressionText)))")
        }
        if variable.mayBeMissing {
            text.append(
                "has a value \(message: variable.presence ?? "once it is set"):"
                    + " check \(code: "has(\(variable.name))") first")
        }
        self.init(
            label: variable.name, kind: .variable, detail: "\(variable.type)",
            documentation: text.isEmpty ? nil : text.joined(separator: "\n\n"), rank: 3)
    }
}

private func isNamePart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
}

/// The forms of the function whose call is being written.
enum SignatureHelp {
    static func json(_ site: inout RequestContext) -> JSON {
        guard let place = CursorPlace(in: site.bytes, at: site.offset) else { return .null }
        let text = Array(site.bytes[place.typed])
        let tokens = LexicalToken.all(in: text)
        guard let call = ExpressionCompletion.openCall(tokens, in: text),
            let names = site.names
        else { return .null }
        let forms = names.environment(forEvent: nil).functionForms
            .filter { $0.name == call.function }
        guard !forms.isEmpty else { return .null }
        let active = forms.firstIndex { $0.parameters.count > call.position } ?? 0
        return .object([
            "signatures": .array(
                forms.map { form in
                    .object([
                        "label": .string(form.text),
                        "parameters": .array(
                            form.parameters.map { .object(["label": .string($0)]) }),
                    ])
                }),
            "activeSignature": .int(active), "activeParameter": .int(call.position),
        ])
    }
}
