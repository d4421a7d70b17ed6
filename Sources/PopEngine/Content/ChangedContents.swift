internal import PopScheduler

/// The current contents of popups on a screen, for those that the app has changed.
struct ChangedContents: Sendable {
    private struct Change {
        var popup: Popup
        /// Indicates whether the presenter hasn't received the content yet.
        var waits: Bool
    }

    private var changes: [PresentationID: Change] = [:]

    var isEmpty: Bool { changes.isEmpty }

    subscript(id: PresentationID) -> Popup? { changes[id]?.popup }

    /// Stores a changed content. Returns true if no earlier change is on its way to the presenter.
    /// If one is, it delivers the newest content.
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

    /// Drops the contents of popups that leave the screen, because they aren't changed any more.
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
