internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScheduler
internal import PopSource

/// The words for what conditions read and ask, in the names of some rules.
struct TestWords {
    let rules: RuleSet
    let declarations: Declarations

    /// A line of a cover: `user.plan is pro or team, user.launches from 3 on`.
    func line(_ tests: [Test]) -> String {
        if tests.isEmpty { return "everyone" }
        let asked = Set(tests.compactMap { askedName($0) })
        let told = tests.filter { test in
            guard case .present = test.values, !test.orMissing else { return true }
            switch test.subject {
            case .value(let entry, let fields), .size(let entry, let fields):
                return !asked.contains(name(entry, fields: fields))
            case .text, .difference, .element, .itself, .written: return true
            }
        }
        return told.map { text($0) }.joined(separator: ", ")
    }

    /// A condition with a name, and what it asks for where that is one line.
    func line(_ name: String, asking cover: [[Test]]) -> String {
        cover.count == 1 ? "\(name) (\(line(cover[0])))" : name
    }

    /// What certainly has a value where a test of it has been passed.
    private func askedName(_ test: Test) -> String? {
        switch test.subject {
        case .text(let entry, let fields, _, _), .element(let entry, let fields, _):
            name(entry, fields: fields)
        case .value, .size, .difference, .itself, .written: nil
        }
    }

    /// As conditions write it.
    func name(_ entry: SlotTable.Entry) -> String {
        if let field = declarations.fieldName(entry) { return "event.\(field)" }
        switch entry {
        case .variable(let identity): return identity
        case .call(let function, let arguments):
            return "\(function)(\(arguments.map { argument($0) }.joined(separator: ", ")))"
        }
    }

    private func argument(_ value: Value) -> String {
        if case .duration(let duration) = value { return YAMLText.duration(duration) }
        return value.yaml
    }

    func name(_ entry: SlotTable.Entry, fields: [String]) -> String {
        ([name(entry)] + fields).joined(separator: ".")
    }

    func text(_ test: Test) -> String {
        var text = plainText(test)
        if test.orNaN { text += " or not a number" }
        if test.orMissing { text += " or missing" }
        return text
    }

    private func plainText(_ test: Test) -> String {
        switch test.subject {
        case .value(let entry, let fields):
            if let ago = agoText(entry, fields: fields, values: test.values) { return ago }
            if let times = timesText(entry, fields: fields, values: test.values) { return times }
            return said(of: name(entry, fields: fields), test.values)
        case .size(let entry, let fields):
            let subject = name(entry, fields: fields)
            switch test.values {
            case .present, .missing: return said(of: subject, test.values)
            case .truth, .among, .except, .ranges, .outcomes:
                return said(of: "size of \(subject)", test.values)
            }
        case .text(let entry, let fields, let asked, let folding):
            let isMet = if case .truth(false) = test.values { false } else { true }
            let subject = name(entry, fields: fields)
            let folded =
                switch folding {
                case .none: subject
                case .lowerASCII: "\(subject) in small letters"
                case .upperASCII: "\(subject) in capital letters"
                }
            return "\(folded) \(words(asked, isMet: isMet))"
        case .difference(let one, let other):
            return differenceText(one, minus: other, values: test.values)
        case .element(let entry, let fields, let inner):
            let hasOne = if case .truth(false) = test.values { false } else { true }
            let list = name(entry, fields: fields)
            if case .among(let values) = inner.values, values.count == 1 {
                return "\(list) \(hasOne ? "has" : "without") \(words(values[0]))"
            }
            let element = said(of: "that", inner.values)
            return hasOne
                ? "\(list) with an element \(element)"
                : "\(list) without an element \(element)"
        case .itself: return said(of: "that", test.values)
        case .written(let text): return writtenText(text, values: test.values)
        }
    }

    private func writtenText(_ text: String, values: Test.Values) -> String {
        guard case .outcomes(let yes, let no, let failure) = values else { return "`\(text)`" }
        var words: [String] = []
        if yes { words.append("`\(text)`") }
        if no { words.append("not `\(text)`") }
        if failure { words.append("`\(text)` fails") }
        return words.joined(separator: " or ")
    }

    private func said(of name: String, _ values: Test.Values) -> String {
        switch values {
        case .truth(let truth): truth ? name : "not \(name)"
        case .among(let values): "\(name) is \(alternatives(of: values))"
        case .except(let values): "\(name) not \(alternatives(of: values))"
        case .ranges(let ranges):
            "\(name) \(ranges.map { words($0) }.joined(separator: " or "))"
        case .present: "\(name) has a value"
        case .missing: "\(name) is missing"
        case .outcomes: name
        }
    }

    private func alternatives(of values: [Value]) -> String {
        let words = values.map { self.words($0) }
        guard words.count > 2 else { return words.joined(separator: " or ") }
        return words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }

