internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopWire

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
