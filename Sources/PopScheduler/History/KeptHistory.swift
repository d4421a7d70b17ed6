internal import PopCEL
internal import PopSource

/// The history as the scheduler keeps it: what is recorded at every impression is found by the
/// popup's index, without hashing an id, and needs no memory of its own.
struct KeptHistory: Sendable {
    /// What is kept about one popup, as far as most need it.
    private struct Row: Sendable {
        /// An impression that is not added to what is known: the first, since most popups are shown
        /// once and then need no list of dates.
        var first: Timestamp?
        /// Its impressions since the session began.
        var inSession: Int32 = 0
        /// Where what else is known stands, -1 when nothing is.
        var known: Int32 = -1
    }

    /// By the popup's index; behind those of the rules stand others, so that what is known of them
    /// outlives a reload.
    private var rows: [Row]
    /// How many popups the rules have.
    private let count: Int
    private var known: [History.Popup] = []
    /// A place that is kept for what is about to be visible.
    private struct Reservation: Sendable {
        let row: Int
        let date: Timestamp
        /// Whether its task was exposed, which is what the popup's own caps count then.
        var isExposed: Bool
    }

    /// What is about to be visible: one for each screen at most. Those of `known` are left behind
    /// for ever.
    private var reserved: [Reservation] = []
    /// By row, how many exposures of this session made no impression.
    private var unseenInSession: [Int: Int] = [:]
    /// The rows of popups that the rules do not have, by id.
    private var strangers: [String: Int] = [:]
    private(set) var sessions: History.Sessions
    private(set) var events: [String: History.SentEvent]
    private(set) var occurrences: [String: Int]
    private(set) var values: ValueCounts

    /// `place` gives the places of ids among the first `count` popups: those of the rules.
    init(
        _ history: History, session: SessionCounts = SessionCounts(), count: Int,
        place: (String) -> PopupIndex?
    ) {
        self.count = count
        rows = Array(repeating: Row(), count: count)
        sessions = history.sessions
        events = history.events
        occurrences = history.occurrences
        values = history.values
        for (id, past) in history.popups {
            let row = makeRow(id, at: place(id))
            rows[row].known = Int32(known.count)
            known.append(past)
        }
        for (id, number) in session.shown {
            rows[makeRow(id, at: place(id))].inSession = Int32(clamping: number)
        }
        for (id, number) in session.unseen { unseenInSession[makeRow(id, at: place(id))] = number }
    }

    /// The past of a popup of the rules; nil when it has none, and for other popups.
    subscript(popup: PopupIndex) -> History.Popup? {
        popup.number < count ? past(popup.number) : nil
    }

    /// The past of any popup; `index` is nil for one that is not of the rules.
    subscript(id: String, at popup: PopupIndex?) -> History.Popup? {
        (popup?.number ?? strangers[id]).flatMap(past)
    }

    /// What a popup's own caps count: exposures, and the impressions of tasks that made none.
    func counted(_ popup: PopupIndex) -> CappedDates {
        let places =
            reserved.isEmpty ? 0 : reserved.count { $0.row == popup.number && !$0.isExposed }
        var dates = known(popup.number)?.countedDates ?? []
        if let first = rows[popup.number].first { dates.insertSorted(first) }
        let unseen = unseenInSession.isEmpty ? 0 : unseenInSession[popup.number] ?? 0
        return CappedDates(
            dates, reserved: places, inSession: Int(rows[popup.number].inSession) + unseen)
    }

    /// The dates at which a popup of the rules was shown, for the caps that it shares.
    func datesShown(_ popup: PopupIndex) -> [Timestamp] {
        let past = known(popup.number)
        var dates = past?.impressions ?? []
        if let first = rows[popup.number].first { dates.insertSorted(first) }
        for date in past?.reservations ?? [] { dates.insertSorted(date) }
        return dates
    }

    /// How many lifetimes of a popup of the rules are used up.
    func countedEver(_ popup: PopupIndex) -> Int { past(popup.number)?.countedEver ?? 0 }

    /// Whether a popup of the rules was ever shown, or ended in control in place of that; a
    /// reservation left behind means that it may have been.
    func wasShown(_ popup: PopupIndex) -> Bool {
        if rows[popup.number].first != nil { return true }
        guard let past = known(popup.number) else { return false }
        return past.shownCount > 0 || !past.reservations.isEmpty
            || !past.isNeverExposed && past.exposures.controlCount > 0
    }

