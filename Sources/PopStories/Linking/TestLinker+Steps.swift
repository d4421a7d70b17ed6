internal import PopCEL
internal import PopReports
internal import PopRuleFiles
internal import PopScenario
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension TestLinker {
    mutating func step(_ step: TestStep) -> RunnableStep {
        checkOrder(of: step)
        return RunnableStep(
            range: step.range, after: step.after?.value ?? .zero,
            actions: step.actions.flatMap { actions($0) },
            expectations: step.expect.map { expectations($0.value) } ?? [])
    }

    /// Reports keys in a misleading order: time passes first and expectations are compared last,
    /// wherever the keys are.
    private mutating func checkOrder(of step: TestStep) {
        let ranges = step.actions.map(\.range).filter { step.range.contains($0) }
        let starts = ranges.map(\.lower)
        if let after = step.after?.range, step.range.contains(after), let first = starts.min(),
            first < after.lower
        {
            decoder.report(.afterBehind(at: after))
        }
        if let expect = step.expect?.range, step.range.contains(expect), let last = starts.max(),
            expect.lower < last
        {
            decoder.report(.expectBefore(at: expect))
        }
    }

    private mutating func actions(_ action: Located<TestAction>) -> [RunnableAction] {
        checkSuspension(action)
        let actions = actions(of: action.value)
        if actions.isEmpty, action.value.isEmpty { decoder.report(.nothingNamed(at: action.range)) }
        return actions
    }

    private mutating func actions(of action: TestAction) -> [RunnableAction] {
        switch action {
        case .close(let ids): popups(ids, verb: "close") { .event(.userClosed($0)) }
        case .act(let acts): acts.compactMap { act($0) }
        case .dismiss(let ids): popups(ids, verb: "dismiss") { .event(.dismiss($0)) }
        case .remove(let ids): popups(ids, verb: "remove") { .event(.remove($0)) }
        case .enqueue(let ids): popups(ids, verb: "enqueue") { .event(.enqueue($0)) }
        case .force(let ids): popups(ids, verb: "force") { .event(.force($0)) }
        case .veto(let ids): popups(ids, verb: "veto") { .fault(.veto, popup: $0) }
        case .fail(let ids): popups(ids, verb: "fail") { .fault(.fail, popup: $0) }
        case .hang(let ids): popups(ids, verb: "hang") { .fault(.hang, popup: $0) }
        case .hangDismissal(let ids):
            popups(ids, verb: "hang dismissal of") { .fault(.hangDismissal, popup: $0) }
        case .postpone(let times): postpone(times)
        case .send(let events): events.compactMap { send($0.name, payload: $0.payload) }
        case .set(let node): set(node)
        case .unset(let keys): unset(keys)
        case .removeAll: [RunnableAction(action: .event(.removeAll), text: "remove all")]
        case .suspend(let step):
            suspension(step, verb: "suspend") { .suspend(by: $0.owner, scheduler: $0.scheduler) }
        case .resume(let step):
            suspension(step, verb: "resume") { .resume(by: $0.owner, scheduler: $0.scheduler) }
        case .background:
            [RunnableAction(action: .event(.background), text: "background")]
        case .foreground:
            [RunnableAction(action: .event(.foreground), text: "foreground")]
        case .beginSession:
            [RunnableAction(action: .event(.beginSession), text: "begin session")]
        case .poke: [RunnableAction(action: .event(.poke), text: "poke")]
        case .restart: [RunnableAction(action: .restart, text: "restart")]
        case .switchUser(let step): switchUser(step).map { [$0] } ?? []
        case .forget(let user): forget(user)
        case .reset(let ids): popups(ids, verb: "reset") { .event(.forgetPopup($0)) }
        case .disappear(let ids):
            popups(ids, verb: "disappear") { .event(.didDisappear($0)) }
        case .putInArms(let arms): putInArms(arms)
        case .setZone(let zone):
            [RunnableAction(action: .event(.zoneChanged(zone)), text: "set zone \(zone)")]
        case .reload(let path): reload(path).map { [$0] } ?? []
        }
    }

    /// Reports a resume without a matching suspension by the same owner on the same scheduler.
    private mutating func checkSuspension(_ action: Located<TestAction>) {
        switch action.value {
        case .suspend(let step): suspended.append(Suspension(step))
        case .restart:
            suspended = []
            isAway = false
        case .background, .foreground:
            let goesAway = if case .background = action.value { true } else { false }
            if goesAway == isAway { decoder.report(.isThereAlready(action, isAway: isAway)) }
            isAway = goesAway
        case .resume(let step):
            let wanted = Suspension(step)
            if !suspended.contains(wanted) {
                decoder.report(.notSuspended(suspended, at: action.range))
            }
            suspended.removeAll { $0 == wanted }
        case .close, .act, .dismiss, .remove, .enqueue, .force, .send, .set, .unset, .removeAll,
            .poke, .beginSession, .switchUser, .forget, .reset, .disappear, .putInArms, .setZone,
            .reload, .veto, .fail, .hang, .hangDismissal, .postpone:
            break
        }
    }

    private mutating func suspension(
        _ step: SuspensionStep, verb: String, event: (Suspension) -> Event
    ) -> [RunnableAction] {
        if let scheduler = step.scheduler, !check(scheduler: scheduler) { return [] }
        let suspension = Suspension(step)
        let words = [
            suspension.scheduler, suspension.owner.map { "by \(escapedForTerminal($0))" },
        ]
        return [
            RunnableAction(
                action: .event(event(suspension)),
                text: ([verb] + words.compactMap { $0 }).joined(separator: " "))
        ]
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
        _ ids: [Located<String>], verb: String, action: (String) -> RunnableAction.Action
    ) -> [RunnableAction] {
        ids.filter { check(popup: $0) }.map {
            RunnableAction(
                action: action($0.value), text: "\(verb) \($0.value)", range: $0.range)
        }
    }

    private mutating func act(_ step: ActStep) -> RunnableAction? {
        guard check(popup: step.popup), let action = step.action,
            check(action: action, of: step.popup.value)
        else { return nil }
        let (id, stays) = (step.popup.value, step.stays?.value ?? false)
        return RunnableAction(
            action: .event(.acted(id, action: action.value, stays: stays)),
            text: "act \(id) \(action.value)" + (stays ? ", the popup stays" : ""),
            range: step.popup.range)
    }

    private mutating func postpone(_ times: YAMLNode) -> [RunnableAction] {
        times.entries.compactMap { entry in
            guard let id = name(entry.key), check(popup: id) else { return nil }
            let time = decoder.inside(key: entry.key) { $0.read(.duration(), at: entry.value) }
            return time.map {
                RunnableAction(
                    action: .fault(.postpone($0.value), popup: id.value),
                    text: "postpone \(id.value) by \(timeText($0.value))", range: id.range)
            }
        }
    }

    private mutating func set(_ node: YAMLNode) -> [RunnableAction] {
        if node.entries.isEmpty { return [] }
        let values = contextValues(node)
        let written = node.entries.map { self.text(of: $0, " = ") }
        return [
            RunnableAction(
                action: .event(.update(values)), text: "set \(written.joined(separator: ", "))")
        ]
    }

    /// Returns an entry on one line, as the file writes it.
    func text(of entry: YAMLEntry, _ sign: String) -> String {
        let text = [entry.key, entry.value].map { decoder.source.text(in: $0.range) }
            .joined(separator: sign)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func unset(_ keys: [Located<String>]) -> [RunnableAction] {
        if keys.isEmpty { return [] }
        let names = keys.filter { check(key: $0) }.map(\.value)
        return [
            RunnableAction(
                action: .event(.update([:], unset: names)),
                text: "unset \(names.joined(separator: ", "))")
        ]
    }
}

extension Suspension {
    fileprivate init(_ step: SuspensionStep) {
        self.init(by: step.owner?.value, scheduler: step.scheduler?.value)
    }

    /// The suspension as a step writes it.
    fileprivate var written: String {
        let keys = [owner.map { "owner: \($0)" }, scheduler.map { "scheduler: \($0)" }]
            .compactMap(\.self)
        return keys.isEmpty ? "true" : "{ \(keys.joined(separator: ", ")) }"
    }
}

extension Diagnostic {
    /// The app is already in the place that it moves to.
    fileprivate static func isThereAlready(_ action: Located<TestAction>, isAway: Bool) -> Self {
        let place = isAway ? "in the background" : "in the foreground"
        return Diagnostic(
            .testNoEffect, message: "the app is already \(place)", at: action.range,
            label: "changes nothing",
            help: isAway
                ? ["use `foreground: true` to bring the app back"]
                : ["use `background: true` before this: a test starts in the foreground"])
    }

    fileprivate static func notSuspended(
        _ suspended: [Suspension], at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .testNoEffect, message: "there is no suspension that `resume` can end", at: range,
            label: "without effect",
            help: suspended.isEmpty
                ? ["add `suspend` with the same value to an earlier step, or remove `resume`"]
                : ["write `resume: \(suspended[0].written)` to resume what is suspended here"])
        diagnostic.level = .warning
        return diagnostic
    }

    fileprivate static func cannotReload(_ path: Located<String>) -> Self {
        Diagnostic(
            .testUnknownRules, message: "there are no valid rules at `\(path.value)`",
            at: path.range,
            label: "relative to this file",
            help: ["check the path, or run `poprules validate` to find the errors in the rules"])
    }

    fileprivate static func nothingNamed(at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect, message: "an action with an empty value does nothing", at: range,
            label: "empty", help: ["write a name after the key, or remove the key"])
    }

    fileprivate static func afterBehind(at range: SourceRange) -> Self {
        Diagnostic(
            .testOrder, message: "`after` takes effect before everything else in the step",
            at: range,
            label: "written after things that happen later",
            help: [
                "if the time passes first, move `after` to the top of the step",
                "if the time passes later, move `after` and its `expect` to a new step",
            ])
    }

    fileprivate static func expectBefore(at range: SourceRange) -> Self {
        Diagnostic(
            .testOrder,
            message: "`expect` is checked after everything else in the step",
            at: range, label: "written before things that happen earlier",
            help: [
                "if `expect` is about the end of the step, move `expect` to the end",
                "if `expect` is about the state before, move `expect` to a new step above this one",
            ])
    }
}

extension TestAction {
    /// True if it lists nothing that it could be applied to.
    fileprivate var isEmpty: Bool {
        switch self {
        case .close(let ids), .dismiss(let ids), .remove(let ids), .enqueue(let ids),
            .force(let ids), .reset(let ids), .disappear(let ids), .veto(let ids),
            .fail(let ids), .hang(let ids), .hangDismissal(let ids), .unset(let ids):
            ids.isEmpty
        case .send(let events): events.isEmpty
        case .act(let acts): acts.isEmpty
        case .set(let node), .postpone(let node), .putInArms(let node): node.entries.isEmpty
        case .removeAll, .suspend, .resume, .background, .foreground, .beginSession, .poke,
            .restart, .switchUser, .forget, .setZone, .reload:
            false
        }
    }
}

extension SourceRange {
    /// Returns true if another range is inside this one; the target of an alias isn't.
    fileprivate func contains(_ other: SourceRange) -> Bool {
        file == other.file && lower <= other.lower && other.upper <= upper
    }
}
