internal import PopCEL
internal import PopScheduler
internal import PopSource

extension EngineCore {
    func send(_ name: String, payload: [String: Value]) -> CallOutcome {
        let tooDeep = payload.filter { $0.value.isDeeper(than: limits.valueDepth) }.keys.ordered()
        guard tooDeep.isEmpty else { return refuse(tooDeep, of: name) }
        let remarks = state.withLock { state in
            let remarks = state.payloads.remarks(on: payload, of: name)
            remark(remarks, state: &state)
            return remarks
        }
        return handle(.send(name, payload: payload)).with(remarks)
    }

    private func refuse(_ fields: [String], of event: String) -> CallOutcome {
        let message = ContextState.tooDeep(limits.valueDepth)
        let rejections = fields.map {
            Rejection.badPayload(event: event, field: $0, message: message)
        }
        refuse(rejections)
        return .refused(rejections)
    }

    /// Reports each remark once.
    func remark(_ remarks: [CallRemark], state: inout State) {
        for remark in remarks where state.reported.count < limits.remarks {
            guard state.reported.insert(remark).inserted else { continue }
            put(.tell(.remark(remark), clock.now), state: &state)
        }
    }
}

/// The fields of the payloads that rules declare, by event.
struct PayloadTable {
    private let fields: [String: [String]]

    init(_ rules: RuleSet) {
        fields = Dictionary(rules.events.map { ($0.name, $0.fields.map(\.name)) }) { first, _ in
            first
        }
    }

    /// Returns remarks on the payload of an event: undeclared fields, and declared fields that are
    /// missing.
    func remarks(on payload: [String: Value], of event: String) -> [CallRemark] {
        guard let declared = fields[event] else { return [] }
        let present = declared.count { payload[$0] != nil }
        guard present < declared.count || present < payload.count else { return [] }
        let unknown = payload.keys.filter { !declared.contains($0) }.ordered()
        return unknown.map { field in
            .unknownField(
                field, event: event, similar: similarNames(to: field, among: declared))
        }
            + declared.filter { payload[$0] == nil }
            .map { .missingField($0, event: event) }
    }
}

// MARK: Foreign popups

extension EngineCore {
    func enqueue(
        _ popup: ForeignPopup, condition: ForeignCondition, isTrue: Bool, follower: Follower?,
        at moment: Moment, state: inout State
    ) -> [Effect] {
        let effects = enqueue(
            .enqueueForeign(popup, isTrue: isTrue), follower: follower, at: moment, state: &state)
        let isRefused = effects.contains { effect in
            if case .emit(.rejected) = effect { true } else { false }
        }
        if !isRefused, state.scheduler.isHandMade(popup.id) {
            state.foreign.add(popup.id, condition: condition, isTrue: isTrue)
        }
        return effects
    }

    /// Has the conditions of hand-made popups asked again.
    func askForeign() {
        state.withLock { if !$0.foreign.isEmpty { put(.askForeign, state: &$0) } }
    }

    var foreignConditions: [ForeignConditions.Entry] { state.withLock { $0.foreign.all } }

    func foreignCondition(of id: String) -> ForeignConditions.Entry? {
        state.withLock { $0.foreign[id] }
    }

    /// Returns the result of a foreign popup's condition right before it shows: it may have changed
    /// since the last evaluation.
    func holds(_ isTrue: Bool, _ entry: ForeignConditions.Entry, of popup: Popup) -> Bool {
        setForeign(entry, isTrue: isTrue)
        // One that has just become false waits again, for that.
        if !isTrue { handle(.answered(popup.presentation, .postpone(.zero))) }
        return isTrue
    }

    func setForeign(_ entry: ForeignConditions.Entry, isTrue: Bool) {
        handle(.setForeign(entry, isTrue: isTrue))
    }
}

/// The user that the engine is about to switch to.
struct NextUser {
    let name: String
    /// Identifies the call; of several calls, the last one counts.
    let ticket: Int
    /// Indicates whether the user's stored history was erased in the meantime.
    var isForgotten = false
}

extension EngineCore {
    var user: String { state.withLock { $0.user } }
    var switchesBegun: Int { state.withLock { $0.nextUser?.ticket ?? 0 } }

    /// Begins to go over to a user; any earlier such call that is still under way is superseded.
    func beginSwitch(to user: String) -> (ticket: Int, known: History?) {
        state.withLock { state in
            let ticket = (state.nextUser?.ticket ?? 0) + 1
            state.nextUser = NextUser(name: user, ticket: ticket)
            // The history of the current user comes from the scheduler itself.
            let known = user == state.user ? History() : state.formerUsers[user]
            return (ticket, known)
        }
    }

