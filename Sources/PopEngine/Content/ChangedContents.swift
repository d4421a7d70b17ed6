internal import PopScheduler

/// What popups on a screen say by now, where the app has changed it.
struct ChangedContents: Sendable {
    private struct Change {
        var popup: Popup
        /// Whether the presenter has yet to hear of it.
        var waits: Bool
    }

    private var changes: [PresentationID: Change] = [:]

    var isEmpty: Bool { changes.isEmpty }

    subscript(id: PresentationID) -> Popup? { changes[id]?.popup }

    /// Whether nobody is on the way to the presenter yet. One who is takes the newest along.
    mutating func set(_ popup: Popup) -> Bool {
        let waits = changes[popup.presentation]?.waits == true
        changes[popup.presentation] = Change(popup: popup, waits: true)
        return !waits
    }

    /// The newest, unless the presenter has it or the popup goes.
    mutating func take(_ id: PresentationID) -> Popup? {
        guard let change = changes[id], change.waits else { return nil }
        changes[id]?.waits = false
        return change.popup
    }

    /// What goes off the screen is changed no more.
    mutating func drop(after effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .dismiss(let id): changes[id] = nil
            case .emit(let event):
                guard event.ending != nil, let task = event.task else { continue }
                changes = changes.filter { $0.key.task != task }
            case .askWillShow, .present, .record: continue
            }
        }
    }
}
