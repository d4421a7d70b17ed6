internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories
internal import PopYAML

/// The hover text for a place.
enum Hover {
    /// Returns true if the hover text includes the audience, which takes long.
    static func takesLong(_ site: inout RequestContext) -> Bool {
        switch site.mention?.kind {
        case "popup", "named condition": site.model != nil
        default: false
        }
    }

    static func json(_ site: inout RequestContext) -> JSON {
        if let mention = site.mention, let text = text(of: mention, &site) {
            return json(text, at: mention.range, in: site)
        }
        for mark in site.outline.marks(at: site.offset).reversed() {
            switch mark.kind {
            case .key(let key): return json(text(of: key), at: mark.range, in: site)
            case .topLevel(let key):
                return json("**\(key.name)**\n\n\(message: key.summary)", at: mark.range, in: site)
            case .word(let word):
                guard let code = ReasonCode(rawValue: word) else { continue }
                return json("**\(word)**\n\n\(message: code.meaning)", at: mark.range, in: site)
            case .expression(let expression):
                if let (text, range) = text(in: expression, &site) {
                    return json(text, at: range, in: site)
                }
            case .declares, .names, .placeholder: continue
            }
        }
        return check(site) ?? .null
    }

    private static func json(_ text: Markdown, at range: Range<Int>, in site: RequestContext)
        -> JSON
    {
        .object([
            "contents": .object([
                "kind": .string(site.client.takesMarkdown ? "markdown" : "plaintext"),
                "value": .string(site.client.takesMarkdown ? text.source : text.plain),
            ]), "range": site.lines.json(range),
        ])
    }

    private static func text(of key: TableSchema.Key) -> Markdown {
        "**\(key.name)**\n\n\(key.documentation)"
    }

    /// A check that a comment names.
    private static func check(_ site: RequestContext) -> JSON? {
        let line = site.lines.bytes(ofLine: site.lines.line(at: site.offset))
        var start = site.offset
        var end = site.offset
        while start > line.lowerBound, isPartOfID(site.bytes[start - 1]) { start -= 1 }
        while end < line.upperBound, isPartOfID(site.bytes[end]) { end += 1 }
        let word = String(decoding: site.bytes[start..<end], as: UTF8.self)
        guard let check = Check.named(word) else { return nil }
        return json(
            "**\(check.id)** \(check.name) (\(check.level.name))\n\n\(message: check.summary)\n\n"
                + "see also: \(code: "poprules explain-check \(check.id)")",
            at: start..<end, in: site)
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-")
    }
}

// MARK: - names

extension Hover {
    private static func text(of mention: Mention, _ site: inout RequestContext) -> Markdown? {
        guard let model = site.model else { return nil }
        switch mention.kind {
        case "context key":
            return model.context[mention.name].map {
                "**\($0.name.value)** \($0.typeText)\n\n\($0.documentation)"
            }
        case "named condition":
            guard let condition = model.conditions[mention.name] else { return nil }
            let place = condition.condition.range
            let text = model.sources[place.file].text(in: place)
            let meaning: Markdown =
                meaning(ofCondition: mention.name, &site).map { "\n\n\($0)" } ?? ""
            return "**\(mention.name)** named condition\(meaning)\n\n\(.block(text))"
        case "event":
            return model.events[mention.name].map { event in
                "**\(event.name.value)** event\n\n\(event.summary ?? "has no payload")"
            }
        case "popup": return model.popups[mention.name].map { text(of: $0, &site) }
        default: return "**\(mention.name)** \(mention.kind)"
        }
    }

    /// Describes the users who meet a condition, in short words; nil if the words would only repeat
    /// the condition.
    private static func meaning(ofCondition name: String, _ site: inout RequestContext) -> Markdown?
    {
        guard let rules = site.rules,
            let place = rules.conditions.places.first(where: { rules.conditions[$0].name == name })
        else { return nil }
        let those = Audience.Group(meeting: place, in: rules, limits: site.analysisLimits)
        if site.budget.isUsedUp { return Self.notDecided }
        return those.isAsWritten
            ? nil
            : "true for: \(those.texts.map { .message($0) }.joined(separator: "\n\n"))"
    }

    private static let notDecided: Markdown =
        "it could not be determined which users meet its conditions: this takes too much work"