    /// Posts the switch to another user; nil if a later call has superseded it. If there is work,
    /// the caller has to call `workOff`.
    func switchUser(
        _ user: String, ticket: Int, loaded: History, context: [String: Value]?
    ) -> (outcome: CallOutcome, mustWork: Bool)? {
        while true {
            let posted = state.withLock { state -> PostedSwitch in
                guard let next = state.nextUser, next.ticket == ticket else { return .superseded }
                let history = next.isForgotten ? History() : loaded
                let input = Input.switchUser(user, loaded: history, context: context)
                return post(input, state: &state).map { .posted($0.outcome, $0.mustWork) }
                    ?? .tooMany
            }
            switch posted {
            case .superseded: return nil
            case .posted(let outcome, let mustWork): return (outcome, mustWork)
            case .tooMany: waitForWork()
            }
        }
    }

    private enum PostedSwitch {
        case superseded
        case tooMany
        case posted(CallOutcome, Bool)
    }

    /// Erases what is known of a user, here and in the store; gives what kept the store from it.
    func forget(_ user: String) async -> (any Error)? {
        state.withLock { if $0.nextUser?.name == user { $0.nextUser?.isForgotten = true } }
        return await ask { .forget(user, $0) }
    }

    /// Returns the stored history of a user, read once the stage has saved what waits to be saved.
    func load(_ user: String) async -> LoadedHistory {
        await withCheckedContinuation { answer in
            if !put(.read(user, answer)) { answer.resume(returning: LoadedHistory()) }
        }
    }

    /// Takes the stored history of a user; another process may have shown popups to that user too.
    /// Returns true if it is the current user.
    func takeHistory(_ history: History, of user: String) -> Bool {
        let isCurrent = state.withLock { $0.user == user }
        guard isCurrent else { return false }
        handle(.historyChanged(history, user: user))
        return true
    }
}

extension EngineCore {
    /// Changes the content of a popup on a screen: all of the fields, or none if one doesn't fit.
    func change(
        _ id: String, by values: [String: Value], at moment: Moment, state: inout State
    ) -> CallOutcome {
        guard let presentation = state.scheduler.presentation(onScreen: id) else {
            guard state.scheduler.knows(id) else {
                return refuse([.unknownPopup(id)], at: moment, state: &state)
            }
            remark([.notOnScreen(id)], state: &state)
            return CallOutcome.taken.with([.notOnScreen(id)])
        }
        let popup = state.contents[presentation.id] ?? Popup(presentation)
        var changed = ContentChange(of: popup, valueDepth: limits.valueDepth)
        for (field, value) in values.ordered(by: { $0.key < $1.key }) {
            changed.set(field, to: value)
        }
        guard changed.rejections.isEmpty else {
            return refuse(changed.rejections, at: moment, state: &state)
        }
        record(.content(popup: id, values), at: moment, state: &state)
        if state.contents.set(popup.saying(.map(changed.content))) {
            put(.updateContent(presentation.id), state: &state)
        }
        return .taken
    }

    private func refuse(
        _ rejections: [Rejection], at moment: Moment, state: inout State
    ) -> CallOutcome {
        for rejection in rejections {
            put(.tell(.scheduler(.rejected(rejection)), moment), state: &state)
        }
        return .refused(rejections)
    }

    /// Returns the content that the presenter shows in place of its current one; nil if it is too
    /// late.
    func takeContent(_ id: PresentationID) -> Popup? { state.withLock { $0.contents.take(id) } }
}

/// New values for fields of a content, each of the type that the field has.
private struct ContentChange {
    let popup: String
    let valueDepth: Int
    var content = ValueMap()
    var rejections: [Rejection] = []

    init(of popup: Popup, valueDepth: Int) {
        self.popup = popup.id
        self.valueDepth = valueDepth
        if case .map(let content) = popup.resolvedContent { self.content = content }
    }

    mutating func set(_ field: String, to value: Value) {
        guard let current = content[.string(field)] else {
            let names = content.keys.compactMap { String($0) }
            let similar = similarNames(to: field, among: names)
            let hint =
                similar.isEmpty
                ? "" : "; did you mean \(alternatives(similar))?"
            return refuse(field, "the content has no such field" + hint)
        }
        guard !value.isDeeper(than: valueDepth) else {
            return refuse(field, ContextState.tooDeep(valueDepth))
        }
        let type: CELType = current == .null ? .dyn : current.type
        guard let fitting = value.fitting(type) else {
            return refuse(field, type.mismatch(value))
        }
        content[.string(field)] = fitting
    }

