internal import PopCEL
internal import PopScenario
internal import PopScheduler

/// One session of one user: an app without a screen, and a user who replies to popups as the
/// mapping describes.
struct UserSession {
    private struct PendingReply {
        var due: Duration
        var popup: Int
        var action: String?
    }

    private(set) var state: UserState
    /// The part that was not decided; nil for a session that is played to its end.
    private(set) var undecided: UndecidedSession?
    private(set) var work: JudgingWork
    /// The places of the popups that wait when the user leaves, in the order of the rules.
    private(set) var waitingAtEnd: [Int] = []

    private let user: String
    private let rules: ReplayRules
    private var host: ScenarioHost
    private let start: Int64
    /// True if the budget is used up before the session begins.
    private let isTooMuch: Bool
    private var replies: [PendingReply] = []
    /// By popup, how often and when it showed; as of the session's beginning, and counted on.
    private var shown: [Int: (count: Int, day: Int)] = [:]
    /// The popups that the user has seen, once one has shown for the first time.
    private var seen: Set<Int>?
    private var days: DayClock

    init(
        of user: String, rules: ReplayRules, state: UserState, first: LogEvent,
        work: JudgingWork
    ) {
        self.user = user
        self.rules = rules
        self.state = state
        days = DayClock(rules.calendar)
        start = first.time
        self.work = work
        isTooMuch = !self.work.note(state.history.impressionCount / Self.impressionsPerStep)
        let now = Moment(instant: .zero, date: Timestamp(nanoseconds: first.time))
        host = ScenarioHost(
            Scheduler(
                of: rules.rules, seed: Self.seed(rules.plan.mapping.seed, at: first.time),
                user: user, history: state.history, at: now, timeZones: rules.timeZones),
            at: now)
    }

    /// The number of impressions that count as one step of work: in each session, the caps count
    /// the impressions of the history again, and this many take about the time in which one popup
    /// is judged.
    private static let impressionsPerStep = 32

    /// Returns the seed for the random times of a session: a different one for each session, and
    /// the same in every replay.
    private static func seed(_ seed: UInt64, at start: Int64) -> UInt64 {
        var hash = StableHash()
        hash.add(number: seed)
        hash.add(number: UInt64(bitPattern: start))
        return hash.value
    }

    /// Starts the app with the user's known state.
    ///
    /// A context key without a known value gets its value from the columns of the first row before
    /// the start: it isn't a change. All other values of the first event are set after the app has
    /// started, so that triggers see them.
    mutating func begin(with first: LogEvent, into sink: inout some ReplaySink) {
        if isTooMuch { return giveUp() }
        let zone = rules.plan.mapping.zone
        if zone != "UTC" { handle(.zoneChanged(zone), into: &sink) }
        let inputs = rules.inputs[first.reading]
        let unknown = inputs.columns.filter { state.context[$0.name] == nil }
        state.beginContext(of: user, rules: rules)
        let scalars = unknown.isEmpty ? [] : inputs.scalars(first.fields)
        for field in unknown {
            guard let value = value(of: field, in: scalars),
                rules.bounds[field.name]?.refusal(of: value) == nil
            else { continue }
            state.context[field.name] = value
        }
        noteDay(into: &sink)
        if !state.context.isEmpty { handle(.update(state.context), into: &sink) }
        handle(.started, into: &sink)
    }

    mutating func play(_ event: LogEvent, into sink: inout some ReplaySink) {
        if undecided != nil { return }
        if event.time >= days.ends {
            advance(to: event.time, into: &sink)
            noteDay(into: &sink)
        }
        let inputs = rules.inputs[event.reading]
        if inputs.isNothing { return }
        advance(to: event.time, into: &sink)
        if undecided != nil { return }
        let scalars = inputs.scalars(event.fields)
        let changed = updates(of: inputs, scalars: scalars)
        if !changed.values.isEmpty || !changed.unset.isEmpty {
            note(changed)
            handle(.update(changed.values, unset: changed.unset), into: &sink)
        }
        for sent in inputs.sent {
            var payload: [String: Value] = [:]
            for field in sent.fields {
                payload[field.name] = value(of: field, in: scalars)
            }
            handle(.send(sent.event, payload: payload), into: &sink)
        }
    }

    /// The steps of finding the reason of a popup that waits when the user leaves, and of counting
    /// it.
    private static let stepsPerReason = 4

