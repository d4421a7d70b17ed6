public import PopCEL
internal import PopScheduler
internal import PopSource
public import PopWire

/// A scheduler to which inputs come as they happen, and what it answers as JSON.
struct ReplaySession: Sendable {
    private var scheduler: Scheduler
    /// When the last input came, or the session began.
    private var now: Moment

    /// Begins where a run does, before its inputs.
    init(of run: Replay, timeZones: TimeZones) {
        scheduler = Scheduler(
            rules: run.rules, seed: run.seed, user: run.user, history: run.history, at: run.start,
            timeZones: timeZones)
        now = run.start
    }

    /// The effects of each input.
    mutating func handle(_ steps: [Replay.Step]) -> JSON {
        var answers: [JSON] = []
        for step in steps {
            now = step.moment
            let effects = scheduler.handle(step.event, at: now).map { $0.wire }
            answers.append(.object(["effects": .array(effects)]))
        }
        return .array(answers)
    }

    /// When time alone will change something, since the start; nil when it will not.
    var nextWake: JSON? { scheduler.nextWake.map(WireForm<Duration>.duration.write) }

    /// What is known of the user, as another session may begin with it.
    var history: JSON { WireForm<History>.history.write(scheduler.history) }

    /// Why popups show or do not, at the moment of the last input or at another one.
    func explanations(of popups: [String], at moment: Moment? = nil) -> JSON {
        .array(scheduler.explanations(of: popups, at: moment ?? now).map { $0.wire })
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
        let number = last + 1
        var opened: ReplaySession?
        let answer = answer(request, limits: limits) { fields, reader throws(BundleError) in
            let run = try Replay(&fields, reader: &reader)
            try fields.end()
            var session = ReplaySession(of: run, timeZones: timeZones)
            let steps = session.handle(run.steps)
            opened = session
            return .object([
                "session": .int(number), "steps": steps, "nextWake": session.nextWake,
            ])
        }
        if let opened {
            sessions[number] = opened
            last = number
        }
        return answer
    }

    /// Runs a session through the `inputs` of a request: answers `steps` and `nextWake`.
    public mutating func handle(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer(request, limits: limits) { fields, reader throws(BundleError) in
            let form = WireForm<[Replay.Step]>.list(of: .step)
            let inputs = try fields.take("inputs", form: form, reader: &reader)
            try fields.end()
            // Taken out, so that it is changed in place.
            guard var session = sessions.removeValue(forKey: number) else { throw unknown(number) }
            let steps = session.handle(inputs)
            sessions[number] = session
            return .object(["steps": steps, "nextWake": session.nextWake])
        }
    }

    /// Explains the `popups` of a request, at the moment of the last input or `at` another one:
    /// answers `explanations`.
    public func explain(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer(request, limits: limits) { fields, reader throws(BundleError) in
            let names = WireForm<[String]>.list(of: .text)
            let popups = try fields.take("popups", form: names, reader: &reader)
            let moment = WireForm<Moment>.moment
            let time = try fields.takeIfPresent("at", form: moment, reader: &reader)
            try fields.end()
            guard let session = sessions[number] else { throw unknown(number) }
            return .object(["explanations": session.explanations(of: popups, at: time)])
        }
    }

    /// Explains the `popups` of a request as they would be after its `inputs`, which the session
    /// does not take in: answers `explanations`.
    public func suppose(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer(request, limits: limits) { fields, reader throws(BundleError) in
            let form = WireForm<[Replay.Step]>.list(of: .step)
            let inputs = try fields.take("inputs", form: form, reader: &reader)
            let names = WireForm<[String]>.list(of: .text)
            let popups = try fields.take("popups", form: names, reader: &reader)
            try fields.end()
            guard var session = sessions[number] else { throw unknown(number) }
            _ = session.handle(inputs)
            return .object(["explanations": session.explanations(of: popups)])
        }
    }

    /// What is known of the user of a session: an empty request is answered by the `history`, as
    /// `open` reads it.
    public func history(_ request: some Collection<UInt8>, in number: Int) -> [UInt8] {
        answer(request, limits: limits) { fields, _ throws(BundleError) in
            try fields.end()
            guard let session = sessions[number] else { throw unknown(number) }
            return .object(["history": session.history])
        }
    }

    /// Forgets a session.
    public mutating func close(_ number: Int) { sessions[number] = nil }

    private func unknown(_ number: Int) -> BundleError {
        .damaged("there is no session \(number)")
    }
}
