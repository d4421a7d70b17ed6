internal import PopCEL
package import PopScheduler
internal import PopSource
package import PopWire

extension WireForm<History> {
    package static let history = object(
        [
            WireKey(
                "version", form: .historyVersion, value: { _ in nil }, store: { _, _ in }),
            WireKey(
                "sessions", form: .sessionHistory,
                value: { $0.sessions == History.Sessions() ? nil : $0.sessions },
                store: { $0.sessions = $1 }),
            WireKey(
                "popups", form: .entries(of: .popupHistory), value: { $0.popups.unlessEmpty },
                store: { $0.popups = $1 }),
            WireKey(
                "events", form: .entries(of: .eventHistory), value: { $0.events.unlessEmpty },
                store: { $0.events = $1 }),
            WireKey(
                "occurrences", form: .entries(of: .tally), value: { $0.occurrences.unlessEmpty },
                store: { $0.occurrences = $1 }),
            WireKey(
                "values", form: .entries(of: .entries(of: .list(of: .valueCount))),
                value: { $0.values.counts.unlessEmpty },
                store: { $0.values = ValueCounts(sorting: $1) }),
        ], from: History(), skipsUnknown: true)
}

extension WireForm<History.Sessions> {
    fileprivate static let sessionHistory = object(
        [
            WireKey(
                "count", form: .tally, value: { $0.count.unlessZero }, store: { $0.count = $1 }),
            WireKey("first", form: .date, value: { $0.first }, store: { $0.first = $1 }),
            WireKey("began", form: .date, value: { $0.began }, store: { $0.began = $1 }),
            WireKey("left", form: .date, value: { $0.left }, store: { $0.left = $1 }),
            WireKey(
                "previousEnd", form: .date, value: { $0.previousEnd },
                store: { $0.previousEnd = $1 }),
        ], from: History.Sessions(), skipsUnknown: true)
}

extension WireForm<History.Popup> {
    fileprivate static let popupHistory = object(
        [
            WireKey(
                "shown", form: .tally, value: { $0.shownCount.unlessZero },
                store: { $0.shownCount = $1 }),
            WireKey(
                "impressions", form: .dates, value: { $0.impressions.unlessEmpty },
                store: { $0.impressions = $1 }),
            WireKey(
                "lastShown", form: .date, value: { $0.lastShown }, store: { $0.lastShown = $1 }),
            WireKey(
                "reservations", form: .dates, value: { $0.reservations.unlessEmpty },
                store: { $0.reservations = $1 }),
            WireKey(
                "dismissals", form: .tally, value: { $0.dismissals.unlessZero },
                store: { $0.dismissals = $1 }),
            WireKey(
                "lastReason", form: .knownReason, value: { $0.lastReason.map { .some($0) } },
                store: { $0.lastReason = $1 }),
            WireKey(
                "lastDismissed", form: .date, value: { $0.lastDismissed },
                store: { $0.lastDismissed = $1 }),
            WireKey(
                "actions", form: .entries(of: .action), value: { $0.actions.unlessEmpty },
                store: { $0.actions = $1 }),
            WireKey(
                "closed", form: .tally, value: { $0.closedCount.unlessZero },
                store: { $0.closedCount = $1 }),
            WireKey(
                "lastAction", form: .text, value: { $0.lastAction },
                store: { $0.lastAction = $1 }),
            WireKey(
                "goals", form: .entries(of: .goal), value: { $0.goals.unlessEmpty },
                store: { $0.goals = $1 }),
            WireKey(
                "exposures", form: .exposures,
                value: { $0.exposures == Exposures() ? nil : $0.exposures },
                store: { $0.exposures = $1 }),
        ], from: History.Popup(), skipsUnknown: true)
}

extension WireForm<ValueCounts.Count> {
    fileprivate static let valueCount = object(
        [
            WireKey("value", form: .text, value: { $0.text }, store: { $0.text = $1 }),
            WireKey(
                "shown", form: .tally, value: { $0.shown.unlessZero }, store: { $0.shown = $1 }),
            WireKey(
                "ofOwnCaps", form: .tally, value: { $0.ofOwnCaps.unlessZero },
                store: { $0.ofOwnCaps = $1 }),
            WireKey(
                "closed", form: .tally, value: { $0.closed.unlessZero }, store: { $0.closed = $1 }),
            WireKey(
                "last", form: .date, isRequired: true, value: { $0.last }, store: { $0.last = $1 }),
        ], from: ValueCounts.Count(text: nil, last: .min), skipsUnknown: true)
}

