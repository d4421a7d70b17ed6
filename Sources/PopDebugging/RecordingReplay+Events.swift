internal import PopCEL
internal import PopEngine
internal import PopExplanations
internal import PopScenario
internal import PopScheduler
internal import PopSource

extension RecordingReplay {
    /// Writes an input as a step, or as a comment. Returns the index of the step.
    mutating func say(_ event: Event, isRefused: Bool, before: Scheduler) -> Int {
        if isRefused { return remark("refused: \(event.short)") }
        // Calls before the start wait for it; a test can't contain anything before the start.
        let isEarly = !hasBegun
        switch event {
        case .update(let values, let unset):
            return isEarly ? -1 : sayChanges(values, unset: unset)
        case .zoneChanged(let zone):
            return isEarly ? -1 : add(["set_zone: \(JSON.string(zone).compact)"])
        case .forceArm(let popup, let arm):
            let name = arm ?? "that is assigned"
            guard !isEarly else { return -1 }
            guard let arm, arms(of: popup).contains(arm) else {
                return remark("\(popup) was put into the arm \(name)")
            }
            return add(["arm: \(YAMLText.map([(YAMLText.name(popup), YAMLText.name(arm))]))"])
        case .started, .timePassed, .answered, .didPresent, .presentFailed, .didDismiss: return -1
        case .resume(Suspension.untilStart.owner, nil): return max(steps.last, 0)
        case .send, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss, .remove, .removeAll,
            .suspend, .resume, .switchUser, .forget, .forgetPopup, .historyChanged, .reload,
            .beginSession, .background, .foreground, .poke, .userClosed, .acted, .didDisappear:
            break
        }
        if isEarly { return remark("before the start: \(event.short)") }
        return sayCall(event, before: before)
    }

    /// Writes a content change as a comment: it has no effect on what shows.
    mutating func sayContent(of popup: String, _ fields: [String: Value]) {
        let written = fields.sorted { $0.key < $1.key }
            .map { (YAMLText.name($0.key), $0.value.yaml) }
        _ = remark("the app set the content of \(popup) to \(YAMLText.map(written))")
    }

    private mutating func sayChanges(_ values: [String: Value], unset: [String]) -> Int {
        let keys = changes(values, unset: unset)
        return keys.isEmpty ? remark("nothing was set") : add(keys)
    }

    private func changes(_ values: [String: Value], unset: [String]) -> [String] {
        let known = rulesNow.keys.map(\.name)
        let set = values.filter { known.contains($0.key) }.sorted { $0.key < $1.key }
        let gone = unset.filter { known.contains($0) && values[$0] == nil }
        let written = YAMLText.map(set.map { (YAMLText.name($0.key), $0.value.yaml) })
        return (set.isEmpty ? [] : ["set: \(written)"])
            + (gone.isEmpty
                ? [] : ["unset: [\(gone.map(YAMLText.name).joined(separator: ", "))]"])
    }

    private var rulesNow: RuleSet { scheduler.rules }

    private mutating func sayCall(_ event: Event, before: Scheduler) -> Int {
        switch event {
        case .send(let name, let payload):
            // A test sends what the app sent, be it too little for a trigger.
            let remark =
                lacksFields(name, payload)
                ? "  # poprules:ignore[P0914] the app sent it this way" : ""
            return add(["send: \(sending(name, payload))\(remark)"])
        case .enqueue(let id): return say("enqueue", id)
        case .force(let id): return say("force", id)
        case .dismiss(let id), .remove(let id):
            if before.isAbsent(id) { return remark("\(event.short): it neither showed nor waited") }
            if case .remove = event { return say("remove", id) }
            return say("dismiss", id)
        case .removeAll: return add(["remove_all: true"])
        case .suspend(let owner, let scheduler):
            return add(["suspend: \(Suspension(by: owner, scheduler: scheduler).written)"])
        case .resume(let owner, let scheduler):
            let suspension = Suspension(by: owner, scheduler: scheduler)
            guard before.suspensions.contains(suspension) else {
                return remark("resumed without a suspension")
            }
            return add(["resume: \(suspension.written)"])
        case .background, .foreground: return sayMove(event, before: before)
        case .beginSession: return add(["begin_session: true"])
        case .poke: return add(["poke: true"])
        case .userClosed(let id):
            guard before.isOnScreen(id) else { return remark("\(event.short): it did not show") }
            return say("close", id)
        case .acted(let id, let action, let stays):
            guard before.isOnScreen(id) else { return remark("\(event.short): it did not show") }
            let act =
                stays ? "{ action: \(YAMLText.name(action)), stay: true }" : YAMLText.name(action)
            return add(["act: \(YAMLText.map([(YAMLText.name(id), act)]))"])
        case .didDisappear(let id):
            guard before.isOnScreen(id) else { return remark("\(event.short): it did not show") }
            return say("disappear", id)
        case .forgetPopup(let id): return say("reset", id)
        case .forget(let user):
            knownUsers.insert(user)
            return add(["forget: \(JSON.string(user).compact)"])
        case .switchUser(let user, let history, let context):
            return saySwitch(to: user, history, context: context)
        case .started, .update, .zoneChanged, .forceArm, .enqueueForeign, .setForeign,
            .historyChanged, .reload, .timePassed, .answered, .didPresent, .presentFailed,
            .didDismiss:
            return remark("a test cannot express this: \(event.short)")
        }
    }

