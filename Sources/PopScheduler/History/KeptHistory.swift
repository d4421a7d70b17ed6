internal import PopCEL

/// The history as the scheduler keeps it: what is recorded at every impression is found by the popup's index.
struct KeptHistory: Sendable {
    /// What is kept about one popup.
    struct Popup: Sendable {
        private var known: History.Popup?
        /// An impression that is not added to what is known: the first, since most popups are shown once and then need no
        /// list of dates.
        private var first: Timestamp?
        /// Its impressions since the session began.
        var inSession = 0
    }

    var popups: PopupRecords<Popup>
    private(set) var events: [String: History.SentEvent]
    private(set) var occurrences: [String: Int]

    /// `session` has the impressions of this session by popup id; `index` gives the places of ids, of which the first
    /// `count` are those of the rules.
    init(_ history: History, _ session: [String: Int] = [:], count: Int, index: [String: Int]) {
        func place(_ id: String) -> Int? { index[id].flatMap { $0 < count ? $0 : nil } }
        popups = PopupRecords(count: count)
        for (id, past) in history.popups {
            popups.change(id, at: place(id), from: Popup()) { $0.past = past }
        }
        for (id, number) in session {
            popups.change(id, at: place(id), from: Popup()) { $0.inSession = number }
        }
        events = history.events
        occurrences = history.occurrences
    }

    /// The past of a popup of the rules; nil when it has none, and for other popups.
    subscript(popup: Int) -> History.Popup? { popups[popup]?.past }

    /// How often a popup of the rules was shown since the session began.
    func shownInSession(_ popup: Int) -> Int { popups[popup]?.inSession ?? 0 }

    /// Given the rules' popups. Linear in them.
    func history(_ rules: [PopupRule]) -> History {
        var history = History()
        history.popups = popups.byID(rules).compactMapValues(\.past)
        history.events = events
        history.occurrences = occurrences
        return history
    }

    /// The impressions of this session by popup id, given the rules' popups. Linear in them.
    func session(_ rules: [PopupRule]) -> [String: Int] {
        popups.byID(rules).mapValues(\.inSession).filter { $0.value != 0 }
    }

    /// As `History.apply`; `popup` is the index of the one that the record is about, nil when the rules do not have it.
    mutating func apply(
        _ record: HistoryRecord, at popup: Int?, keepingPerPopup popupDates: Int,
        perEvent eventDates: Int
    ) {
        switch record {
        case .impression(let id, _), .dismissal(let id, _, _), .impressionTakenBack(let id, _):
            popups.change(id, at: popup, from: Popup()) { $0.apply(record, keeping: popupDates) }
        case .event(let name, let date):
            events[name, default: History.SentEvent()].add(date, keeping: eventDates)
        case .occurrence(let trigger, let count): occurrences[trigger] = count
        }
    }
}

extension KeptHistory.Popup {
    /// Nil when it has no history; `inSession` may come from elsewhere.
    var past: History.Popup? {
        get {
            guard let first else { return known }
            var past = known ?? History.Popup()
            past.add(first)
            return past
        }
        set { (known, first) = (newValue, nil) }
    }

    fileprivate mutating func apply(_ record: HistoryRecord, keeping kept: Int) {
        switch record {
        case .impression(_, let date):
            inSession += 1
            if first == nil, known?.impressions.isEmpty ?? true { return first = date }
            past = past
            known?.add(date, keeping: kept)
        case .impressionTakenBack:
            inSession -= 1
            past = past
            known?.apply(record, keeping: kept)
        case .dismissal:
            if known == nil { known = History.Popup() }
            known?.apply(record, keeping: kept)
        case .event, .occurrence: break
        }
    }
}
