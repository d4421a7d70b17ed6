public import PopCEL
package import PopScheduler
package import PopSource
public import PopWire

/// A scheduler that receives inputs as they happen, and its answers as JSON.
package struct ReplaySession: Sendable {
    private var scheduler: Scheduler
    /// The time of the last input, or of the start of the session.
    private var now: Moment
    private let limits: BundleLimits
    /// The members of the user's history that this version doesn't know.
    private var later: LaterMembers
    private var user: String

    /// Creates a session in the initial state of a run, before its inputs.
    init(of run: Replay, timeZones: TimeZones, limits: BundleLimits = .standard) {
        scheduler = Scheduler(
            rules: run.rules, seed: run.seed, user: run.user, history: run.history, at: run.start,
            timeZones: timeZones)
        now = run.start
        later = run.later
        user = run.user
        self.limits = limits
    }

    /// Returns the effects of each input.
    mutating func handle(_ steps: [Replay.Step]) -> JSON { .array(steps.map { effects(of: $0) }) }

    private mutating func effects(of step: Replay.Step) -> JSON {
        now = step.moment
        follow(step)
        return .object(["effects": .array(scheduler.handle(step.event, at: now).map { $0.wire })])
    }

    /// Keeps the unknown members of the history that applies after a step.
    private mutating func follow(_ step: Replay.Step) {
        switch step.event {
        case .switchUser(let user, _, _):
            self.user = user
            later = step.later
        case .historyChanged: later = step.later
        case .forget(let user): if user == self.user { later = LaterMembers() }
        case .forgetPopup(let popup): later.forget(popup: popup)
        case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss,
            .remove, .removeAll, .suspend, .resume, .reload, .zoneChanged, .forceArm,
            .beginSession, .background, .foreground, .poke, .timePassed, .answered, .didPresent,
            .presentFailed, .didDismiss, .userClosed, .acted, .didDisappear:
            break
        }
    }

    /// The time since the start at which the passing of time will change something; nil if it
    /// won't.
    var nextWake: JSON? { scheduler.nextWake.map(WireForm<Duration>.duration.write) }

    /// Returns the reasons why popups show or don't, at the time of the last input or at another
    /// time; throws for a popup that doesn't exist.
    func explanations(
        of popups: [String], at moment: Moment? = nil
    ) throws(BundleError) -> JSON {
        let explanations = scheduler.explanations(of: popups, at: moment ?? now)
        if explanations.count < popups.count {
            let known = Set(explanations.map { $0.popup })
            let unknown = popups.first { !known.contains($0) }
            throw .damaged("there is no popup `\(unknown ?? "")`")
        }
        return .array(explanations.map { $0.wire })
    }
}

