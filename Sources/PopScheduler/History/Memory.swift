internal import PopCEL

/// The record of what users have seen and done: the history of the current user, its counts for
/// shared caps, and what other users saw in this session.
struct Memory: Sendable {
    private(set) var user: String
    private(set) var history: IndexedHistory
    private var away = SessionsAway()
    /// The users whose histories already include this session.
    private var counted: Set<String> = []
    /// The number of sessions that have begun since the first.
    private(set) var session: UInt32 = 0
    /// The counts of the caps that popups share.
    private var shared: TypedArray<SharedCapIndex, CappedDates> = []
    /// The number of dates that each of these caps keeps.
    private var kept: TypedArray<SharedCapIndex, Int> = []
    /// The counts of those of these caps that count for each value of a key, by the value as a
    /// string.
    private var sharedValues: [SharedCapIndex: [String?: Int]] = [:]
    /// The number of dates of one popup's impressions that are kept.
    private var datesPerPopup = 0
    private let limits: SchedulerLimits

    init(of user: String, _ history: History, in catalog: Catalog, limits: SchedulerLimits) {
        self.user = user
        self.limits = limits
        self.history = IndexedHistory(
            history, count: catalog.rules.popups.count, place: catalog.ruledPlace)
    }

    func counted(_ cap: SharedCapIndex) -> CappedDates { shared[cap] }

    /// Returns the count of a cap that counts for each value of a key.
    func counted(_ cap: SharedCapIndex, for text: String?) -> Int { sharedValues[cap]?[text] ?? 0 }

    /// Keeps a record of the current user; `popup` is the index of the rules' popup that the record
    /// is about.
    mutating func keep(_ record: HistoryRecord, at popup: PopupIndex?) {
        history.apply(
            record, at: popup, keepingPerPopup: datesPerPopup, perEvent: limits.datesPerEvent)
    }
}

// Changes of users and rules.
extension Memory {
    /// A session begins, for all users.
    mutating func beginSession() {
        session &+= 1
        counted = []
        away.beginSession()
        history.beginSession()
        for cap in shared.indices { shared[cap].beginSession() }
    }

    /// Counts the session for the current user. Returns true if it wasn't counted before.
    mutating func countSession() -> Bool { counted.insert(user).inserted }

    /// Switches to another user, who continues the session that they left.
    mutating func switchUser(_ user: String, history: History, in catalog: Catalog) {
        away.leave(self.user, session: self.history.session(catalog.rules.popups))
        self.user = user
        take(history, session: away.come(user), in: catalog)
    }

    mutating func forget(_ user: String, in catalog: Catalog) {
        away.forget(user)
        if user == self.user { take(History(), session: SessionCounts(), in: catalog) }
    }

    /// Replaces the history; the counts of this session stay unchanged.
    mutating func replaceHistory(by history: History, in catalog: Catalog) {
        take(history, session: self.history.session(catalog.rules.popups), in: catalog)
    }

    /// Removes everything about a popup, as though the user had never seen it.
    mutating func forgetPopup(_ id: String, in catalog: Catalog) {
        var history = self.history.history(catalog.rules.popups)
        var session = self.history.session(catalog.rules.popups)
        history.forget(popup: id)
        session.shown[id] = nil
        session.unseen[id] = nil
        take(history, session: session, in: catalog)
    }

    /// Moves the data to the new places of popups.
    mutating func rulesChanged(from former: [PopupRule], to catalog: Catalog) {
        take(history.history(former), session: history.session(former), in: catalog)
    }

    private mutating func take(
        _ history: History, session: SessionCounts, in catalog: Catalog
    ) {
        self.history = IndexedHistory(
            history, session: session, count: catalog.rules.popups.count,
            place: catalog.ruledPlace)
    }

    /// Marks a reservation of a popup that is still on a screen as not left behind.
    mutating func hold(
        _ id: String, reserved date: Timestamp, isExposed: Bool, at popup: PopupIndex?
    ) {
        history.hold(id, date: date, isExposed: isExposed, at: popup)
    }
}

// The counts of the caps that popups share.
extension Memory {
    /// Counts the impressions of the history. `lanes` is the number of lanes, including former
    /// ones: one presentation of each may still fail.
    mutating func countImpressions(in catalog: Catalog, lanes: Int) {
        datesPerPopup = catalog.rules.datesPerPopup(atLeast: limits.datesPerPopup)
        let caps = catalog.sharedCaps
        shared = TypedArray(repeating: CappedDates(), count: caps.count)
        // Rules that an app creates itself may contain any numbers.
        let most = RuleBounds.counts.upperBound
        kept = TypedArray(caps.indices.map { min(caps[$0].cap.max, most) + lanes + 1 })
        countValues(in: catalog)
        if caps.count == 0 { return }
        var dates = TypedArray<SharedCapIndex, [Timestamp]>(repeating: [], count: caps.count)
        for popup in catalog.rules.popups.places {
            let sharing = catalog.sharedCaps(of: popup)
            if sharing.isEmpty { continue }
            let shown = history.datesShown(popup)
            if !shown.isEmpty { for cap in sharing { dates[cap] += shown } }
            addToSession(history.shownInSession(popup), for: sharing)
        }
        let all = Array(caps.indices.filter { caps[$0].countsStrangers })
        if !all.isEmpty {
            for cap in all { dates[cap] += history.datesOfStrangers }
            addToSession(history.strangersInSession, for: all)
        }
        // Sorted once: inserting a date moves all later ones.
        for cap in caps.indices { shared[cap].add(dates[cap].ascending(), keeping: kept[cap]) }
    }