    /// A value of a person's own; texts stand in quotes where they would not read as one word.
    func words(_ value: Value) -> String {
        switch value {
        case .string(let text): YAMLText.name(bounded(text))
        case .duration(let duration): Self.words(duration)
        case .version(let version): version.text
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .list, .map, .type, .optional:
            bounded(value.yaml)
        }
    }

    /// In days or hours where it is that many: `2 days`, `36 hours`, `1h 30m`.
    static func words(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds == 0, seconds != 0 else { return timeText(duration) }
        for (unit, length) in [("day", 86_400), ("hour", 3_600)] as [(String, Int64)]
        where seconds % length == 0 {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return timeText(duration)
    }

    private func words(_ bounds: Test.Bounds) -> String {
        switch (bounds.lower, bounds.upper) {
        case (nil, nil): return "has a value"
        case (let lower?, nil):
            return lower.isIncluded
                ? "from \(words(lower.value)) on" : "above \(words(lower.value))"
        case (nil, let upper?): return below(upper)
        case (let lower?, let upper?):
            if lower.isIncluded, upper.isIncluded {
                let (first, last) = (words(lower.value), words(upper.value))
                return first == last ? "is \(first)" : "\(first) to \(last)"
            }
            let start =
                lower.isIncluded
                ? "from \(words(lower.value))"
                : "above \(words(lower.value))"
            return "\(start) and \(below(upper))"
        }
    }

    /// Whole numbers end below the next one.
    private func below(_ upper: Test.Bounds.Bound) -> String {
        switch upper.value {
        case .int(let number) where upper.isIncluded && number < Int64.max:
            "below \(number + 1)"
        case .uint(let number) where upper.isIncluded && number < UInt64.max:
            "below \(number + 1)"
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .list, .map, .type, .optional:
            upper.isIncluded ? "up to \(words(upper.value))" : "below \(words(upper.value))"
        }
    }

    private func words(_ test: TextAutomaton.Test, isMet: Bool) -> String {
        let (verb, text) =
            switch test {
            case .contains(let text): (isMet ? "contains" : "does not contain", text)
            case .startsWith(let text): (isMet ? "starts with" : "does not start with", text)
            case .endsWith(let text): (isMet ? "ends with" : "does not end with", text)
            case .equals(let text): (isMet ? "is" : "is not", text)
            case .isBelow(let text): (isMet ? "comes before" : "does not come before", text)
            case .matches(let text): (isMet ? "matches" : "does not match", text)
            }
        return "\(verb) \(JSON.string(text).compact)"
    }
}

// MARK: How often

extension TestWords {
    /// What a history counts, such as `tour never shown`; nil of what is no count.
    private func counted(_ entry: SlotTable.Entry) -> (subject: String, verb: String, end: String)?
    {
        switch declarations.slotMeaning(entry) {
        case .shownCount: popupName(entry).map { ($0, "shown", "") }
        case .closedCount: popupName(entry).map { ($0, "closed", "") }
        case .eventCount(let event, let within):
            (event, "sent", within.map { " in \(timeText($0))" } ?? "")
        case .key, .condition, .now, .session, .lastShown, .lastReason, .variant,
            .exposedCount, .lastAction, .converted, .acted, .lastActed, .lastEvent,
            .sinceEvent, .eventSum, .scheduleOpen, .payload, .payloadField, nil:
            nil
        }
    }

    private func popupName(_ entry: SlotTable.Entry) -> String? {
        name(entry).split(separator: ".").dropFirst().first.map { String($0) }
    }

    private func timesText(
        _ entry: SlotTable.Entry, fields: [String], values: Test.Values
    ) -> String? {
        guard fields.isEmpty, let (subject, verb, end) = counted(entry),
            case .ranges(let ranges) = values, ranges.count == 1
        else { return nil }
        let lower: Int64
        switch ranges[0].lower {
        case nil: lower = 0
        case let bound?:
            guard bound.isIncluded, case .int(let number) = bound.value else { return nil }
            lower = number
        }
        guard let bound = ranges[0].upper else {
            return "\(subject) \(verb) at least \(Self.times(lower))\(end)"
        }
        guard bound.isIncluded, case .int(let upper) = bound.value else { return nil }
        if upper == 0 { return never(subject, verb: verb, end: end) }
        if lower == upper { return "\(subject) \(verb) \(Self.times(lower))\(end)" }
        return lower == 0
            ? "\(subject) \(verb) at most \(Self.times(upper))\(end)"
            : "\(subject) \(verb) \(lower) to \(Self.times(upper))\(end)"
    }

    private func never(_ subject: String, verb: String, end: String) -> String {
        end.isEmpty ? "\(subject) never \(verb)" : "\(subject) not \(verb)\(end)"
    }

    private static func times(_ count: Int64) -> String {
        count == 1 ? "once" : "\(count) times"
    }