    private mutating func refuse(_ field: String, _ message: String) {
        rejections.append(.badContent(popup: popup, field: field, message: message))
    }
}

/// A party that may leave a question unanswered.
enum Asked: Sendable { case mainActor, store }

/// A question that hasn't been answered yet.
struct PendingQuestion {
    let asked: Asked
    /// Distinguishes it from an earlier question.
    let number: Int
    let moment: Moment
    /// Receives whether the answer came in time.
    let isAnswered: CheckedContinuation<Bool, Never>
}

extension EngineCore {
    /// Has the main actor do something, and returns when it has, or when it was silent for too
    /// long: then false.
    func askMainActor(_ question: @escaping @MainActor @Sendable () -> Void) async -> Bool {
        await ask(.mainActor) { await question() }
    }

    /// Does the same with a call of the store.
    func askStore(_ call: @escaping @Sendable () async -> Void) async -> Bool {
        await ask(.store, question: call)
    }

    private func ask(
        _ asked: Asked, question: @escaping @Sendable () async -> Void
    ) async -> Bool {
        await withCheckedContinuation { isAnswered in
            let (number, isWaitedFor) = state.withLock { state -> (Int, Bool) in
                state.questions += 1
                state.underWay += 1
                // A main actor that has been waited for in vain is not waited for again.
                let isWaitedFor =
                    asked == .store || state.blockedSince == nil && state.life != .stopped
                if isWaitedFor {
                    state.question = PendingQuestion(
                        asked: asked, number: state.questions, moment: clock.now,
                        isAnswered: isAnswered)
                    armWake(&state)
                }
                return (state.questions, isWaitedFor)
            }
            Task {
                await question()
                answered(number, asked: asked)
            }
            if !isWaitedFor { isAnswered.resume(returning: false) }
        }
    }

    private func answered(_ number: Int, asked: Asked) {
        let question = state.withLock { state -> PendingQuestion? in
            state.underWay -= 1
            if asked == .mainActor, state.blockedSince != nil {
                state.blockedSince = nil
                put(.tell(.mainActorFree, clock.now), state: &state)
            }
            guard state.question?.number == number else {
                if asked == .store { put(.storeAnswered, state: &state) }
                return nil
            }
            defer { state.question = nil }
            return state.question
        }
        question?.isAnswered.resume(returning: true)
    }

    /// The question whose answer is not waited for any longer.
    func questionGivenUp(_ state: inout State) -> PendingQuestion? {
        guard let question = state.question,
            question.moment.instant + limits.silence <= clock.now.instant
        else { return nil }
        state.question = nil
        if question.asked == .mainActor {
            state.blockedSince = question.moment
            put(.tell(.mainActorBlocked(since: question.moment), clock.now), state: &state)
        }
        return question
    }

    /// When the main actor will have been silent for too long; nil while it owes no answer.
    var nextSilence: Duration? {
        state.withLock { state in
            guard let question = state.question, question.asked == .mainActor else { return nil }
            return question.moment.instant + limits.silence
        }
    }
}

/// The condition of a hand-made popup.
enum ForeignCondition: Sendable {
    case anywhere(@Sendable (ContextValues) -> Bool)
    case onMainActor(@MainActor @Sendable (ContextValues) -> Bool)
}

/// The conditions of the hand-made popups in the queues, each with its last result.
struct ForeignConditions {
    struct Entry {
        let id: String
        let condition: ForeignCondition
        var isTrue: Bool
        /// Distinguishes a popup from an earlier one of the same ID.
        let number: Int
    }

    private var entries: [String: Entry] = [:]
    private var count = 0

    var isEmpty: Bool { entries.isEmpty }
    /// Ordered by id.
    var all: [Entry] { entries.values.ordered { $0.id < $1.id } }

    subscript(id: String) -> Entry? { entries[id] }

    mutating func add(_ id: String, condition: ForeignCondition, isTrue: Bool) {
        count += 1
        entries[id] = Entry(id: id, condition: condition, isTrue: isTrue, number: count)
    }

    mutating func remove(_ id: String) { entries[id] = nil }

    /// Stores a result. Returns true if it changed and the popup is still in a queue.
    mutating func set(_ entry: Entry, isTrue: Bool) -> Bool {
        guard let known = entries[entry.id], known.number == entry.number, known.isTrue != isTrue
        else { return false }
        entries[entry.id]?.isTrue = isTrue
        return true
    }
}