extension WireForm<History.Action> {
    fileprivate static let action = object(
        [
            WireKey(
                "count", form: .tally, value: { $0.count.unlessZero }, store: { $0.count = $1 }),
            WireKey(
                "last", form: .date, isRequired: true, value: { $0.last }, store: { $0.last = $1 }),
            WireKey("lastEnd", form: .date, value: { $0.lastEnd }, store: { $0.lastEnd = $1 }),
        ], from: History.Action(last: .min), skipsUnknown: true)
}

extension WireForm<History.Goal> {
    fileprivate static let goal = object(
        [
            WireKey(
                "conversions", form: .tally, value: { $0.conversions.unlessZero },
                store: { $0.conversions = $1 }),
            WireKey(
                "last", form: .date, isRequired: true, value: { $0.last }, store: { $0.last = $1 }),
            WireKey(
                "converted", form: .date, value: { $0.converted }, store: { $0.converted = $1 }),
        ], from: History.Goal(last: .min), skipsUnknown: true)
}

extension WireForm<Exposures> {
    fileprivate static let exposures = object(
        [
            WireKey(
                "count", form: .tally, value: { $0.count.unlessZero }, store: { $0.count = $1 }),
            WireKey(
                "control", form: .tally, value: { $0.controlCount.unlessZero },
                store: { $0.controlCount = $1 }),
            WireKey(
                "dates", form: .dates, value: { $0.dates.unlessEmpty }, store: { $0.dates = $1 }),
            WireKey("variant", form: .text, value: { $0.variant }, store: { $0.variant = $1 }),
            WireKey(
                "places", form: .dates, value: { $0.places.unlessEmpty },
                store: { $0.places = $1 }),
            WireKey(
                "placeCount", form: .tally, value: { $0.placeCount.unlessZero },
                store: { $0.placeCount = $1 }),
        ], from: Exposures(), skipsUnknown: true)
}

extension WireForm<History.SentEvent> {
    fileprivate static let eventHistory = object(
        [
            WireKey(
                "count", form: .tally, value: { $0.count.unlessZero }, store: { $0.count = $1 }),
            WireKey(
                "dates", form: .dates, value: { $0.dates.unlessEmpty }, store: { $0.dates = $1 }),
            WireKey("last", form: .date, value: { $0.last }, store: { $0.last = $1 }),
            WireKey(
                "amounts", form: .entries(of: .amounts), value: { $0.amounts.unlessEmpty },
                store: { $0.amounts = $1 }),
        ], from: History.SentEvent(), skipsUnknown: true)
}

extension WireForm<Amounts> {
    /// The amounts, each with its date, in the order in which they are summed.
    fileprivate static let amounts = {
        let list = WireForm<[DatedAmount]>.list(of: .amount)
        return WireForm(
            write: { amounts in
                list.write(
                    zip(amounts.dates, amounts.values).map { DatedAmount(date: $0, value: $1) })
            },
            read: { json, reader throws(BundleError) in
                var amounts = Amounts()
                for entry in try list.read(json, &reader) {
                    amounts.add(entry.value, at: entry.date)
                }
                return amounts
            })
    }()
}

private struct DatedAmount {
    var date = Timestamp.min
    var value = Value.int(0)
}

extension WireForm<DatedAmount> {
    fileprivate static let amount = object(
        [
            WireKey(
                "date", form: .date, isRequired: true, value: { $0.date }, store: { $0.date = $1 }),
            WireKey(
                "value", form: .number, isRequired: true, value: { $0.value },
                store: { $0.value = $1 }),
        ], from: DatedAmount())
}

extension WireForm<Value> {
    /// A value that can be summed.
    fileprivate static let number = WireForm(
        write: { value.write($0) },
        read: { json, reader throws(BundleError) in
            let number = try value.read(json, &reader)
            guard number.type.isNumeric else { throw .damaged("\(number) is not a number") }
            return number
        })
}

extension WireForm<[Timestamp]> {
    /// Dates in ascending order, as a history keeps them, even if they are written in another
    /// order.
    fileprivate static let dates = {
        let list = WireForm.list(of: .date)
        return WireForm(
            write: list.write,
            read: { json, reader throws(BundleError) in try list.read(json, &reader).ordered() })
    }()
}

extension WireForm<Int> {
    /// The number of times that something happened.
    static let tally = WireForm(
        write: { .int($0) },
        read: { json, reader throws(BundleError) in
            let number = try number.read(json, &reader)
            guard (0...reader.limits.historyCount).contains(Int64(number)) else {
                throw .damaged("\(number) is not a valid count")
            }
            return number
        })
}