    /// What is so of somebody, beside keys of the context and fields of an event.
    func fact(_ entry: SlotTable.Entry, value: Value?) -> String {
        if let (subject, verb, end) = counted(entry), case .int(let count)? = value {
            return count == 0
                ? never(subject, verb: verb, end: end)
                : "\(subject) \(verb) \(Self.times(count))\(end)"
        }
        switch declarations.slotMeaning(entry) {
        case .lastReason:
            if let popup = popupName(entry) {
                guard case .string(let reason)? = value else { return "\(popup) never ended" }
                return "\(popup) last ended as \(reason)"
            }
        case .sinceEvent(let event):
            guard case .duration(let ago)? = value else { return "\(event) never sent" }
            return "\(event) sent last \(Self.words(ago)) ago"
        case .lastShown:
            if value == nil, let popup = popupName(entry) {
                return never(popup, verb: "shown", end: "")
            }
        case .lastEvent(let event):
            if value == nil { return never(event, verb: "sent", end: "") }
        case .key, .condition, .now, .session, .shownCount, .variant, .exposedCount,
            .closedCount, .lastAction, .converted, .acted, .lastActed, .eventCount, .eventSum,
            .scheduleOpen, .payload, .payloadField, nil:
            break
        }
        return "\(name(entry)) \(value.map { $0.yaml } ?? "missing")"
    }
}

// MARK: How long ago

extension TestWords {
    /// `since("name")` is a length of time of itself.
    private func agoText(
        _ entry: SlotTable.Entry, fields: [String], values: Test.Values
    ) -> String? {
        guard case .sinceEvent(let event)? = declarations.slotMeaning(entry), fields.isEmpty,
            case .ranges(let ranges) = values
        else { return nil }
        return ago("\(event) sent last", in: ranges)
    }

    private func differenceText(
        _ one: SlotTable.Entry, minus other: SlotTable.Entry, values: Test.Values
    ) -> String {
        let (name, second) = (name(one), name(other))
        if case .ranges(let ranges) = values, ranges.count == 1, let range = ranges.first {
            let (lower, upper) = (nanoseconds(range.lower), nanoseconds(range.upper))
            if name == "now", let text = ago(last(other) ?? second, from: lower, to: upper) {
                return text
            }
            if second == "now",
                let text = ago(last(one) ?? name, from: upper.map { -$0 }, to: lower.map { -$0 })
            {
                return text
            }
        }
        return said(of: "\(name) - \(second)", values)
    }

    /// Of a difference of times; nil where it is as large as differences can be.
    private func nanoseconds(_ bound: Test.Bounds.Bound?) -> Int64? {
        guard case .int(let number)? = bound?.value, number.magnitude < Int64.max.magnitude - 1
        else { return nil }
        return number
    }

    /// Of bounds in nanoseconds that are included; nil where one lies ahead.
    private func ago(_ subject: String, from lower: Int64?, to upper: Int64?) -> String? {
        let second: Int64 = 1_000_000_000
        var parts: [String] = []
        if let lower {
            guard lower >= 0 else { return nil }
            let isPast = lower % second == 1
            let length = Self.words(.nanoseconds(isPast ? lower - 1 : lower))
            parts.append(isPast ? "more than \(length) ago" : "at least \(length) ago")
        }
        if let upper {
            guard upper >= 0 else { return nil }
            let isBefore = upper % second == second - 1
            let length = Self.words(.nanoseconds(isBefore ? upper + 1 : upper))
            parts.append(isBefore ? "less than \(length) ago" : "at most \(length) ago")
        }
        return parts.isEmpty ? nil : "\(subject) \(parts.joined(separator: " and "))"
    }

    private func last(_ entry: SlotTable.Entry) -> String? {
        switch declarations.slotMeaning(entry) {
        case .lastShown:
            name(entry).split(separator: ".").dropFirst().first
                .map { "\($0) last shown" }
        case .lastEvent(let event): "\(event) sent last"
        case .lastActed, .key, .condition, .now, .session, .shownCount, .lastReason, .variant,
            .exposedCount, .lastAction, .closedCount, .converted, .acted, .eventCount,
            .sinceEvent, .eventSum, .scheduleOpen, .payload, .payloadField, nil:
            nil
        }
    }

    /// Nil where a bound lies ahead.
    private func ago(_ subject: String, in ranges: [Test.Bounds]) -> String? {
        guard ranges.count == 1 else { return nil }
        func length(_ bound: Test.Bounds.Bound?) -> String?? {
            guard let bound else { return .some(nil) }
            guard case .duration(let duration) = bound.value, duration >= .zero else { return nil }
            return Self.words(duration)
        }
        guard let lower = length(ranges[0].lower), let upper = length(ranges[0].upper) else {
            return nil
        }
        var parts: [String] = []
        if let lower {
            let isIncluded = ranges[0].lower?.isIncluded ?? true
            parts.append(isIncluded ? "at least \(lower) ago" : "more than \(lower) ago")
        }
        if let upper {
            let isIncluded = ranges[0].upper?.isIncluded ?? true
            parts.append(isIncluded ? "at most \(upper) ago" : "less than \(upper) ago")
        }
        return "\(subject) \(parts.joined(separator: " and "))"
    }
}
