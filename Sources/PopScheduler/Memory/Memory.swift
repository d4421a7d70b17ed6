internal import PopCEL

/// What the users have seen and done: the history of the one who is there, what the caps that
/// popups share count of it, and what others saw in this session.
struct Memory: Sendable {
    private(set) var user: String
    private(set) var history: KeptHistory
    private var away = SessionsAway()
    /// The users for whom this session is counted.
    private var counted: Set<String> = []
    /// How many sessions have begun since the first.
    private(set) var session: UInt32 = 0
    /// What the caps that popups share count.
    private var shared: ParallelArray<SharedCapIndex, CappedDates> = []
    /// How many dates each of these keeps.
    private var kept: ParallelArray<SharedCapIndex, Int> = []
    /// What those of them count that do so for each value of a key, by its text.
    private var sharedValues: [SharedCapIndex: [String?: Int]] = [:]
    /// How many dates of one popup's impressions are kept.
    private var datesPerPopup = 0
    private let limits: SchedulerLimits

    init(of user: String, _ history: History, in catalog: Catalog, limits: SchedulerLimits) {
        self.user = user
        self.limits = limits
        self.history = KeptHistory(
            history, count: catalog.rules.popups.count, place: catalog.ruledPlace)
    }

    func counted(_ cap: SharedCapIndex) -> CappedDates { shared[cap] }

    /// What a cap counts that does so for each value of a key.
    func counted(_ cap: SharedCapIndex, for text: String?) -> Int { sharedValues[cap]?[text] ?? 0 }

    /// Keeps a record of the user who is there; `popup` is the index of the one of the rules that
    /// it is about.
    mutating func keep(_ record: HistoryRecord, at popup: PopupIndex?) {
        history.apply(
            record, at: popup, keepingPerPopup: datesPerPopup, perEvent: limits.datesPerEvent)
    }
}

// Users and rules come and go.
extension Memory {
    /// A session begins, for all users.
    mutating func beginSession() {
        session &+= 1
        counted = []
        away.beginSession()
        history.beginSession()
        for cap in shared.indices { shared[cap].beginSession() }
    }

    /// The session is counted for the user who is there. Whether it was not before.
    mutating func countSession() -> Bool { counted.insert(user).inserted }

    /// Another user comes, and takes up the session that they left.
    mutating func switchUser(_ user: String, history: History, in catalog: Catalog) {
        away.leave(self.user, session: self.history.session(catalog.rules.popups))
        self.user = user
        take(history, session: away.come(user), in: catalog)
    }

    mutating func forget(_ user: String, in catalog: Catalog) {
        away.forget(user)
        if user == self.user { take(History(), session: SessionCounts(), in: catalog) }
    }

    /// What the user saw since the session began stays as it is.
    mutating func replaceHistory(by history: History, in catalog: Catalog) {
        take(history, session: self.history.session(catalog.rules.popups), in: catalog)
    }

    /// Nothing is known of a popup any more, as though the user had never seen it.
    mutating func forgetPopup(_ id: String, in catalog: Catalog) {
        var history = self.history.history(catalog.rules.popups)
        var session = self.history.session(catalog.rules.popups)
        history.forget(popup: id)
        session.shown[id] = nil
        session.unseen[id] = nil
        take(history, session: session, in: catalog)
    }

    /// Popups stand at other places.
    mutating func rulesChanged(from former: [PopupRule], to catalog: Catalog) {
        take(history.history(former), session: history.session(former), in: catalog)
    }

    private mutating func take(
        _ history: History, session: SessionCounts, in catalog: Catalog
    ) {
        self.history = KeptHistory(
            history, session: session, count: catalog.rules.popups.count,
            place: catalog.ruledPlace)
    }

    /// A reservation of what is on a screen still was not left behind.
    mutating func hold(
        _ id: String, reserved date: Timestamp, isExposed: Bool, at popup: PopupIndex?
    ) {
        history.hold(id, date: date, isExposed: isExposed, at: popup)
    }
}

// What the caps that popups share count.
extension Memory {
    /// Counts the impressions of the history. `lanes` is how many there are, former ones too: of
    /// each a presentation may still fail.
    mutating func countImpressions(in catalog: Catalog, lanes: Int) {
        datesPerPopup = catalog.rules.datesPerPopup(atLeast: limits.datesPerPopup)
        let caps = catalog.sharedCaps
        shared = ParallelArray(repeating: CappedDates(), count: caps.count)
        // Rules that an app makes itself have whatever numbers it gives them.
        let most = RuleBounds.counts.upperBound
        kept = ParallelArray(caps.indices.map { min(caps[$0].cap.max, most) + lanes + 1 })
        countValues(in: catalog)
        if caps.count == 0 { return }
        var dates = ParallelArray<SharedCapIndex, [Timestamp]>(repeating: [], count: caps.count)
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
        // Sorted once: a date put among others moves all that are later.
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

    /// Something is counted for a value of a key, and by these caps.
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

    /// An impression was made.
    mutating func count(_ date: Timestamp, for sharing: [SharedCapIndex]) {
        add(date, for: sharing)
        addToSession(1, for: sharing)
    }

    /// An impression was none that was made in a session.
    mutating func takeBack(_ date: Timestamp, in session: UInt32, for sharing: [SharedCapIndex]) {
        for cap in sharing { shared[cap].takeBack(date) }
        if session == self.session { addToSession(-1, for: sharing) }
    }

    /// Keeps places under the caps, or gives them back.
    mutating func keepPlaces(_ places: Int, for sharing: [SharedCapIndex]) {
        for cap in sharing { shared[cap].reserve(places) }
    }
}

// Popups of users who have gone, that are on a screen still.
extension Memory {
    /// One became visible only now.
    mutating func addAway(_ id: String, of user: String, isExposed: Bool) {
        away.add(id, of: user, isExposed: isExposed)
    }

    /// One impression was none.
    mutating func takeBackAway(_ id: String, from user: String, isExposed: Bool) {
        away.takeBack(id, from: user, isExposed: isExposed)
    }
}