    private mutating func say(_ key: String, _ popup: String) -> Int {
        // Tests don't know hand-made popups.
        guard rulesNow.popups.contains(where: { $0.id == popup }) else {
            return remark("a test cannot express this: \(key) \(popup)")
        }
        return add(["\(key): \(YAMLText.name(popup))"])
    }

    /// The fields that the rules declare; a test knows no others.
    /// Returns true if a trigger reads a field that the event came without.
    private func lacksFields(_ name: String, _ payload: [String: Value]) -> Bool {
        rulesNow.popups.contains { popup in
            popup.eventConditions.contains { event, condition in
                let fields = rulesNow.events[event].fields
                return rulesNow.events[event].name == name
                    && condition.program.slots.contains { slot in
                        guard case .payloadField(event, let field) = rulesNow.slots[slot] else {
                            return false
                        }
                        return payload[fields[field].name] == nil
                    }
            }
        }
    }

    private func sending(_ name: String, _ payload: [String: Value]) -> String {
        let declared = rulesNow.events.first { $0.name == name }?.fields.map(\.name) ?? []
        let fields = payload.filter { declared.contains($0.key) }.sorted { $0.key < $1.key }
        let event = YAMLText.name(name)
        if fields.isEmpty { return event }
        let map = YAMLText.map(fields.map { (YAMLText.name($0.key), $0.value.yaml) })
        return YAMLText.map([(event, map)])
    }

    private mutating func sayMove(_ event: Event, before: Scheduler) -> Int {
        let goes = if case .background = event { true } else { false }
        guard before.isInBackground != goes else {
            return remark(
                "\(event.short): it was already there")
        }
        return add([goes ? "background: true" : "foreground: true"])
    }

    private mutating func saySwitch(
        to user: String, _ history: History, context: [String: Value]?
    ) -> Int {
        var keys = ["user: \(JSON.string(user).compact)"]
        if let context {
            let known = context.filter { rulesNow.keys.map(\.name).contains($0.key) }
                .sorted { $0.key < $1.key }.map { (YAMLText.name($0.key), $0.value.yaml) }
            keys.append("context: \(YAMLText.map(known))")
        }
        let past = knownUsers.insert(user).inserted ? RecordedHistory(history, of: rulesNow) : nil
        if let entries = past?.entries, !entries.isEmpty {
            keys.append("history: \(YAMLText.braced(entries))")
        }
        let name = JSON.string(user).compact
        let step = add(["switch_user: \(keys.count > 1 ? YAMLText.braced(keys) : name)"])
        for remark in past?.remarks ?? [] { steps.remark(remark, on: step) }
        return step
    }

    private func arms(of popup: String) -> [String] {
        let experiment = rulesNow.popups.first { $0.id == popup }?.experiment
        return experiment?.armsOfUsers ?? []
    }
}

extension Event {
    /// A short description, on one line of a comment.
    var short: String {
        switch self {
        case .enqueueForeign(let popup, _): "the hand-made popup \(popup.id)"
        case .setForeign(let id, let isTrue): "the condition of \(id) became \(isTrue)"
        case .reload(let rules, _): "reload, of rules with \(rules.popups.count) popups"
        case .historyChanged: "the history changed from outside"
        case .forget(let user): "the user \(user) was forgotten"
        case .forgetPopup(let id): "the history of \(id) was erased"
        case .send(let name, _): "send \(name)"
        case .update(let values, let unset):
            "set " + (Array(values.keys) + unset).sorted().joined(separator: ", ")
        case .enqueue(let id): "enqueue \(id)"
        case .force(let id): "force \(id)"
        case .dismiss(let id): "dismiss \(id)"
        case .remove(let id): "remove \(id)"
        case .userClosed(let id): "close \(id)"
        case .acted(let id, let action, _): "act \(id) \(action)"
        case .didDisappear(let id): "\(id) disappeared"
        case .suspend(let owner, let scheduler):
            "suspend \(Suspension(by: owner, scheduler: scheduler).written)"
        case .resume(let owner, let scheduler):
            "resume \(Suspension(by: owner, scheduler: scheduler).written)"
        case .switchUser(let user, _, _): "switch user \(user)"
        case .zoneChanged(let zone): "the zone \(zone)"
        case .forceArm(let popup, _): "an arm of \(popup)"
        case .background: "background"
        case .foreground: "foreground"
        case .beginSession: "begin session"
        case .removeAll: "remove all"
        case .started: "start"
        case .poke, .timePassed, .answered, .didPresent, .presentFailed, .didDismiss: "time passed"
        }
    }
}