    /// Nobody is there any more: what waits did so in vain.
    mutating func end(at time: Int64, into sink: inout some ReplaySink) {
        if undecided != nil { return }
        advance(to: time, into: &sink)
        if undecided != nil { return }
        if !host.scheduler.isEmpty {
            let reasons = host.scheduler.waitingReasons(at: host.now)
            waitingAtEnd = places(of: reasons.keys)
            charge(Self.stepsPerReason * reasons.count)
            if undecided != nil { return }
            for (popup, reason) in reasons.sorted(by: { $0.key < $1.key }) {
                if let place = rules.places[popup] {
                    tell(.keptAway(reason), of: place, into: &sink)
                }
            }
        }
        handle(.background, into: &sink)
        state.history = host.scheduler.history
    }

    /// Returns the changes of an event to context keys; keys that it clears have no value any more.
    /// A value that a key does not accept leaves the key unchanged.
    private func updates(
        of inputs: ReadingInputs, scalars: [LogScalar]
    ) -> (values: [String: Value], unset: [String]) {
        var values: [String: Value] = [:]
        var unset: [String] = []
        for field in inputs.updates {
            if field.isCleared, scalars[field.place] == .null {
                if state.context[field.name] != nil { unset.append(field.name) }
            } else if let value = value(of: field, in: scalars) {
                if rules.bounds[field.name]?.refusal(of: value) == nil {
                    values[field.name] = value
                }
            }
        }
        for key in inputs.happened { values[key] = .bool(true) }
        return (values, unset)
    }

    private func value(of field: ReadingInputs.Field, in scalars: [LogScalar]) -> Value? {
        scalars[field.place].value(as: field.type, times: rules.times)
    }

    private mutating func note(_ changed: (values: [String: Value], unset: [String])) {
        for key in changed.unset { state.context[key] = nil }
        state.context.merge(changed.values) { $1 }
    }
}

// MARK: Time

extension UserSession {
    /// Advances the clock, and stops wherever the scheduler or the user does something.
    private mutating func advance(to time: Int64, into sink: inout some ReplaySink) {
        let end = Duration.nanoseconds(time - start)
        while undecided == nil {
            let wake = host.scheduler.nextWake
            let reply = replies.min { $0.due < $1.due }?.due
            guard let due = earlier(wake, reply), due <= end else { break }
            move(to: max(due, host.now.instant))
            if let wake, wake <= due {
                charge(Self.stepsPerWake)
                handle(.timePassed, into: &sink)
            } else {
                answerNext(into: &sink)
            }
        }
        move(to: end)
    }

    private mutating func giveUp() {
        // After the session nothing waits any more.
        let waiting =
            waitingAtEnd.isEmpty
            ? places(of: host.scheduler.waitingReasons(at: host.now).keys) : waitingAtEnd
        undecided = UndecidedSession(of: user, start: start, waiting: waiting, rules: rules)
    }

    private func places(of popups: some Collection<String>) -> [Int] {
        popups.compactMap { rules.places[$0] }.sorted()
    }

    private func earlier(_ one: Duration?, _ other: Duration?) -> Duration? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    private mutating func move(to instant: Duration) {
        host.move(
            to: Moment(
                instant: instant, date: Timestamp(nanoseconds: start + instant.nanoseconds)))
    }

    /// Performs the user's earliest pending reply.
    private mutating func answerNext(into sink: inout some ReplaySink) {
        guard let place = replies.indices.min(by: { replies[$0].due < replies[$1].due }) else {
            return
        }
        let reply = replies.remove(at: place)
        let popup = rules.popups[reply.popup]
        let event = reply.action.map { Event.acted(popup, action: $0) } ?? .userClosed(popup)
        handle(event, into: &sink)
    }

    /// Notes that the user is active today, once.
    private mutating func noteDay(into sink: inout some ReplaySink) {
        days.note(start + host.now.instant.nanoseconds, of: &state, into: &sink)
    }
}

// MARK: The host

extension UserSession {
    private mutating func handle(_ event: Event, into sink: inout some ReplaySink) {
        let before = workOfScheduler
        var steps = Self.stepsPerInput
        host.post(event)
        while let effects = host.next() {
            steps += effects.count
            for effect in effects { observe(effect, into: &sink) }
        }
        charge(steps + workOfScheduler - before)
    }

    private var workOfScheduler: Int {
        host.scheduler.work + host.scheduler.statistics.conditionsEvaluated
    }

    /// The steps of one input of the host or the user, besides those of its effects.
    private static let stepsPerInput = 2

    /// The steps of a stop of the clock, at which conditions such as `now.getSeconds() == 5` are
    /// evaluated with a new time.
    private static let stepsPerWake = 25

    private mutating func charge(_ steps: Int) {
        if undecided == nil, !work.note(steps) { giveUp() }
    }

