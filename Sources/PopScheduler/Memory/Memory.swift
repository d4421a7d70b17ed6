internal import PopCEL

/// What the users have seen and done: the history of the one who is there, what the caps that
/// popups share count of it, and what others saw in this session.
struct Memory: Sendable {
    /// With whom a popup shares caps.
    struct Sharing: Sendable {
        let group: GroupIndex?
        let lane: LaneIndex
    }

    /// What a shared cap counts.
    private struct Tally {
        var counted = CappedDates()
        /// Nil where there is no cap.
        var most: Int?
    }

    private(set) var user: String
    private(set) var history: KeptHistory
    private var away = SessionsAway()
    private var groups: ParallelArray<GroupIndex, Tally> = []
    private var lanes: ParallelArray<LaneIndex, Tally> = []
    /// How many dates of one popup's impressions are kept.
    private var datesPerPopup = 0
    private let limits: SchedulerLimits

    init(of user: String, _ history: History, in catalog: Catalog, limits: SchedulerLimits) {
        self.user = user
        self.limits = limits
        self.history = KeptHistory(
            history, count: catalog.rules.popups.count, place: catalog.ruledPlace)
    }

    func counted(_ group: GroupIndex) -> CappedDates { groups[group].counted }
    func counted(_ lane: LaneIndex) -> CappedDates { lanes[lane].counted }

    /// Keeps a record of the user who is there; `popup` is the index of the one of the rules that
    /// it is about.
    mutating func keep(_ record: HistoryRecord, at popup: PopupIndex?) {
        history.apply(
            record, at: popup, keepingPerPopup: datesPerPopup, perEvent: limits.datesPerEvent)
    }
}

// Users and rules come and go.
extension Memory {
    /// Another user comes, and takes up the session that they left.
    mutating func switchUser(_ user: String, history: History, in catalog: Catalog) {
        away.leave(self.user, session: self.history.session(catalog.rules.popups))
        self.user = user
        take(history, session: away.come(user), in: catalog)
    }

    mutating func forget(_ user: String, in catalog: Catalog) {
        away.forget(user)
        if user == self.user { take(History(), session: [:], in: catalog) }
    }

    /// What the user saw since the session began stays as it is.
    mutating func replaceHistory(by history: History, in catalog: Catalog) {
        take(history, session: self.history.session(catalog.rules.popups), in: catalog)
    }

    /// Popups stand at other places.
    mutating func rulesChanged(from former: [PopupRule], to catalog: Catalog) {
        take(history.history(former), session: history.session(former), in: catalog)
    }

    private mutating func take(_ history: History, session: [String: Int], in catalog: Catalog) {
        self.history = KeptHistory(
            history, session: session, count: catalog.rules.popups.count,
            place: catalog.ruledPlace)
    }

    /// A reservation of what is on a screen still was not left behind.
    mutating func hold(_ id: String, reserved date: Timestamp, at popup: PopupIndex?) {
        history.hold(id, date: date, at: popup)
    }
}

// What the caps that popups share count.
extension Memory {
    /// Counts the impressions of the history. `lanes` are those of the rules, then former ones.
    mutating func countImpressions(in catalog: Catalog, lanes: [SchedulerRule]) {
        datesPerPopup = catalog.rules.datesPerPopup(atLeast: limits.datesPerPopup)
        groups = ParallelArray(catalog.rules.groups.map { Tally(most: $0.cap?.max) })
        self.lanes = ParallelArray(lanes.map { Tally(most: $0.cap?.max) })
        for popup in catalog.rules.popups.places {
            for date in history.counted(popup).dates {
                count(date, for: catalog.sharing(of: popup))
            }
        }
    }

    /// An impression was made.
    mutating func count(_ date: Timestamp, for sharing: Sharing) {
        if let group = sharing.group, let most = groups[group].most {
            groups[group].counted.add(date, keeping: kept(most))
        }
        if let most = lanes[sharing.lane].most {
            lanes[sharing.lane].counted.add(date, keeping: kept(most))
        }
    }

    /// What the cap can ask for, and one for each presentation that may still fail.
    private func kept(_ most: Int) -> Int { most + lanes.count + 1 }

    /// An impression was none.
    mutating func takeBack(_ date: Timestamp, for sharing: Sharing) {
        if let group = sharing.group { groups[group].counted.takeBack(date) }
        lanes[sharing.lane].counted.takeBack(date)
    }

    /// Keeps places under the caps, or gives them back.
    mutating func keepPlaces(_ places: Int, for sharing: Sharing) {
        if let group = sharing.group { groups[group].counted.reserve(places) }
        lanes[sharing.lane].counted.reserve(places)
    }
}

// Popups of users who have gone, that are on a screen still.
extension Memory {
    /// One became visible only now.
    mutating func addAway(_ id: String, of user: String) { away.add(id, of: user) }

    /// One impression was none.
    mutating func takeBackAway(_ id: String, from user: String) { away.takeBack(id, from: user) }
}
