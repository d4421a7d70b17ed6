internal import PopCEL
internal import PopScheduler
internal import PopSource

// The parts of popups and schedulers.

extension WireForm<WindowCap.Period> {
    private static let session = "session"

    /// A duration, a unit of the calendar, the session, or the index of a key as an object.
    fileprivate static let period = WireForm(
        written: { period in
            switch period {
            case .rolling(let duration): WireForm<Duration>.positiveLength.written(duration)
            case .calendar(let unit):
                Written(json: .string(unit.rawValue), version: unit.firstVersion)
            case .session: Written(json: .string(session), version: 2)
            case .value(let key):
                Written(json: .object(["key": .int(key.number)]), version: 2)
            }
        },
        read: { json, reader throws(BundleError) in
            if json == .string(session) { return .session }
            if let key = json["key"] {
                let place = WireForm<KeyIndex>.place { $0.counts.keys }
                return .value(of: try place.read(key, &reader))
            }
            if case .string(let text) = json, let unit = CalendarUnit(rawValue: text) {
                return .calendar(unit)
            }
            return .rolling(try WireForm<Duration>.positiveLength.read(json, &reader))
        })
}

extension CalendarUnit {
    /// The first version of bundles that has it.
    fileprivate var firstVersion: Int {
        switch self {
        case .day, .week: 1
        case .month: 2
        }
    }
}

extension WireForm<WindowCap> {
    static let window = object(
        [
            WireKey(
                "max", form: .count, isRequired: true, value: { $0.max }, store: { $0.max = $1 }),
            WireKey(
                "per", form: .period, isRequired: true, value: { $0.per }, store: { $0.per = $1 }),
            WireKey("zone", form: .zone, since: 2, value: { $0.zone }, store: { $0.zone = $1 }),
        ], from: WindowCap(max: 1, per: .calendar(.day)))
}

extension WireForm<Set<Schedule.Weekday>> {
    /// Numbers, 0 for Monday.
    fileprivate static let days = WireForm(
        write: { .array($0.map { $0.rawValue }.ordered().map { .int($0) }) },
        read: { json, reader throws(BundleError) in
            let numbers = try WireForm<[Int]>.list(of: .number).read(json, &reader)
            let days = Set(numbers.compactMap { Schedule.Weekday(rawValue: $0) })
            guard days.count == numbers.count else {
                throw .damaged("its days are not different days of the week")
            }
            return days
        })
}

extension WireForm<Schedule.Hours> {
    /// Two numbers of minutes.
    static let hours = WireForm(
        write: { .array([.int($0.from), .int($0.until)]) },
        read: { json, reader throws(BundleError) in
            let bounds = try WireForm<[Int]>.list(of: .number).read(json, &reader)
            guard bounds.count == 2, (0..<1440).contains(bounds[0]), (1...1440).contains(bounds[1])
            else { throw .damaged("its hours are not within a day") }
            return Schedule.Hours(from: bounds[0], until: bounds[1])
        })
}

extension WireForm<Zone> {
    /// The name of a zone, `local`, or the index of a key.
    static let zone = WireForm(
        written: { zone in
            switch zone {
            case .named(let name): Written(json: .string(name))
            case .local: Written(json: .string("local"), version: 2)
            case .key(let key): Written(json: .int(key.number), version: 2)
            }
        },
        read: { json, reader throws(BundleError) in
            if case .int = json {
                let place = WireForm<KeyIndex>.place { $0.counts.keys }
                return .key(try place.read(json, &reader))
            }
            let name = try WireForm<String>.text.read(json, &reader)
            return name == "local" ? .local : .named(name)
        })
}

extension WireForm<Schedule.Bound> {
    /// A date; a local time as an object.
    fileprivate static let bound = WireForm(
        written: { bound in
            switch bound {
            case .moment(let moment): WireForm<Timestamp>.date.written(moment)
            case .day(let day): Written(json: .object(["day": .int(day)]), version: 2)
            case .reading(let seconds):
                Written(json: .object(["reading": .int(seconds)]), version: 2)
            }
        },
        read: { json, reader throws(BundleError) in
            if let day = json["day"] { return .day(try WireForm<Int>.day.read(day, &reader)) }
            if let seconds = json["reading"] {
                return .reading(try WireForm<Int64>.reading.read(seconds, &reader))
            }
            return .moment(try WireForm<Timestamp>.date.read(json, &reader))
        })
}

