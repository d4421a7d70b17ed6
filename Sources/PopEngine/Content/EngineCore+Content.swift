internal import PopCEL
internal import PopScheduler
internal import PopSource

extension EngineCore {
    /// Changes the content of a popup on a screen: all of the fields, or none if one doesn't fit.
    func change(
        _ id: String, by values: [String: Value], at moment: Moment, state: inout State
    ) -> CallOutcome {
        guard let presentation = state.scheduler.presentation(onScreen: id) else {
            guard state.scheduler.knows(id) else {
                return refuse([.unknownPopup(id)], at: moment, state: &state)
            }
            remark([.notOnScreen(id)], state: &state)
            return CallOutcome.taken.with([.notOnScreen(id)])
        }
        let popup = state.contents[presentation.id] ?? Popup(presentation)
        var changed = ContentChange(of: popup, valueDepth: limits.valueDepth)
        for (field, value) in values.ordered(by: { $0.key < $1.key }) {
            changed.set(field, to: value)
        }
        guard changed.rejections.isEmpty else {
            return refuse(changed.rejections, at: moment, state: &state)
        }
        record(.content(popup: id, values), at: moment, state: &state)
        if state.contents.set(popup.saying(.map(changed.content))) {
            put(.updateContent(presentation.id), state: &state)
        }
        return .taken
    }

    private func refuse(
        _ rejections: [Rejection], at moment: Moment, state: inout State
    ) -> CallOutcome {
        for rejection in rejections {
            put(.tell(.scheduler(.rejected(rejection)), moment), state: &state)
        }
        return .refused(rejections)
    }

    /// Returns the content that the presenter shows in place of its current one; nil if it is too
    /// late.
    func takeContent(_ id: PresentationID) -> Popup? { state.withLock { $0.contents.take(id) } }
}

/// New values for fields of a content, each of the type that the field has.
private struct ContentChange {
    let popup: String
    let valueDepth: Int
    var content = ValueMap()
    var rejections: [Rejection] = []

    init(of popup: Popup, valueDepth: Int) {
        self.popup = popup.id
        self.valueDepth = valueDepth
        if case .map(let content) = popup.resolvedContent { self.content = content }
    }

    mutating func set(_ field: String, to value: Value) {
        guard let current = content[.string(field)] else {
            let names = content.keys.compactMap { String($0) }
            let similar = similarNames(to: field, among: names)
            let hint =
                similar.isEmpty
                ? "" : "; did you mean \(alternatives(similar))?"
            return refuse(field, "the content has no such field" + hint)
        }
        guard !value.isDeeper(than: valueDepth) else {
            return refuse(field, ContextState.tooDeep(valueDepth))
        }
        let type: CELType = current == .null ? .dyn : current.type
        guard let fitting = value.fitting(type) else {
            return refuse(field, "expected \(type), found \(value.type)")
        }
        content[.string(field)] = fitting
    }

    private mutating func refuse(_ field: String, _ message: String) {
        rejections.append(.badContent(popup: popup, field: field, message: message))
    }
}