    /// When a popup of the rules was last gone from a screen; what is about to show is not counted.
    func lastGone(_ popup: PopupIndex) -> Timestamp? {
        let gone = known(popup.number)?.lastGone
        guard let first = rows[popup.number].first else { return gone }
        return max(gone ?? first, first)
    }

    /// What people did with a popup of the rules.
    func actions(_ popup: PopupIndex) -> [String: History.Action] {
        known(popup.number)?.actions ?? [:]
    }

    /// The same of one action.
    func action(_ name: String, of popup: PopupIndex) -> History.Action? {
        known(popup.number)?.action(name)
    }

    /// How often people closed or refused a popup of the rules.
    func closedCount(_ popup: PopupIndex) -> Int { known(popup.number)?.closedCount ?? 0 }

    /// How often the user came to a goal of a popup of the rules.
    func goal(_ name: String, of popup: PopupIndex) -> History.Goal? {
        known(popup.number)?.goals[name]
    }

    /// How often a popup of the rules was shown since the session began.
    func shownInSession(_ popup: PopupIndex) -> Int {
        popup.number < count ? Int(rows[popup.number].inSession) : 0
    }

    /// The dates of what popups showed that the rules do not have; reservations that a dead process
    /// left behind are among them.
    var datesOfStrangers: [Timestamp] {
        strangers.values.flatMap { row in
            (past(row)?.impressions ?? []) + (known(row)?.reservations ?? [])
        }.ordered()
    }

    /// How often popups were shown in this session that the rules do not have.
    var strangersInSession: Int { strangers.values.reduce(0) { $0 + Int(rows[$1].inSession) } }

    /// Given the rules' popups. Linear in them.
    func history(_ rules: [PopupRule]) -> History {
        var history = History()
        for (id, row) in allRows(rules) {
            if let past = past(row), past != History.Popup() { history.popups[id] = past }
        }
        history.sessions = sessions
        history.events = events
        history.occurrences = occurrences
        history.values = values
        return history
    }

    /// What was shown in this session by popup id, given the rules' popups. Linear in them.
    func session(_ rules: [PopupRule]) -> SessionCounts {
        var session = SessionCounts()
        for (id, row) in allRows(rules) {
            if rows[row].inSession != 0 { session.shown[id] = Int(rows[row].inSession) }
            if let unseen = unseenInSession[row], unseen != 0 { session.unseen[id] = unseen }
        }
        return session
    }

    /// As `History.apply`; `popup` is the index of the one that the record is about, nil when the
    /// rules do not have it.
    mutating func apply(
        _ record: HistoryRecord, at popup: PopupIndex?, keepingPerPopup popupDates: Int,
        perEvent eventDates: Int
    ) {
        switch record {
        case .impression(let id, let date, let reserved, let isExposed):
            let row = makeRow(id, at: popup)
            if let reserved { release(reserved, isExposed: isExposed, row: row) }
            addImpression(date, row: row, isExposed: isExposed, keeping: popupDates)
        case .reservation(let id, let date):
            let row = makeRow(id, at: popup)
            reserved.append(Reservation(row: row, date: date, isExposed: false))
        case .reservationTakenBack(let id, let date, let isExposed):
            guard let row = popup?.number ?? strangers[id] else { return }
            release(date, isExposed: isExposed, row: row)
            if isExposed { change(row) { $0.exposures.takeBackPlace(at: nil) } }
        case .exposure(let id, let variant, let date, let place):
            let row = makeRow(id, at: popup)
            change(row) { $0.exposures.add(variant, at: date, place: nil, keeping: popupDates) }
            unseenInSession[row, default: 0] += 1
            if let place { expose(place, row: row) }
        case .impressionTakenBack(let id, _, let isExposed):
            guard let row = popup?.number ?? strangers[id] else { return }
            // One of a session before this is counted no more.
            if rows[row].inSession > 0 {
                rows[row].inSession -= 1
                if isExposed { unseenInSession[row, default: 0] += 1 }
            }
            addFirst(row)
            known[Int(rows[row].known)].apply(record, keeping: popupDates)
        case .dismissal(let id, _, _), .goalMatched(let id, _, _, _):
            change(makeRow(id, at: popup)) { $0.apply(record, keeping: popupDates) }
        case .acted(let id, _, _, _), .endedByAction(let id, _, _):
            let row = makeRow(id, at: popup)
            // It is about the latest impression, and a new one makes it one of the past.
            addFirst(row)
            change(row) { $0.apply(record, keeping: popupDates) }
        case .event(let name, let date, let amounts):
            events[name, default: History.SentEvent()].add(
                date, amounts: amounts, keeping: eventDates)
        case .session, .sessionLeft: sessions.apply(record)
        case .occurrence(let trigger, let count): occurrences[trigger] = count
        case .counted(let id, let value, let change, let date):
            _ = count(change, of: id, for: value, at: date)
        }
    }