extension WireForm<Schedule> {
    fileprivate static let entry = object(
        [
            WireKey("from", form: .bound, value: { $0.from }, store: { $0.from = $1 }),
            WireKey("until", form: .bound, value: { $0.until }, store: { $0.until = $1 }),
            WireKey("days", form: .days, value: { $0.days }, store: { $0.days = $1 }),
            WireKey("hours", form: .hours, value: { $0.hours }, store: { $0.hours = $1 }),
            WireKey(
                "zone", form: .zone, value: { $0.zone == .utc ? nil : $0.zone },
                store: { $0.zone = $1 }),
            WireKey(
                "when", form: .condition, since: 2, value: { $0.when }, store: { $0.when = $1 }),
        ], from: Schedule())
}

extension WireForm<[Schedule]> {
    /// A single entry, as in version 1, or a list.
    static let schedule = WireForm(
        written: { entries in
            if entries.count == 1 { return WireForm<Schedule>.entry.written(entries[0]) }
            return Written(json: list(of: .entry).write(entries), version: 2)
        },
        read: { json, reader throws(BundleError) in
            if case .object = json { return [try WireForm<Schedule>.entry.read(json, &reader)] }
            return try list(of: .entry).read(json, &reader)
        })
}

/// A rollout as a bundle writes it: one of three forms of the share.
private struct WireRollout: Sendable {
    var percent: Double?
    var range: [Double]?
    var steps: [Rollout.Step]?
    var key = KeyIndex(0)
    var salt = ""

    init() {}

    init(_ rollout: Rollout) {
        (key, salt) = (rollout.key, rollout.salt)
        switch rollout.share {
        case .steps(let steps): self.steps = steps
        case .range(let part) where part.lowerBound == 0: percent = part.upperBound
        case .range(let part): range = [part.lowerBound, part.upperBound]
        }
    }

    var rollout: Rollout? {
        let share: Rollout.Share
        if let steps {
            share = .steps(steps)
        } else if let range, range.count == 2, range[0] <= range[1] {
            share = .range(range[0]..<range[1])
        } else if let percent {
            share = .range(0..<percent)
        } else {
            return nil
        }
        return Rollout(share: share, key: key, salt: salt)
    }

    static let form = WireForm<WireRollout>.object(
        [
            WireKey("percent", form: .percent, value: { $0.percent }, store: { $0.percent = $1 }),
            WireKey(
                "range", form: .list(of: .percent), since: 2, value: { $0.range },
                store: { $0.range = $1 }),
            WireKey(
                "steps", form: .list(of: .step), since: 2, value: { $0.steps },
                store: { $0.steps = $1 }),
            WireKey(
                "key", form: .place { $0.counts.keys }, isRequired: true, value: { $0.key },
                store: { $0.key = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, value: { $0.salt }, store: { $0.salt = $1 }),
        ], from: WireRollout())
}

extension WireForm<Rollout.Step> {
    fileprivate static let step = object(
        [
            WireKey(
                "begins", form: .date, isRequired: true, value: { $0.begins },
                store: { $0.begins = $1 }),
            WireKey(
                "percent", form: .percent, isRequired: true, value: { $0.percent },
                store: { $0.percent = $1 }),
        ], from: Rollout.Step(begins: .min, percent: 0))
}

extension WireForm<Rollout> {
    static let rollout = WireForm(
        written: { WireRollout.form.written(WireRollout($0)) },
        read: { json, reader throws(BundleError) in
            guard let rollout = try WireRollout.form.read(json, &reader).rollout else {
                throw .damaged("a rollout has no valid percentage")
            }
            return rollout
        })
}

extension WireForm<Double> {
    static let percent = percent { $0 <= 100 }

    /// A percentage below 100, so that some users remain.
    static let percentBelowAll = percent { $0 < 100 }

    private static func percent(isSmallEnough: @escaping @Sendable (Double) -> Bool) -> WireForm {
        WireForm(
            write: fraction.write,
            read: { json, reader throws(BundleError) in
                let percent = try fraction.read(json, &reader)
                guard percent >= 0, isSmallEnough(percent) else {
                    throw .damaged("a share of the users is not a valid percentage")
                }
                return percent
            })
    }
}

extension WireForm<ClosedRange<Duration>> {
    /// One duration, or two bounds to choose a random one between.
    static let span = WireForm(
        written: { bounds in
            bounds.lowerBound == bounds.upperBound
                ? WireForm<Duration>.length.written(bounds.lowerBound)
                : Written(json: gap.write(bounds), version: 2)
        },
        read: { json, reader throws(BundleError) in
            if case .array = json { return try gap.read(json, &reader) }
            let duration = try WireForm<Duration>.length.read(json, &reader)
            return duration...duration
        })