    private mutating func countValues(in catalog: Catalog) {
        sharedValues = [:]
        if catalog.countedKeys.shared.isEmpty { return }
        for (id, keys) in history.values.counts {
            let popup = catalog.ruledPlace(of: id)
            for (key, counts) in keys {
                for cap in catalog.sharedCaps(counting: key, at: popup) {
                    for count in counts { add(count.shown, to: cap, for: count.text) }
                }
            }
        }
    }

    private mutating func add(_ impressions: Int, to cap: SharedCapIndex, for text: String?) {
        sharedValues[cap, default: [:]][text, default: 0] += impressions
    }

    /// Counts a change for a value of a key, also for these shared caps.
    mutating func count(
        _ change: ValueChange, of id: String, for value: KeyedValue, at date: Timestamp,
        by caps: [SharedCapIndex]
    ) {
        let before = history.values.count(of: id, for: value)?.shown ?? 0
        let forgotten = history.count(change, of: id, for: value, at: date)
        let after = history.values.count(of: id, for: value)?.shown ?? 0
        for cap in caps {
            add(after - before, to: cap, for: value.text)
            if let forgotten, forgotten.text != value.text {
                add(-forgotten.shown, to: cap, for: forgotten.text)
            }
        }
    }

    private mutating func add(_ date: Timestamp, for sharing: [SharedCapIndex]) {
        for cap in sharing { shared[cap].add(date, keeping: kept[cap]) }
    }

    private mutating func addToSession(_ impressions: Int, for sharing: [SharedCapIndex]) {
        if impressions == 0 { return }
        for cap in sharing { shared[cap].addToSession(impressions) }
    }

    /// Counts an impression.
    mutating func count(_ date: Timestamp, for sharing: [SharedCapIndex]) {
        add(date, for: sharing)
        addToSession(1, for: sharing)
    }

    /// Takes back an impression that was made in a session.
    mutating func takeBack(_ date: Timestamp, in session: UInt32, for sharing: [SharedCapIndex]) {
        for cap in sharing { shared[cap].takeBack(date) }
        if session == self.session { addToSession(-1, for: sharing) }
    }

    /// Reserves places under the caps, or frees them if negative.
    mutating func keepPlaces(_ places: Int, for sharing: [SharedCapIndex]) {
        for cap in sharing { shared[cap].reserve(places) }
    }
}

// Popups of former users that are still on a screen.
extension Memory {
    /// Counts a popup that became visible only now.
    mutating func addAway(_ id: String, of user: String, isExposed: Bool) {
        away.add(id, of: user, isExposed: isExposed)
    }

    /// Takes back one impression.
    mutating func takeBackAway(_ id: String, from user: String, isExposed: Bool) {
        away.takeBack(id, from: user, isExposed: isExposed)
    }
}

/// The number of impressions of popups for a user since the session began, by popup id.
struct SessionCounts: Sendable {
    /// Impressions.
    var shown: [String: Int] = [:]
    /// The number of exposures to an arm that made no impression.
    var unseen: [String: Int] = [:]
}

/// The counts of this session for users who were active before and may come back.
struct SessionsAway: Sendable {
    private var counts: [String: SessionCounts] = [:]

    /// Stores the counts of a user who leaves.
    mutating func leave(_ user: String, session: SessionCounts) { counts[user] = session }

    /// Begins another session, for all users.
    mutating func beginSession() { counts = [:] }

    /// Removes all counts of a user.
    mutating func forget(_ user: String) { counts[user] = nil }

    /// Takes the counts of a user who comes: what they have seen in this session.
    mutating func come(_ user: String) -> SessionCounts {
        counts.removeValue(forKey: user) ?? SessionCounts()
    }

    /// Counts a popup of a former user that became visible only now.
    mutating func add(_ id: String, of user: String, isExposed: Bool) {
        counts[user, default: SessionCounts()].shown[id, default: 0] += 1
        if isExposed { counts[user, default: SessionCounts()].unseen[id, default: 0] -= 1 }
    }

    /// Takes back one impression of a former user.
    mutating func takeBack(_ id: String, from user: String, isExposed: Bool) {
        // An impression of an earlier session is no longer counted.
        guard let shown = counts[user]?.shown[id], shown > 0 else { return }
        counts[user]?.shown[id] = shown - 1
        if isExposed { counts[user]?.unseen[id, default: 0] += 1 }
    }
}

/// The times at which the app was in the background, where nothing is visible.
///
/// Only timers of visible time (`hide_after`, `min_show`, `grace`, `delay` and `gap`) stop there;
/// everything else continues.
struct Absences: Sendable {
    /// The maximum number of absences kept for delayed tasks: a delay ignores older ones, so that
    /// it ends earlier by their length.
    private static let most = 1_000

    /// The moment since which the app is in the background; nil in the foreground.
    private(set) var since: Moment?
    /// The past absences, in order.
    private var past: [Range<Duration>] = []

    mutating func begin(at moment: Moment) { since = since ?? moment }

    /// Ends the absence: the app is back in the foreground.
    mutating func end(at instant: Duration) {
        guard let since else { return }
        if since.instant < instant { past.append(since.instant..<instant) }
        // The cost of moving the remaining absences is spread over many calls.
        if past.count >= 2 * Self.most { past.removeFirst(Self.most) }
        self.since = nil
    }

    /// Returns the time between two instants that the app was in the background. Linear in the
    /// absences in between.
    func time(from start: Duration, to end: Duration) -> Duration {
        var total = since.map { max(end - max($0.instant, start), .zero) } ?? .zero
        for absence in past.reversed() {
            if absence.upperBound <= start { break }
            total += absence.upperBound - max(absence.lowerBound, start)
        }
        return total
    }
}
