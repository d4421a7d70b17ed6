public import PopCEL
package import PopScheduler
package import PopSource
public import PopWire

/// Rules, and the inputs of their scheduler: everything that a run needs, so that the same bytes
/// have the same answer wherever they are run.
package struct Replay: Sendable {
    /// An input and its time.
    package struct Step: Sendable {
        package var moment: Moment
        package var event: Event
        /// The unknown members of the history in the event.
        var later = LaterMembers()

        package init(_ event: Event, at moment: Moment) {
            self.moment = moment
            self.event = event
        }
    }

    package var rules: RuleSet
    /// The seed of all random choices; the same seed results in the same effects.
    package var seed: UInt64 = 0
    package var user = ""
    package var history = History()
    /// The unknown members of the history.
    var later = LaterMembers()
    package var start: Moment
    package var steps: [Step] = []
    /// The popups that are explained at the end.
    package var explained: [String] = []

    package init(_ rules: RuleSet, start: Moment) {
        self.rules = rules
        self.start = start
    }
}

/// Runs a scheduler through inputs, from bytes to bytes: the function that the C interface, pages
/// and servers export.
///
/// The request is a JSON object: `bundle` as `poprules compile` writes it, `start` (`instant` and
/// `date`), and optionally `inputs`, each with its `input` and its time `at`, `seed`, `user`,
/// `history` with the `records` that were kept since it was written, and `explain`, a list of
/// popups. The answer has `steps`, each with its `effects`, the `nextWake` in time since the start,
/// and `explanations`; or, for a request that can't be read, an `error`. Linear in the inputs and
/// the rules that they affect.
public func replay(
    _ request: some Collection<UInt8>, timeZones: TimeZones = .system,
    limits: BundleLimits = .standard
) -> [UInt8] {
    answer { () throws(BundleError) in
        try replayed(request, timeZones: timeZones, limits: limits)
    }
}

/// Returns the answer to a request; throws if the request is invalid.
package func replayed(
    _ request: some Collection<UInt8>, timeZones: TimeZones = .system,
    limits: BundleLimits = .standard
) throws(BundleError) -> JSON {
    let run = try WireFields.read(request, limits: limits) {
        (fields, reader) throws(BundleError) -> Replay in
        try Replay(&fields, reader: &reader)
    }
    var session = ReplaySession(of: run, timeZones: timeZones)
    let steps = session.handle(run.steps)
    let explanations = run.explained.isEmpty ? nil : try session.explanations(of: run.explained)
    return .object(["steps": steps, "nextWake": session.nextWake, "explanations": explanations])
}

extension Replay {
    /// The request that `replay` answers.
    package var request: [UInt8] {
        let json = JSON.object([
            "bundle": WireForm<RuleSet>.bundle.write(rules),
            "start": WireForm<Moment>.moment.write(start),
            "inputs": WireForm.list(of: .step).write(steps),
            "seed": .int(Int64(bitPattern: seed)), "user": .string(user),
            "history": WireForm<History>.history.write(history),
            "explain": WireForm.list(of: .text).write(explained),
        ])
        return Array(json.compact.utf8)
    }

    /// Reads the members that start a run; its `bundle` only if the rules aren't known already.
    init(
        _ fields: inout WireFields, reader: inout BundleReader, rules: RuleSet? = nil
    ) throws(BundleError) {
        let bundle = WireForm<RuleSet>.bundle
        let known =
            if let rules { rules } else {
                try fields.take("bundle", form: bundle, reader: &reader)
            }
        self.init(
            known,
            start: try fields.take("start", form: WireForm<Moment>.moment, reader: &reader))
        let steps = WireForm<[Step]>.steps
        self.steps = try fields.takeIfPresent("inputs", form: steps, reader: &reader) ?? []
        try readRest(&fields, reader: &reader)
    }

    /// Reads the optional members.
    private mutating func readRest(
        _ fields: inout WireFields, reader: inout BundleReader
    ) throws(BundleError) {
        let text = WireForm<String>.text
        if let seed = try fields.takeIfPresent(
            "seed", form: WireForm<Int64>.number, reader: &reader)
        {
            self.seed = UInt64(bitPattern: seed)
        }
        if let user = try fields.takeIfPresent("user", form: text, reader: &reader) {
            self.user = user
        }
        later = try fields.laterMembers(&reader)
        history = try fields.takeHistory(&reader)
        let names = WireForm<[String]>.list(of: text)
        explained = try fields.takeIfPresent("explain", form: names, reader: &reader) ?? []
    }
}

