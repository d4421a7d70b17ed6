public import PopCEL
package import PopScheduler
package import PopSource
public import PopWire

/// A scheduler to which inputs come as they happen, and what it answers as JSON.
package struct ReplaySession: Sendable {
    private var scheduler: Scheduler
    /// When the last input came, or the session began.
    private var now: Moment
    private let limits: BundleLimits
    /// The members of the user's history that this version doesn't know.
    private var later: LaterMembers
    private var user: String

    /// Begins where a run does, before its inputs.
    init(of run: Replay, timeZones: TimeZones, limits: BundleLimits = .standard) {
        scheduler = Scheduler(
            rules: run.rules, seed: run.seed, user: run.user, history: run.history, at: run.start,
            timeZones: timeZones)
        now = run.start
        later = run.later
        user = run.user
        self.limits = limits
    }

    /// The effects of each input.
    mutating func handle(_ steps: [Replay.Step]) -> JSON { .array(steps.map { effects(of: $0) }) }

    private mutating func effects(of step: Replay.Step) -> JSON {
        now = step.moment
        follow(step)
        return .object(["effects": .array(scheduler.handle(step.event, at: now).map { $0.wire })])
    }

    /// Keeps the unknown members of the history that counts after a step.
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

    /// When time alone will change something, since the start; nil when it will not.
    var nextWake: JSON? { scheduler.nextWake.map(WireForm<Duration>.duration.write) }

    /// Why popups show or do not, at the moment of the last input or at another one; an error for
    /// one that there is not.
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

// Requests and what they come to, in the forms that `replay` reads and writes. One that cannot be
// read changes nothing.
extension ReplaySession {
    /// Begins by a request as `replay` reads it, its `bundle` left out where the rules are known
    /// already, and runs through the `inputs` in it, if any: answers `steps` and `nextWake`.
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

    /// Runs through the `inputs` of a request: answers `steps` and `nextWake`.
    package mutating func handle(_ request: some Collection<UInt8>) throws(BundleError) -> JSON {
        let inputs = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) in
            try fields.take("inputs", form: .steps, reader: &reader)
        }
        let steps = handle(inputs)
        return .object(members(steps))
    }

    /// Runs through inputs, one a line: answers for each its `effects` and `nextWake` after it.
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

    /// Explains the `popups` of a request, at the moment of the last input or `at` another one:
    /// answers `explanations`.
    package func explain(_ request: some Collection<UInt8>) throws(BundleError) -> JSON {
        let (popups, time) = try WireFields.read(request, limits: limits) {
            fields, reader throws(BundleError) -> ([String], Moment?) in
            let popups = try fields.take("popups", form: Self.names, reader: &reader)
            let moment = WireForm<Moment>.moment
            return (popups, try fields.takeIfPresent("at", form: moment, reader: &reader))
        }
        return .object(["explanations": try explanations(of: popups, at: time)])
    }

    /// Explains the `popups` of a request as they would be after its `inputs`, which the session
    /// does not take in: answers `explanations`.
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

    /// What is known of the user: answers the `history`, as a session that is opened reads it.
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

/// Sessions by number, as bytes to bytes: what the engine of web pages exports.
///
/// Requests and answers are JSON objects, in the forms that `replay` reads and writes; what cannot
/// be read is answered by an `error` and changes nothing.
public struct ReplaySessions: Sendable {
    private var sessions: [Int: ReplaySession] = [:]
    private var last = 0
    private let timeZones: TimeZones
    private let limits: BundleLimits

    public init(timeZones: TimeZones = .system, limits: BundleLimits = .standard) {
        self.timeZones = timeZones
        self.limits = limits
    }

    /// Opens a session by a request as `replay` reads it, and runs it through the `inputs` in it,
    /// if any.
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

    /// Runs a session through the `inputs` of a request: answers `steps` and `nextWake`.
    public mutating func handle(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in
            // Taken out, so that it is changed in place.
            guard var session = sessions.removeValue(forKey: number) else { throw unknown(number) }
            defer { sessions[number] = session }
            return try session.handle(request)
        }
    }

    /// Explains the `popups` of a request, at the moment of the last input or `at` another one:
    /// answers `explanations`.
    public func explain(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in try session(number).explain(request) }
    }

    /// Explains the `popups` of a request as they would be after its `inputs`, which the session
    /// does not take in: answers `explanations`.
    public func suppose(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer { () throws(BundleError) in try session(number).suppose(request) }
    }

    /// What is known of the user of a session: an empty request is answered by the `history`, as
    /// `open` reads it.
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
