internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension TestLinker {
    mutating func step(_ step: TestStep) -> RunnableStep {
        RunnableStep(
            range: step.range, after: step.after?.value ?? .zero,
            actions: step.actions.flatMap { actions($0.value) },
            expectations: step.expect.map { expectations($0.value) } ?? [])
    }

    private mutating func actions(_ action: TestAction) -> [RunnableAction] {
        switch action {
        case .close(let ids): popups(ids, "close") { .event(.userClosed($0)) }
        case .dismiss(let ids): popups(ids, "dismiss") { .event(.dismiss($0)) }
        case .remove(let ids): popups(ids, "remove") { .event(.remove($0)) }
        case .enqueue(let ids): popups(ids, "enqueue") { .event(.enqueue($0)) }
        case .veto(let ids): popups(ids, "veto") { .fault(.veto, popup: $0) }
        case .fail(let ids): popups(ids, "fail") { .fault(.fail, popup: $0) }
        case .hang(let ids): popups(ids, "hang") { .fault(.hang, popup: $0) }
        case .hangDismissal(let ids):
            popups(ids, "hang dismissal of") { .fault(.hangDismissal, popup: $0) }
        case .postpone(let times): postpone(times)
        case .send(let events): events.compactMap { send($0.name, $0.payload) }
        case .set(let node): set(node)
        case .unset(let keys): unset(keys)
        case .removeAll: [RunnableAction(action: .event(.removeAll), text: "remove all")]
        case .suspend: [RunnableAction(action: .event(.suspend()), text: "suspend")]
        case .resume: [RunnableAction(action: .event(.resume()), text: "resume")]
        case .poke: [RunnableAction(action: .event(.poke), text: "poke")]
        case .restart: [RunnableAction(action: .restart, text: "restart")]
        case .switchUser(let user):
            [RunnableAction(action: .switchUser(user), text: "switch user \(user)")]
        case .reload(let path): reload(path).map { [$0] } ?? []
        }
    }

    private mutating func reload(_ path: Located<String>) -> RunnableAction? {
        guard let rules = otherRules(path.value) else {
            decoder.report(.cannotReload(path))
            return nil
        }
        takeOver(rules)
        return RunnableAction(action: .event(.reload(rules)), text: "reload \(path.value)")
    }

    private mutating func popups(
        _ ids: [Located<String>], _ verb: String, _ action: (String) -> RunnableAction.Action
    ) -> [RunnableAction] {
        ids.filter { check(popup: $0) }.map {
            RunnableAction(action: action($0.value), text: "\(verb) \($0.value)")
        }
    }

    private mutating func postpone(_ times: YAMLNode) -> [RunnableAction] {
        times.entries.compactMap { entry in
            guard let id = name(entry.key), check(popup: id) else { return nil }
            let time = decoder.inside(key: entry.key) { $0.read(.duration(), entry.value) }
            return time.map {
                RunnableAction(
                    action: .fault(.postpone($0.value), popup: id.value),
                    text: "postpone \(id.value) by \(timeText($0.value))")
            }
        }
    }

    private mutating func send(_ node: YAMLNode, _ payload: YAMLNode?) -> RunnableAction? {
        guard let name = name(node), let event = check(event: name) else { return nil }
        var values: [String: Value] = [:]
        for entry in payload?.entries.map({ $0 }) ?? [] {
            guard let field = self.name(entry.key) else { continue }
            guard let declared = event.fields.first(where: { $0.name == field.value }) else {
                decoder.report(
                    .unknown(
                        "payload field", field, among: event.fields.map(\.name),
                        check: .testUnknownKey))
                continue
            }
            values[field.value] = decoder.inside(key: entry.key) {
                $0.value(entry.value, as: declared.type)
            }
        }
        let fields = payload?.entries.map { self.text(of: $0, ": ") } ?? []
        let written = fields.isEmpty ? "" : " { \(fields.joined(separator: ", ")) }"
        return RunnableAction(
            action: .event(.send(name.value, payload: values)), text: "send \(name.value)\(written)"
        )
    }

    private mutating func set(_ node: YAMLNode) -> [RunnableAction] {
        let values = contextValues(node)
        let written = node.entries.map { self.text(of: $0, " = ") }
        return [
            RunnableAction(
                action: .event(.update(values)), text: "set \(written.joined(separator: ", "))")
        ]
    }

    /// An entry as the file has it, on one line.
    private func text(of entry: YAMLEntry, _ sign: String) -> String {
        let text = [entry.key, entry.value].map { decoder.source.text(in: $0.range) }
            .joined(separator: sign)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func unset(_ keys: [Located<String>]) -> [RunnableAction] {
        let names = keys.filter { check(key: $0) }.map(\.value)
        return [
            RunnableAction(
                action: .event(.update([:], unset: names)),
                text: "unset \(names.joined(separator: ", "))")
        ]
    }
}

// MARK: expectations

extension TestLinker {
    private mutating func expectations(_ written: Expectation) -> [RunnableExpectation] {
        entries(written.showing) { $0.showing($1) } + entries(written.waiting) { $0.waiting($1) }
            + entries(written.reasons) { $0.reason($1) { .reason(popup: $0, $1) } }
            + entries(written.dismissed) { $0.reason($1) { .dismissed(popup: $0, $1) } }
            + entries(written.ended) { $0.reason($1) { .ended(popup: $0, $1) } }
            + entries(written.shown) { $0.shown($1) }
    }

    private mutating func entries(
        _ map: Located<YAMLNode>?,
        _ read: (inout TestLinker, YAMLEntry) -> RunnableExpectation.Kind?
    ) -> [RunnableExpectation] {
        (map?.value.entries.map { $0 } ?? []).compactMap { entry in
            read(&self, entry).map { RunnableExpectation(kind: $0, range: entry.value.range) }
        }
    }

    private mutating func showing(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let lane = name(entry.key), check(scheduler: lane) else { return nil }
        if case .null? = entry.value.scalar?.value {
            return .showing(scheduler: lane.value, popup: nil)
        }
        let text = decoder.inside(key: entry.key) { $0.read(.reference(to: "popup"), entry.value) }
        guard let popup = text else { return nil }
        if popup.value == "none" { return .showing(scheduler: lane.value, popup: nil) }
        return check(popup: popup) ? .showing(scheduler: lane.value, popup: popup.value) : nil
    }

    private mutating func waiting(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let lane = name(entry.key), check(scheduler: lane) else { return nil }
        let list = decoder.inside(key: entry.key) { decoder in
            decoder.read(.list(of: .reference(to: "popup")), entry.value)
        }
        guard let popups = list?.value else { return nil }
        guard popups.allSatisfy({ check(popup: $0) }) else { return nil }
        return .waiting(scheduler: lane.value, popups: popups.map(\.value))
    }

    private mutating func reason(
        _ entry: YAMLEntry, _ make: (String, ReasonCode) -> RunnableExpectation.Kind
    ) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup) else { return nil }
        let code = decoder.inside(key: entry.key) { $0.read(.reasonCode, entry.value) }
        return code.map { make(popup.value, $0.value) }
    }

    private mutating func shown(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup) else { return nil }
        let count = decoder.inside(key: entry.key) {
            $0.read(.integer(0...Int.max), entry.value)
        }
        return count.map { .shown(popup: popup.value, $0.value) }
    }
}

extension Diagnostic {
    fileprivate static func cannotReload(_ path: Located<String>) -> Self {
        Diagnostic(
            .testUnknownRules, "there are no valid rules at `\(path.value)`", at: path.range,
            label: "looked for beside this file",
            help: ["`poprules validate` says what is wrong with rules"])
    }
}
