internal import PopCEL
internal import PopScheduler
internal import PopSource

extension EngineCore {
    func send(_ name: String, payload: [String: Value]) -> CallOutcome {
        let tooDeep = payload.filter { $0.value.isDeeper(than: limits.valueDepth) }.keys.ordered()
        guard tooDeep.isEmpty else { return refuse(tooDeep, of: name) }
        let remarks = state.withLock { state in
            let remarks = state.payloads.remarks(on: payload, of: name)
            remark(remarks, state: &state)
            return remarks
        }
        return handle(.send(name, payload: payload)).with(remarks)
    }

    private func refuse(_ fields: [String], of event: String) -> CallOutcome {
        let message = ContextState.tooDeep(limits.valueDepth)
        let rejections = fields.map {
            Rejection.badPayload(event: event, field: $0, message: message)
        }
        refuse(rejections)
        return .refused(rejections)
    }

    /// Reports each remark once.
    func remark(_ remarks: [CallRemark], state: inout State) {
        for remark in remarks where state.reported.count < limits.remarks {
            guard state.reported.insert(remark).inserted else { continue }
            put(.tell(.remark(remark), clock.now), state: &state)
        }
    }
}

/// The fields of the payloads that rules declare, by event.
struct PayloadTable {
    private let fields: [String: [String]]

    init(_ rules: RuleSet) {
        fields = Dictionary(rules.events.map { ($0.name, $0.fields.map(\.name)) }) { first, _ in
            first
        }
    }

    /// Returns remarks on the payload of an event: undeclared fields, and declared fields that are
    /// missing.
    func remarks(on payload: [String: Value], of event: String) -> [CallRemark] {
        guard let declared = fields[event] else { return [] }
        let present = declared.count { payload[$0] != nil }
        guard present < declared.count || present < payload.count else { return [] }
        let unknown = payload.keys.filter { !declared.contains($0) }.ordered()
        return unknown.map { field in
            .unknownField(
                field, event: event, similar: similarNames(to: field, among: declared))
        }
            + declared.filter { payload[$0] == nil }
            .map { .missingField($0, event: event) }
    }
}

// MARK: Foreign popups

extension EngineCore {
    func enqueue(
        _ popup: ForeignPopup, condition: ForeignCondition, isTrue: Bool, follower: Follower?,
        at moment: Moment, state: inout State
    ) -> [Effect] {
        let effects = enqueue(
            .enqueueForeign(popup, isTrue: isTrue), follower: follower, at: moment, state: &state)
        let isRefused = effects.contains { effect in
            if case .emit(.rejected) = effect { true } else { false }
        }
        if !isRefused, state.scheduler.isHandMade(popup.id) {
            state.foreign.add(popup.id, condition: condition, isTrue: isTrue)
        }
        return effects
    }

    /// Has the conditions of hand-made popups asked again.
    func askForeign() {
        state.withLock { if !$0.foreign.isEmpty { put(.askForeign, state: &$0) } }
    }

    var foreignConditions: [ForeignConditions.Entry] { state.withLock { $0.foreign.all } }

    func foreignCondition(of id: String) -> ForeignConditions.Entry? {
        state.withLock { $0.foreign[id] }
    }

    /// Returns the result of a foreign popup's condition right before it shows: it may have changed
    /// since the last evaluation.
    func holds(_ isTrue: Bool, _ entry: ForeignConditions.Entry, of popup: Popup) -> Bool {
        setForeign(entry, isTrue: isTrue)
        // One that has just become false waits again, for that.
        if !isTrue { handle(.answered(popup.presentation, .postpone(.zero))) }
        return isTrue
    }

    func setForeign(_ entry: ForeignConditions.Entry, isTrue: Bool) {
        handle(.setForeign(entry, isTrue: isTrue))
    }
}