    /// The two bounds.
    static let gap = WireForm(
        write: { .array([$0.lowerBound, $0.upperBound].map(WireForm<Duration>.length.write)) },
        read: { json, reader throws(BundleError) in
            let bounds = try WireForm<[Duration]>.list(of: .length).read(json, &reader)
            guard bounds.count == 2, bounds[0] <= bounds[1] else {
                throw .damaged("a range of durations is not valid")
            }
            return bounds[0]...bounds[1]
        })
}

/// A trigger as a bundle writes it: a word, and its details.
private struct WireTrigger {
    /// An occasion, or the kind of another trigger.
    var kind = Trigger.Occasion.start.rawValue
    var event: EventIndex?
    var `where`: Condition?
    var nth: Int?
    var every: Int?
    var key: KeyIndex?
    var popup: PopupIndex?
    var action: String?

    private static let event = "event"
    private static let changed = "changed"
    private static let acted = "acted"

    init() {}

    init(_ trigger: Trigger) {
        switch trigger {
        case .occasion(let occasion): kind = occasion.rawValue
        case .changed(let key):
            kind = Self.changed
            self.key = key
        case .acted(let popup, let action):
            kind = Self.acted
            (self.popup, self.action) = (popup, action)
        case .event(let trigger):
            kind = Self.event
            event = trigger.event
            `where` = trigger.where
            switch trigger.occurrence {
            case .any: break
            case .nth(let number): nth = number
            case .every(let number): every = number
            }
        }
    }

    var trigger: Trigger? {
        switch kind {
        case Self.changed: return key.map { .changed(key: $0) }
        case Self.acted:
            guard let popup, let action else { return nil }
            return .acted(popup: popup, action: action)
        case Self.event:
            let occurrence: EventTrigger.Occurrence =
                if let nth { .nth(nth) } else if let every { .every(every) } else { .any }
            return event.map {
                .event(EventTrigger(event: $0, where: `where`, occurrence: occurrence))
            }
        default: return Trigger.Occasion(rawValue: kind).map { .occasion($0) }
        }
    }

    /// Returns the members of a trigger; `where` may read the fields of the event, so the event
    /// must be known first.
    static func keys(of event: EventIndex?) -> [WireKey<WireTrigger>] {
        [
            WireKey(
                "kind", form: .text, isRequired: true, value: { $0.kind }, store: { $0.kind = $1 }),
            WireKey(
                "event", form: .place { $0.counts.events }, value: { $0.event },
                store: { $0.event = $1 }),
            WireKey(
                "where", form: .condition(inside: event), value: { $0.where },
                store: { $0.where = $1 }),
            WireKey("nth", form: .count, value: { $0.nth }, store: { $0.nth = $1 }),
            WireKey("every", form: .count, value: { $0.every }, store: { $0.every = $1 }),
            WireKey(
                "key", form: .place { $0.counts.keys }, value: { $0.key }, store: { $0.key = $1 }
            ),
            WireKey(
                "popup", form: .place { $0.counts.popups }, since: 2, value: { $0.popup },
                store: { $0.popup = $1 }),
            WireKey(
                "action", form: .text, since: 2, value: { $0.action }, store: { $0.action = $1 }),
        ]
    }
}

extension Trigger {
    /// The first version of bundles that has it.
    fileprivate var firstVersion: Int {
        switch self {
        case .occasion(.session), .acted: 2
        case .occasion(.start), .occasion(.manual), .changed, .event: 1
        }
    }
}

extension WireForm<Trigger> {
    static let trigger = WireForm(
        written: { trigger in
            WireForm<WireTrigger>.object(WireTrigger.keys(of: nil), from: WireTrigger())
                .written(WireTrigger(trigger)).atLeast(trigger.firstVersion)
        },
        read: { json, reader throws(BundleError) in
            let keys = WireTrigger.keys(of: try reader.event(in: json))
            let read = try WireForm<WireTrigger>.object(keys, from: WireTrigger())
                .read(json, &reader)
            guard let trigger = read.trigger else {
                throw .damaged("a trigger is incomplete or of an unknown kind")
            }
            return trigger
        })
}

extension BundleReader {
    /// Returns the event whose fields the conditions of an object may read; nil if it names none.
    mutating func event(in json: JSON) throws(BundleError) -> EventIndex? {
        guard let place = json["event"] else { return nil }
        return try WireForm<EventIndex>.place { $0.counts.events }.read(place, &self)
    }
}
