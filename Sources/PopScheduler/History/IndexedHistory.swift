internal import PopCEL
internal import PopSource

/// The history as the scheduler stores it: the data that every impression changes is found by the
/// popup's index, without hashing an id, and needs no memory of its own.
struct IndexedHistory: Sendable {
    /// The data about one popup that most popups need.
    private struct Row: Sendable {
        /// The date of an impression that isn't yet in `known`: the first one, because most popups
        /// are shown once and then need no list of dates.
        var first: Timestamp?
        /// The number of its impressions since the session began.
        var inSession: Int32 = 0
        /// The index of further data in `known`; -1 without further data.
        var known: Int32 = -1
    }

    /// By the popup's index. The rules' popups are followed by others, so that their data survives
    /// a reload.
    private var rows: [Row]
    /// The number of popups in the rules.
    private let count: Int
    private var known: [History.Popup] = []
    /// A place that is reserved for a popup that is about to be visible.
    private struct Reservation: Sendable {
        let row: Int
        let date: Timestamp
        /// True if its task was exposed; the popup's own caps then count the exposure.
        var isExposed: Bool
    }

    /// The reservations of popups that are about to be visible: at most one for each screen.
    /// Reservations in `known` are left behind permanently.
    private var reserved: [Reservation] = []
    /// By row, the number of exposures of this session that made no impression.
    private var unseenInSession: [Int: Int] = [:]
    /// The rows of popups that aren't in the rules, by id.
    private var strangers: [String: Int] = [:]
    private(set) var sessions: History.Sessions
    private(set) var events: [String: History.SentEvent]
    private(set) var occurrences: [String: Int]
    private(set) var values: ValueCounts

    /// Creates a history. `place` returns the places of ids among the first `count` popups: those
    /// of the rules.
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

    /// The record of a popup of the rules; nil if it has none, and for other popups.
    subscript(popup: PopupIndex) -> History.Popup? {
        popup.number < count ? past(popup.number) : nil
    }

    /// The record of any popup; `popup` is nil for a popup that isn't in the rules.
    subscript(id: String, at popup: PopupIndex?) -> History.Popup? {
        (popup?.number ?? strangers[id]).flatMap(past)
    }

    /// Returns the counts for a popup's own caps: exposures, and the impressions of tasks without
    /// an exposure.
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

    /// Returns the number of impressions and exposures of a popup of the rules that count for its
    /// lifetime cap.
    func countedEver(_ popup: PopupIndex) -> Int { past(popup.number)?.countedEver ?? 0 }

    /// Returns true if a popup of the rules was ever shown, or ended in control instead; a
    /// reservation that was left behind means that it may have been shown.
    func wasShown(_ popup: PopupIndex) -> Bool {
        if rows[popup.number].first != nil { return true }
        guard let past = known(popup.number) else { return false }
        return past.shownCount > 0 || !past.reservations.isEmpty
            || !past.isNeverExposed && past.exposures.controlCount > 0
    }

    /// Returns the date at which a popup of the rules was last gone from a screen. A popup that is
    /// about to show isn't counted.
    func lastGone(_ popup: PopupIndex) -> Timestamp? {
        let gone = known(popup.number)?.lastGone
        guard let first = rows[popup.number].first else { return gone }
        return max(gone ?? first, first)
    }

    /// Returns the actions of the user on a popup of the rules.
    func actions(_ popup: PopupIndex) -> [String: History.Action] {
        known(popup.number)?.actions ?? [:]
    }

    /// Returns one action of the user on a popup of the rules.
    func action(_ name: String, of popup: PopupIndex) -> History.Action? {
        known(popup.number)?.action(name)
    }

    /// Returns the number of tasks in which the user closed or refused a popup of the rules.
    func closedCount(_ popup: PopupIndex) -> Int { known(popup.number)?.closedCount ?? 0 }

    /// Returns the conversions of the user under a goal of a popup of the rules.
    func goal(_ name: String, of popup: PopupIndex) -> History.Goal? {
        known(popup.number)?.goals[name]
    }

    /// Returns the number of impressions of a popup of the rules since the session began.
    func shownInSession(_ popup: PopupIndex) -> Int {
        popup.number < count ? Int(rows[popup.number].inSession) : 0
    }