    /// Describes a popup: its values and their sources, its audience, and the popups before and
    /// after it.
    private static func text(of popup: PopupModel, _ site: inout RequestContext) -> Markdown {
        let name = popup.name.value
        var parts: [Markdown] = ["**\(name)** popup"]
        if let description = popup.texts.description?.value { parts.append(.lines(description)) }
        if let rules = site.rules, let index = rules.popups.firstIndex(where: { $0.id == name }) {
            let rule = rules.popups[PopupIndex(index)]
            let audience = Audience(
                of: PopupIndex(index), in: rules, limits: site.analysisLimits)
            parts.append(.block(audience.text))
            if site.budget.isUsedUp { parts.append(Self.notDecided) }
            let order = rules.queueOrder(of: rule.scheduler).map(\.id)
            if let place = order.firstIndex(of: name), order.count > 1 {
                let before = order[..<place].suffix(3)
                let after = order[(place + 1)...].prefix(3)
                let lane = rules.schedulers[rule.scheduler].name
                var text: Markdown = "position \(place + 1) of \(order.count) in \(code: lane)"
                if !before.isEmpty { text += ", after \(.codes(before))" }
                if !after.isEmpty { text += ", before \(.codes(after))" }
                parts.append(text)
            }
        }
        let values = values(of: popup, site)
        if !values.isEmpty { parts.append(.table(["key", "value", "from"], rows: values)) }
        return parts.joined(separator: "\n\n")
    }

    /// Returns the keys that are in effect, except for those with their default value.
    private static func values(of popup: PopupModel, _ site: RequestContext) -> [[Markdown]] {
        guard let project = site.project else { return [] }
        var resolved = ResolvedPopups(site.desk.projects[project].sources)
        return resolved.keys(ofPopupAt: popup.name.range)
            .filter { $0.origin != .default && $0.name != "content" }
            .compactMap { key in
                guard let line = key.value?.line else { return nil }
                return ["\(key.name)", .code(line), "\(key.origin.rawValue)"]
            }
    }
}

extension RequestContext {
    /// The rule set of the document as the scheduler runs it, while it has no error.
    var rules: RuleSet? {
        mutating get {
            guard let project, let ruleSet else { return nil }
            return try? desk.projects[project].rules(ruleSet).checked.get()
        }
    }
}

// MARK: - expressions

extension Hover {
    private static func text(
        in expression: ExpressionText, _ site: inout RequestContext
    ) -> (Markdown, Range<Int>)? {
        guard let names = site.names else { return nil }
        for chain in expression.chains {
            let whole = expression.range(chain, words: 0..<chain.words.count)
            guard whole.contains(site.offset) || whole.upperBound == site.offset,
                let last = chain.words.last
            else { continue }
            let environment = names.environment(
                forEvent: expression.event,
                naming: expression.name(chain, words: chain.words.count))
            if chain.isCall {
                let name = expression.text(expression.tokens[last].range)
                let full = expression.name(chain, words: chain.words.count)
                let forms = environment.functionForms.filter {
                    $0.name == name || $0.name == full
                }
                let range = expression.range(expression.tokens[last].range)
                if !forms.isEmpty, range.contains(site.offset) || range.upperBound == site.offset {
                    let text = forms.map { Markdown.block($0.text) }.joined(separator: "\n")
                    return (text, range)
                }
            }
            for count in stride(from: chain.words.count, to: 0, by: -1) {
                let name = expression.name(chain, words: count)
                guard let variable = environment.variable(named: name) else { continue }
                var lines: [Markdown] = ["**\(name)** \("\(variable.type)")"]
                if variable.mayBeMissing {
                    lines.append(
                        "has a value \(message: variable.presence ?? "once it is set")")
                }
                if let values = variable.allowedValues {
                    lines.append("values: \(.codes(values.map(\.expressionText)))")
                }
                return (
                    lines.joined(separator: "\n\n"), expression.range(chain, words: 0..<count)
                )
            }
        }
        return type(of: expression, in: names.environment(forEvent: expression.event), site: site)
    }

    /// Returns the type of the whole expression, if the place isn't one of its names.
    private static func type(
        of expression: ExpressionText, in environment: Environment, site: RequestContext
    ) -> (Markdown, Range<Int>)? {
        let text = String(decoding: expression.text, as: UTF8.self)
        guard let program = environment.compile(text).value else { return nil }
        return (
            "an expression of type \("\(program.resultType)")",
            expression.range(0..<expression.text.count)
        )
    }
}