extension WireForm<Replay.Step> {
    /// An input with its time as `at`.
    static let step = WireForm(
        write: { step in
            guard case .object(let members) = WireForm<Event>.input.write(step.event) else {
                return .null
            }
            let time = WireForm<Moment>.moment.write(step.moment)
            return .object([JSON.Member(key: "at", value: time)] + members)
        },
        read: { json, reader throws(BundleError) in
            guard case .object(var members) = json,
                let place = members.firstIndex(where: { $0.key == "at" })
            else { throw .damaged("an input has no `at`") }
            let moment = try WireForm<Moment>.moment.read(members.remove(at: place).value, &reader)
            let event = try WireForm<Event>.input.read(.object(members), &reader)
            var step = Replay.Step(event, at: moment)
            step.later = try WireFields(.object(members)).laterMembers(&reader)
            return step
        })
}

extension WireForm<[Replay.Step]> {
    /// A list of inputs with their times; an error about an input contains its number.
    static let steps = WireForm(
        write: { .array($0.map(WireForm<Replay.Step>.step.write)) },
        read: { json, reader throws(BundleError) in
            guard case .array(let items) = json else { throw .damaged("not a list") }
            var steps: [Replay.Step] = []
            for (index, item) in items.enumerated() {
                do throws(BundleError) {
                    steps.append(try WireForm<Replay.Step>.step.read(item, &reader))
                } catch {
                    throw error.at("input \(index + 1)")
                }
            }
            return steps
        })
}

extension WireFields {
    /// Takes the `history` of a user and adds the `records` that were kept since then.
    mutating func takeHistory(_ reader: inout BundleReader) throws(BundleError) -> History {
        var history =
            try takeIfPresent("history", form: WireForm<History>.history, reader: &reader)
            ?? History()
        let records = WireForm<[HistoryRecord]>.records
        for record in try takeIfPresent("records", form: records, reader: &reader) ?? [] {
            history.apply(record)
        }
        return history
    }

    /// Returns the members of the `history` that this version doesn't know; takes nothing.
    func laterMembers(_ reader: inout BundleReader) throws(BundleError) -> LaterMembers {
        guard let original = self["history"] else { return LaterMembers() }
        let history = try WireForm<History>.history.read(original, &reader)
        return LaterMembers(of: original, readAs: history)
    }
}

/// The members of a history that a later version wrote and that this version doesn't know.
///
/// A session reads the rest, and writes these members again: an engine that is rolled back loses
/// nothing of what the newer one has stored.
struct LaterMembers: Sendable {
    /// The unknown members, nested as in the history.
    private var members: JSON = .object([])

    init() {}

    /// Keeps the members of `original` that are missing from the history read from it.
    init(of original: JSON, readAs history: History) {
        members = Self.rest(of: original, without: WireForm<History>.history.write(history))
    }

    /// Returns the members of `original` that `known` lacks. Lists are taken as a whole.
    private static func rest(of original: JSON, without known: JSON) -> JSON {
        guard case .object(let members) = original else { return .object([]) }
        let known = known.membersByKey
        var rest: [JSON.Member] = []
        for member in members {
            guard let known = known[member.key] else {
                rest.append(member)
                continue
            }
            let inner = Self.rest(of: member.value, without: known)
            if case .object(let inner) = inner, inner.isEmpty { continue }
            rest.append(JSON.Member(key: member.key, value: inner))
        }
        return .object(rest)
    }

    /// Forgets the members of a popup.
    mutating func forget(popup: String) {
        guard case .object(var sections) = members else { return }
        for place in sections.indices {
            guard case .object(let entries) = sections[place].value else { continue }
            sections[place].value = .object(entries.filter { $0.key != popup })
        }
        members = .object(sections)
    }

    /// Returns a written history together with these members, if it still has their parents.
    func added(to written: JSON) -> JSON { Self.merged(written, members) }

    private static func merged(_ written: JSON, _ later: JSON) -> JSON {
        guard case .object(var members) = written, case .object(let added) = later else {
            return written
        }
        var places: [String: Int] = [:]
        for place in members.indices.reversed() { places[members[place].key] = place }
        for member in added {
            if let place = places[member.key] {
                members[place].value = merged(members[place].value, member.value)
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}

extension JSON {
    /// The values of an object by their keys; empty for other values. A history can have many
    /// popups and events, so that looking at all members for each key would take too long.
    fileprivate var membersByKey: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        var values: [String: JSON] = [:]
        for member in members.reversed() { values[member.key] = member.value }
        return values
    }
}