    /// The dates of impressions of popups that aren't in the rules, including reservations that a
    /// terminated process left behind.
    var datesOfStrangers: [Timestamp] {
        strangers.values.flatMap { row in
            (past(row)?.impressions ?? []) + (known(row)?.reservations ?? [])
        }.ordered()
    }

    /// The number of impressions in this session of popups that aren't in the rules.
    var strangersInSession: Int { strangers.values.reduce(0) { $0 + Int(rows[$1].inSession) } }

    /// Returns the history by popup id, given the rules' popups. Linear in them.
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

    /// Returns the counts of this session by popup id, given the rules' popups. Linear in them.
    func session(_ rules: [PopupRule]) -> SessionCounts {
        var session = SessionCounts()
        for (id, row) in allRows(rules) {
            if rows[row].inSession != 0 { session.shown[id] = Int(rows[row].inSession) }
            if let unseen = unseenInSession[row], unseen != 0 { session.unseen[id] = unseen }
        }
        return session
    }

    /// Adds a record, as `History.apply` does; `popup` is the index of the record's popup, or nil
    /// if the rules don't have it.
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
            // An impression of an earlier session is no longer counted.
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
            // The action belongs to the latest impression, and a new impression ends that.
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

    /// Counts a change for a value of a context key. Returns the count that is no longer kept
    /// because of it.
    mutating func count(
        _ change: ValueChange, of id: String, for value: KeyedValue, at date: Timestamp
    ) -> ValueCounts.Count? {
        values.add(change, of: id, for: value, at: date)
    }

    /// Begins a session in which nothing was shown yet.
    mutating func beginSession() {
        for row in rows.indices { rows[row].inSession = 0 }
        unseenInSession = [:]
    }

    /// Keeps a reservation in the loaded history as belonging to a popup that is still on a screen.
    mutating func hold(
        _ id: String, date: Timestamp, isExposed: Bool, at popup: PopupIndex?
    ) {
        let row = makeRow(id, at: popup)
        release(date, isExposed: isExposed, row: row)
        reserved.append(Reservation(row: row, date: date, isExposed: isExposed))
    }
}

extension IndexedHistory {
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

    /// Ends a reservation.
    private mutating func release(_ date: Timestamp, isExposed: Bool, row: Int) {
        if let index = reserved.firstIndex(where: { $0.row == row && $0.date == date }) {
            reserved.remove(at: index)
        } else if rows[row].known >= 0 {
            known[Int(rows[row].known)].reservations.removeSorted(date)
            if isExposed { known[Int(rows[row].known)].exposures.places.removeSorted(date) }
        }
    }

    /// Marks the task of a reservation as exposed.
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

    /// Adds the first impression to `known`.
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

extension Array<Timestamp> {
    /// Inserts a date in order; it goes to the end as long as the calendar doesn't go back.
    mutating func insertSorted(_ date: Timestamp) {
        // Appending to an empty array allocates more often.
        if isEmpty { return self = [date] }
        guard let last, last > date else { return append(date) }
        insert(date, at: firstIndex(after: date))
    }

    /// The index of the first date that is later than another.
    func firstIndex(after date: Timestamp) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > date { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the dates in ascending order. The dates of one popup are already in that order.
    func ascending() -> [Timestamp] {
        for index in indices.dropFirst() where self[index] < self[index - 1] { return ordered() }
        return self
    }

    mutating func removeSorted(_ date: Timestamp) {
        let index = firstIndex(after: date) - 1
        if index >= 0, self[index] == date { remove(at: index) }
    }

    /// Returns the number of dates in the period of this length that ends at `now`. Later dates
    /// count too, so that no cap is exceeded after the calendar was set back. The start isn't
    /// included.
    func count(within duration: Duration, of now: Timestamp) -> Int {
        count - firstIndex(after: now.advanced(by: .zero - duration))
    }

    /// Returns the date at which the oldest of these dates leaves that period; nil if there is
    /// none.
    func firstLeaving(_ duration: Duration, after now: Timestamp) -> Timestamp? {
        let oldest = count - count(within: duration, of: now)
        return oldest < count ? self[oldest].advanced(by: duration) : nil
    }
}