extension WireForm<Int> {
    /// The version of a history: 1, or missing. A history of a version that this program doesn't
    /// know has another meaning, so it is rejected rather than read in part.
    fileprivate static let historyVersion = WireForm(
        write: { .int($0) },
        read: { json, reader throws(BundleError) in
            let version = try number.read(json, &reader)
            guard version == 1 else {
                throw .damaged(
                    "the history has version \(version), but this program reads version 1")
            }
            return version
        })
}

extension WireForm<ReasonCode?> {
    /// A reason code; nil for a code of a later version.
    fileprivate static let knownReason = WireForm(
        write: { $0.map { .string($0.rawValue) } ?? .null },
        read: { json, reader throws(BundleError) in
            ReasonCode(rawValue: try WireForm<String>.text.read(json, &reader))
        })
}

extension Int {
    fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}

extension HistoryRecord {
    /// The record in the form that a host stores.
    var wire: JSON { Self.written(self) }

    private static func written(_ record: HistoryRecord) -> JSON {
        func date(_ date: Timestamp) -> JSON { WireForm<Timestamp>.date.write(date) }
        return switch record {
        case .impression(let popup, let at, let reserved, let isExposed):
            .kind(
                "impression", under: "record",
                [
                    "popup": .string(popup), "date": date(at), "reserved": reserved.map(date),
                    "isExposed": isExposed ? true : nil,
                ])
        case .impressionTakenBack(let popup, let at, let isExposed):
            .kind(
                "impressionTakenBack", under: "record",
                [
                    "popup": .string(popup), "date": date(at), "isExposed": isExposed ? true : nil,
                ])
        case .reservation(let popup, let at):
            .kind("reservation", under: "record", ["popup": .string(popup), "date": date(at)])
        case .reservationTakenBack(let popup, let at, let isExposed):
            .kind(
                "reservationTakenBack", under: "record",
                [
                    "popup": .string(popup), "date": date(at), "isExposed": isExposed ? true : nil,
                ])
        case .exposure(let popup, let variant, let at, let reserved):
            .kind(
                "exposure", under: "record",
                [
                    "popup": .string(popup), "variant": .string(variant), "date": date(at),
                    "reserved": reserved.map(date),
                ])
        case .dismissal(let popup, let reason, let at):
            .kind(
                "dismissal", under: "record",
                ["popup": .string(popup), "reason": .string(reason.rawValue), "date": date(at)])
        case .acted(let popup, let action, let at, let isClosing):
            .kind(
                "acted", under: "record",
                [
                    "popup": .string(popup), "action": .string(action), "date": date(at),
                    "isClosing": isClosing ? .bool(true) : nil,
                ])
        case .endedByAction(let popup, let action, let at):
            .kind(
                "endedByAction", under: "record",
                ["popup": .string(popup), "action": .string(action), "date": date(at)])
        case .goalMatched(let popup, let goal, let at, let exposure):
            .kind(
                "goalMatched", under: "record",
                [
                    "popup": .string(popup), "goal": .string(goal), "date": date(at),
                    "exposure": exposure.map(date),
                ])
        case .event(let name, let at, let amounts):
            .kind(
                "event", under: "record",
                [
                    "event": .string(name), "date": date(at),
                    "amounts": amounts.unlessEmpty.map {
                        WireForm<[String: PopCEL.Value]>.values.write($0)
                    },
                ])
        case .session(let at): .kind("session", under: "record", ["date": date(at)])
        case .sessionLeft(let at): .kind("sessionLeft", under: "record", ["date": date(at)])
        case .occurrence(let trigger, let count):
            .kind(
                "occurrence", under: "record", ["trigger": .string(trigger), "count": .int(count)])
        case .counted(let popup, let value, let change, let at):
            .kind(
                "counted", under: "record",
                [
                    "popup": .string(popup), "key": .string(value.key),
                    "value": value.text.map { .string($0) }, "change": .string(change.rawValue),
                    "date": date(at),
                ])
        }
    }

    /// Reads a record; nil for a kind that only later versions know.
    static func read(
        _ json: JSON, _ reader: inout BundleReader
    ) throws(BundleError) -> HistoryRecord? {
        var fields = try WireFields(json)
        let kind = try fields.take("record", form: WireForm<String>.text, reader: &reader)
        switch kind {
        case "event", "session", "sessionLeft", "occurrence":
            return try aboutUser(kind, &fields, &reader)
        case "impression", "impressionTakenBack", "reservation", "reservationTakenBack", "exposure",
            "dismissal", "acted", "endedByAction", "goalMatched", "counted":
            return try aboutPopup(kind, &fields, &reader)
        default: return nil
        }
    }