    /// Counts for a value of a context key. Gives what is kept no more.
    mutating func count(
        _ change: ValueChange, of id: String, for value: KeyedValue, at date: Timestamp
    ) -> ValueCounts.Count? {
        values.add(change, of: id, for: value, at: date)
    }

    /// Nothing was shown in the session that begins.
    mutating func beginSession() {
        for row in rows.indices { rows[row].inSession = 0 }
        unseenInSession = [:]
    }

    /// A reservation that the host told of belongs to what is on a screen still.
    mutating func hold(
        _ id: String, date: Timestamp, isExposed: Bool, at popup: PopupIndex?
    ) {
        let row = makeRow(id, at: popup)
        release(date, isExposed: isExposed, row: row)
        reserved.append(Reservation(row: row, date: date, isExposed: isExposed))
    }
}

extension KeptHistory {
    private func known(_ row: Int) -> History.Popup? {
        rows[row].known < 0 ? nil : known[Int(rows[row].known)]
    }

    private func past(_ row: Int) -> History.Popup? {
        var past = known(row)
        if let first = rows[row].first {
            past = past ?? History.Popup()
            past?.add(first)
        }
        for place in reserved where place.row == row {
            past = past ?? History.Popup()
            past?.reserve(place.date)
            if place.isExposed { past?.exposures.places.insertSorted(place.date) }
        }
        return past
    }

    /// A reservation is one no more.
    private mutating func release(_ date: Timestamp, isExposed: Bool, row: Int) {
        if let index = reserved.firstIndex(where: { $0.row == row && $0.date == date }) {
            reserved.remove(at: index)
        } else if rows[row].known >= 0 {
            known[Int(rows[row].known)].reservations.removeSorted(date)
            if isExposed { known[Int(rows[row].known)].exposures.places.removeSorted(date) }
        }
    }

    /// The task of a reservation was exposed.
    private mutating func expose(_ date: Timestamp, row: Int) {
        change(row) { $0.exposures.placeCount += 1 }
        guard let index = reserved.firstIndex(where: { $0.row == row && $0.date == date }) else {
            return change(row) { $0.exposures.places.insertSorted(date) }
        }
        reserved[index].isExposed = true
    }

    private mutating func change(_ row: Int, _ body: (inout History.Popup) -> Void) {
        makeKnown(row)
        body(&known[Int(rows[row].known)])
    }

    private func allRows(_ rules: [PopupRule]) -> [(id: String, row: Int)] {
        (0..<count).map { (rules[$0].id, $0) } + strangers.map { ($0.key, $0.value) }
    }

    private mutating func makeRow(_ id: String, at popup: PopupIndex?) -> Int {
        if let row = popup?.number ?? strangers[id] { return row }
        strangers[id] = rows.count
        rows.append(Row())
        return rows.count - 1
    }

    private mutating func addImpression(
        _ date: Timestamp, row: Int, isExposed: Bool, keeping kept: Int
    ) {
        if rows[row].inSession < .max { rows[row].inSession += 1 }
        let place = Int(rows[row].known)
        let isPlain = !isExposed && (place < 0 || known[place].isNeverExposed)
        if isPlain, rows[row].first == nil, place < 0 || known[place].impressions.isEmpty {
            rows[row].first = date
            return
        }
        addFirst(row)
        known[Int(rows[row].known)].add(date, keeping: kept)
        if isPlain { return }
        if isExposed { unseenInSession[row, default: 0] -= 1 }
        known[Int(rows[row].known)].exposures.shown(isExposed: isExposed, place: date)
    }

    /// Adds the first impression to what is known.
    private mutating func addFirst(_ row: Int) {
        makeKnown(row)
        guard let first = rows[row].first else { return }
        rows[row].first = nil
        known[Int(rows[row].known)].add(first)
    }

    private mutating func makeKnown(_ row: Int) {
        guard rows[row].known < 0 else { return }
        rows[row].known = Int32(known.count)
        known.append(History.Popup())
    }
}