// Requests and their answers, in the forms that `replay` reads and writes. A request that can't be
// read changes nothing.
extension ReplaySession {
    /// Opens a session with a request as `replay` reads it, without `bundle` if the rules are known
    /// already, and runs through its `inputs`, if any: returns `steps` and `nextWake`.
    package static func opened(
        by request: some Collection<UInt8>, rules: RuleSet? = nil, timeZones: TimeZones = .system,
        limits: BundleLimits = .standard
    ) throws(BundleError) -> (session: ReplaySession, answer: [JSON.Member]) {
        let run = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) in
            try Replay(&fields, reader: &reader, rules: rules)
        }
        var session = ReplaySession(of: run, timeZones: timeZones, limits: limits)
        let steps = session.handle(run.steps)
        return (session, session.members(steps))
    }

    /// Runs through the `inputs` of a request: returns `steps` and `nextWake`.
    package mutating func handle(_ request: some Collection<UInt8>) throws(BundleError) -> JSON {
        let inputs = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) in
            try fields.take("inputs", form: .steps, reader: &reader)
        }
        let steps = handle(inputs)
        return .object(members(steps))
    }

    /// Runs through inputs, one per line: returns for each its `effects` and the `nextWake` after
    /// it.
    package mutating func handle(
        lines request: some Collection<UInt8>
    ) throws(BundleError) -> [JSON] {
        var inputs: [Replay.Step] = []
        for (index, line) in request.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 })
        {
            do throws(BundleError) {
                inputs.append(try step(line))
            } catch {
                throw error.at("line \(index + 1)")
            }
        }
        return inputs.map { input in
            guard case .object(let members) = effects(of: input) else { return .null }
            let wake = nextWake.map { [JSON.Member(key: "nextWake", value: $0)] }
            return .object(members + (wake ?? []))
        }
    }

    private func step(_ line: some Collection<UInt8>) throws(BundleError) -> Replay.Step {
        var reader = BundleReader(limits: limits)
        return try WireForm<Replay.Step>.step.read(parsed(line, limits: limits), &reader)
    }

    /// Explains the `popups` of a request, at the time of the last input or at the time `at`:
    /// returns `explanations`.
    package func explain(_ request: some Collection<UInt8>) throws(BundleError) -> JSON {
        let (popups, time) = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) -> ([String], Moment?) in
            let popups = try fields.take("popups", form: Self.names, reader: &reader)
            let moment = WireForm<Moment>.moment
            return (popups, try fields.takeIfPresent("at", form: moment, reader: &reader))
        }
        return .object(["explanations": try explanations(of: popups, at: time)])
    }

    /// Explains the `popups` of a request as they would be after its `inputs`, which don't change
    /// the session: returns `explanations`.
    package func suppose(_ request: some Collection<UInt8>) throws(BundleError) -> JSON {
        let (inputs, popups) = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) -> ([Replay.Step], [String]) in
            let inputs = try fields.take(
                "inputs", form: WireForm<[Replay.Step]>.steps, reader: &reader)
            return (inputs, try fields.take("popups", form: Self.names, reader: &reader))
        }
        var session = self
        _ = session.handle(inputs)
        return .object(["explanations": try session.explanations(of: popups)])
    }

    /// The data about the user: `history`, in the form that opening a session reads.
    package var history: JSON {
        .object(["history": later.added(to: WireForm<History>.history.write(scheduler.history))])
    }

    private static var names: WireForm<[String]> { .list(of: .text) }

    private func members(_ steps: JSON) -> [JSON.Member] {
        guard case .object(let members) = JSON.object(["steps": steps, "nextWake": nextWake])
        else { return [] }
        return members
    }
}

/// Sessions by number, from bytes to bytes: the functions that the engine of web pages exports.
///
/// Requests and answers are JSON objects, in the forms that `replay` reads and writes; a request
/// that can't be read is answered by an `error` and changes nothing.
public struct ReplaySessions: Sendable {
    private var sessions: [Int: ReplaySession] = [:]
    private var last = 0
    private let timeZones: TimeZones
    private let limits: BundleLimits

    public init(timeZones: TimeZones = .system, limits: BundleLimits = .standard) {
        self.timeZones = timeZones
        self.limits = limits
    }

    /// Opens a session with a request as `replay` reads it, and runs it through its `inputs`, if
    /// any.
    ///
    /// The answer is that of `replay` with the number of the `session`.
    public mutating func open(_ request: some Collection<UInt8>) -> [UInt8] {
        answer { () throws(BundleError) in
            let (session, members) = try ReplaySession.opened(
                by: request, timeZones: timeZones, limits: limits)
            last += 1
            sessions[last] = session
            return .object([JSON.Member(key: "session", value: .int(last))] + members)
        }
    }

    /// Runs a session through the `inputs` of a request: returns `steps` and `nextWake`.
    public mutating func handle(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in
            // Removed from the dictionary, so that it is changed in place.
            guard var session = sessions.removeValue(forKey: number) else { throw unknown(number) }
            defer { sessions[number] = session }
            return try session.handle(request)
        }
    }

    /// Explains the `popups` of a request, at the time of the last input or at the time `at`:
    /// returns `explanations`.
    public func explain(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in try session(number).explain(request) }
    }

    /// Explains the `popups` of a request as they would be after its `inputs`, which don't change
    /// the session: returns `explanations`.
    public func suppose(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in try session(number).suppose(request) }
    }

    /// Returns the data about the user of a session: the answer to an empty request is the
    /// `history`, in the form that `open` reads.
    public func history(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in
            try WireFields.read(request, limits: limits) { _, _ throws(BundleError) in }
            return try session(number).history
        }
    }

    /// Forgets a session.
    public mutating func close(_ number: Int) { sessions[number] = nil }

    private func session(_ number: Int) throws(BundleError) -> ReplaySession {
        guard let session = sessions[number] else { throw unknown(number) }
        return session
    }

    private func unknown(_ number: Int) -> BundleError {
        .damaged("there is no session \(number)")
    }
}