    private static func aboutUser(
        _ kind: String, _ fields: inout WireFields, _ reader: inout BundleReader
    ) throws(BundleError) -> HistoryRecord? {
        let text = WireForm<String>.text
        if kind == "occurrence" {
            return .occurrence(
                trigger: try fields.take("trigger", form: text, reader: &reader),
                count: try fields.take("count", form: WireForm<Int>.tally, reader: &reader))
        }
        let date = try fields.take("date", form: WireForm<Timestamp>.date, reader: &reader)
        if kind == "session" { return .session(date: date) }
        if kind == "sessionLeft" { return .sessionLeft(date: date) }
        let values = WireForm<[String: PopCEL.Value]>.values
        return .event(
            name: try fields.take("event", form: text, reader: &reader), date: date,
            amounts: try fields.takeIfPresent("amounts", form: values, reader: &reader) ?? [:])
    }

    private static func aboutPopup(
        _ kind: String, _ fields: inout WireFields, _ reader: inout BundleReader
    ) throws(BundleError) -> HistoryRecord? {
        let (text, dateForm) = (WireForm<String>.text, WireForm<Timestamp>.date)
        let popup = try fields.take("popup", form: text, reader: &reader)
        let date = try fields.take("date", form: dateForm, reader: &reader)
        func isTrue(
            _ name: String, _ fields: inout WireFields, _ reader: inout BundleReader
        ) throws(BundleError) -> Bool {
            try fields.takeIfPresent(name, form: WireForm<Bool>.flag, reader: &reader) ?? false
        }
        switch kind {
        case "impression":
            return .impression(
                popup: popup, date: date,
                reserved: try fields.takeIfPresent("reserved", form: dateForm, reader: &reader),
                isExposed: try isTrue("isExposed", &fields, &reader))
        case "impressionTakenBack":
            return .impressionTakenBack(
                popup: popup, date: date, isExposed: try isTrue("isExposed", &fields, &reader))
        case "reservation": return .reservation(popup: popup, date: date)
        case "reservationTakenBack":
            return .reservationTakenBack(
                popup: popup, date: date, isExposed: try isTrue("isExposed", &fields, &reader))
        case "exposure":
            return .exposure(
                popup: popup, variant: try fields.take("variant", form: text, reader: &reader),
                date: date,
                reserved: try fields.takeIfPresent("reserved", form: dateForm, reader: &reader))
        case "dismissal":
            let reason = ReasonCode(
                rawValue: try fields.take("reason", form: text, reader: &reader))
            // A reason of a later version: the popup was still dismissed.
            return .dismissal(popup: popup, reason: reason ?? .disappeared, date: date)
        case "acted":
            return .acted(
                popup: popup, action: try fields.take("action", form: text, reader: &reader),
                date: date, isClosing: try isTrue("isClosing", &fields, &reader))
        case "endedByAction":
            return .endedByAction(
                popup: popup, action: try fields.take("action", form: text, reader: &reader),
                date: date)
        case "goalMatched":
            return .goalMatched(
                popup: popup, goal: try fields.take("goal", form: text, reader: &reader),
                date: date,
                exposure: try fields.takeIfPresent("exposure", form: dateForm, reader: &reader))
        case "counted":
            let change = ValueChange(
                rawValue: try fields.take("change", form: text, reader: &reader))
            let value = KeyedValue(
                key: try fields.take("key", form: text, reader: &reader),
                text: try fields.takeIfPresent("value", form: text, reader: &reader))
            return change.map { .counted(popup: popup, value: value, change: $0, date: date) }
        default: return nil
        }
    }
}

extension WireForm<[HistoryRecord]> {
    /// The records that a host has kept, oldest first. A kind that only later versions know is
    /// skipped; the host still has it.
    static let records = WireForm(
        write: { .array($0.map { $0.wire }) },
        read: { json, reader throws(BundleError) in
            var records: [HistoryRecord] = []
            for json in try list(json) {
                if let record = try HistoryRecord.read(json, &reader) { records.append(record) }
            }
            return records
        })

    private static func list(_ json: JSON) throws(BundleError) -> [JSON] {
        guard case .array(let items) = json else { throw .damaged("not a list") }
        return items
    }
}
