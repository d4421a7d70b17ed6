internal import PopCEL

/// The history as the scheduler keeps it: what is recorded at every impression is found by the popup's index.
struct KeptHistory: Sendable {
    var popups: PopupRecords<History.Popup>
    private(set) var events: [String: History.SentEvent]
    private(set) var occurrences: [String: Int]

    /// `index` gives the places of ids among the `count` popups of the rules.
    init(_ history: History, count: Int, index: [String: Int]) {
        popups = PopupRecords(history.popups, count: count, index: index)
        events = history.events
        occurrences = history.occurrences
    }

    /// Given the rules' popups. Linear in them.
    func history(_ rules: [PopupRule]) -> History {
        var history = History()
        history.popups = popups.byID(rules)
        history.events = events
        history.occurrences = occurrences
        return history
    }

    /// As `History.apply`; `popup` is the index of the one that the record is about, nil when the rules do not have it.
    mutating func apply(
        _ record: HistoryRecord, at popup: Int?, keepingPerPopup popupDates: Int,
        perEvent eventDates: Int
    ) {
        switch record {
        case .impression(let id, _), .dismissal(let id, _, _):
            popups.change(id, at: popup, from: History.Popup()) {
                $0.apply(record, keeping: popupDates)
            }
        case .impressionTakenBack(let id, _):
            guard popups[id, at: popup] != nil else { return }
            popups.change(id, at: popup, from: History.Popup()) {
                $0.apply(record, keeping: popupDates)
            }
        case .event(let name, let date):
            events[name, default: History.SentEvent()].add(date, keeping: eventDates)
        case .occurrence(let trigger, let count): occurrences[trigger] = count
        }
    }
}