    private mutating func observe(_ effect: Effect, into sink: inout some ReplaySink) {
        switch effect {
        case .record(.impression(let popup, _, _, _), _):
            if let place = rules.places[popup] { countImpression(place, into: &sink) }
        case .emit(let event): observe(event, into: &sink)
        case .askWillShow, .present, .dismiss, .record: break
        }
    }

    private mutating func observe(_ event: HostEvent, into sink: inout some ReplaySink) {
        guard let popup = event.popup.flatMap({ rules.places[$0] }) else { return }
        switch event {
        case .notMade(_, let reason), .discarded(_, let reason):
            tell(.keptAway(reason), of: popup, into: &sink)
        case .cancelled: tell(.keptAway(.cancelled), of: popup, into: &sink)
        case .failed: tell(.keptAway(.presentationFailed), of: popup, into: &sink)
        case .shown: awaitReply(popup)
        case .willDismiss, .requeued: replies.removeAll { $0.popup == popup }
        case .dismissed(_, let reason):
            replies.removeAll { $0.popup == popup }
            tell(.ended(reason), of: popup, into: &sink)
        case .exposed(_, let variant, let isFirst):
            tell(.exposed(variant: variant, isFirst: isFirst), of: popup, into: &sink)
        case .converted(_, let goal, let variant):
            tell(.converted(goal: goal, variant: variant), of: popup, into: &sink)
        case .queued, .coalesced, .remembered, .willShow, .postponed, .acted, .conditionError,
            .zoneUnknown, .emptyPlaceholder, .animationTimeout, .rejected:
            break
        }
    }

    private mutating func tell(
        _ kind: ReplayRow.Kind, of popup: Int, into sink: inout some ReplaySink
    ) {
        noteDay(into: &sink)
        sink.add(ReplayRow(popup: popup, date: host.now.date, day: days.day, kind: kind))
    }

    private mutating func awaitReply(_ popup: Int) {
        let draw = UserResponseDraw(
            seed: rules.plan.mapping.seed, user: user, popup: rules.popups[popup],
            ordinal: seen(popup).count)
        let (reply, after) = rules.replies[popup].reply(to: draw)
        let due = host.now.instant + after
        switch reply {
        case .close: replies.append(PendingReply(due: due, popup: popup, action: nil))
        case .act(let action):
            replies.append(PendingReply(due: due, popup: popup, action: action))
        case .ignore: break
        }
    }
}

// MARK: Counts of impressions

extension UserSession {
    /// Returns the number of impressions of a popup, and the day of the last one.
    private func seen(_ popup: Int) -> (count: Int, day: Int) {
        if let seen = shown[popup] { return seen }
        guard let past = state.history.popups[rules.popups[popup]], let last = past.lastShown else {
            return (0, .min)
        }
        return (past.shownCount, rules.calendar.civil(at: last).dayNumber)
    }

    private mutating func countImpression(_ popup: Int, into sink: inout some ReplaySink) {
        noteDay(into: &sink)
        let before = seen(popup)
        shown[popup] = (before.count + 1, days.day)
        state.shownInWeek += 1
        let isFirst = before.count == 0
        let others = isFirst ? noteFirstImpression(of: popup) : (count: nil, popups: [])
        charge(others.popups.count / Self.pairsPerStep)
        let impression = ReplayRow.Impression(
            ordinal: before.count + 1, isFirstOfDay: before.day != days.day,
            ordinalInWeek: state.shownInWeek,
            sinceFirstSession: isFirst ? host.now.date.duration(since: firstSession) : nil,
            othersBefore: others.count, others: others.popups)
        tell(.shown(impression), of: popup, into: &sink)
    }

    /// The number of pairs of popups that are counted in one step.
    private static let pairsPerStep = 4

    private var firstSession: Timestamp {
        state.history.sessions.first ?? Timestamp(nanoseconds: start)
    }

    private var seenBefore: Set<Int> {
        Set(
            state.history.popups.filter { $0.value.shownCount > 0 }
                .compactMap { rules.places[$0.key] })
    }

    /// Adds a popup to those that the user has seen; returns the others.
    private mutating func noteFirstImpression(of popup: Int) -> (count: Int?, popups: [Int]) {
        var others = seen ?? seenBefore
        let count = others.count
        let popups = count < FleetLimits.standard.popupsInPairs ? others.sorted() : []
        others.insert(popup)
        seen = others
        return (count, popups)
    }
}

extension History {
    /// The number of impressions whose dates are kept.
    fileprivate var impressionCount: Int { popups.values.reduce(0) { $0 + $1.impressions.count } }
}
