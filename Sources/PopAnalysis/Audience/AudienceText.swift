internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// A description of tests and of the entries that conditions read, in the names of a rule set.
struct AudienceText {
    let rules: RuleSet
    let declarations: Declarations
    /// The events that were sent at least once according to other parts of the text.
    private var sentEvents: Set<String> = []

    init(rules: RuleSet, declarations: Declarations) {
        self.rules = rules
        self.declarations = declarations
    }

    /// Returns a line of a cover: `user.plan is pro or team, user.launches is at least 3`.
    func line(_ tests: [Test]) -> String {
        if tests.isEmpty { return "everyone" }
        let asked = Set(tests.flatMap { askedNames($0) })
        let told = tests.filter { test in
            guard case .present = test.values, !test.orMissing else { return true }
            switch test.subject {
            case .value(let entry, let fields), .size(let entry, let fields):
                return !asked.contains(name(entry, fields: fields))
            case .text, .difference, .element, .itself, .written: return true
            }
        }
        var words = self
        for case .value(let entry, _) in tests.lazy.filter({ isOfWhatHappened($0) }).map(\.subject)
        {
            if case .eventCount(let event, _)? = declarations.slotMeaning(entry) {
                words.sentEvents.insert(event)
            } else if case .lastEvent(let event)? = declarations.slotMeaning(entry) {
                words.sentEvents.insert(event)
            }
        }
        return told.map { words.text($0) }.joined(separator: ", ")
    }

    /// Returns true for a test of a count or a date that only passes after something happened.
    private func isOfWhatHappened(_ test: Test) -> Bool {
        if test.orMissing { return false }
        switch test.values {
        case .present: return true
        case .ranges(let ranges):
            return !ranges.isEmpty
                && ranges.allSatisfy {
                    guard case .int(let least)? = $0.lower?.value else { return false }
                    return least > 0 || !($0.lower?.isIncluded ?? true)
                }
        case .truth, .among, .except, .missing, .outcomes: return false
        }
    }

    /// Returns false if another part of the text states that the event was sent.
    func mayBeUnsent(_ event: String) -> Bool { !sentEvents.contains(event) }

    /// Returns a named condition, followed by its requirements if these fit in one line.
    func line(_ name: String, asking cover: [[Test]]) -> String {
        cover.count == 1 ? "\(name) (\(line(cover[0])))" : name
    }

    /// Returns the names of entries that certainly have a value if a test of them passes.
    private func askedNames(_ test: Test) -> [String] {
        switch test.subject {
        case .text(let entry, let fields, _, _), .element(let entry, let fields, _):
            [name(entry, fields: fields)]
        case .difference(let one, let other): test.orMissing ? [] : [name(one), name(other)]
        case .value, .size, .itself, .written: []
        }
    }

    /// Returns the name of an entry as conditions write it.
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
        if test.orMissing, !test.orNaN, let text = missingText(test) { return text }
        var text = test.orNaN ? textWithNaN(test) : plainText(test)
        if test.orMissing { text += isOfPast(test.subject) ? " or never" : " or missing" }
        return text
    }

    /// The text for a value that is missing or isn't something: one `not` would apply to both.
    private func missingText(_ test: Test) -> String? {
        guard !isOfPast(test.subject), case .value(let entry, let fields) = test.subject else {
            return nil
        }
        let subject = name(entry, fields: fields)
        switch test.values {
        case .truth(false): return "\(subject) is missing or false"
        case .except(let values) where values.count == 1:
            return "\(subject) is missing or other than \(words(values[0]))"
        case .except(let values): return "\(subject) is missing or \(noneText(of: values))"
        case .truth, .among, .ranges, .present, .missing, .outcomes: return nil
        }
    }

    /// Returns the text for a test that NaN passes. NaN is in no range, so that the text names the
    /// values that fail: `total is not above 3.0`.
    private func textWithNaN(_ test: Test) -> String {
        let subject: String
        switch test.subject {
        case .value(let entry, let fields): subject = name(entry, fields: fields)
        case .itself: subject = "that"
        case .size, .text, .difference, .element, .written: return plainText(test)
        }
        guard case .ranges(let ranges) = test.values else { return plainText(test) }
        if ranges.isEmpty { return "\(subject) is not a number" }
        let others = Test.Bounds.between(ranges)
        let words = others.map { wordsBehindNot($0) }
        if words.count == 1, others[0].isOneValue { return "\(subject) is not \(words[0])" }
        return switch words.count {
        case 0: "\(subject) has a value"
        case 1: "\(subject) is not \(words[0])"
        case 2: "\(subject) is neither \(words[0]) nor \(words[1])"
        default: "\(subject) is none of \(words.joined(separator: ", "))"
        }
    }

    private func wordsBehindNot(_ bounds: Test.Bounds) -> String {
        if bounds.isOneValue, let value = bounds.lower?.value { return words(value) }
        return words(bounds)
    }

    /// Returns true if the subject is a fact about the history of a popup or an event.
    private func isOfPast(_ subject: Test.Subject) -> Bool {
        guard case .value(let entry, _) = subject else { return false }
        return switch declarations.slotMeaning(entry) {
        case .lastReason, .lastShown, .lastEvent, .lastActed: true
        case .key, .condition, .now, .session, .shownCount, .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .eventCount, .sinceEvent, .eventSum, .scheduleOpen,
            .payload, .payloadField, nil:
            false
        }
    }

    private func plainText(_ test: Test) -> String {
        switch test.subject {
        case .value(let entry, let fields):
            if let ago = agoText(entry, fields: fields, values: test.values) { return ago }
            if let times = timesText(entry, fields: fields, values: test.values) { return times }
            if fields.isEmpty, let past = pastText(entry, test.values) { return past }
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
                case .lowerASCII: "\(subject) in lower case"
                case .upperASCII: "\(subject) in upper case"
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

    func said(of name: String, _ values: Test.Values) -> String {
        switch values {
        case .truth(let truth): truth ? name : "not \(name)"
        case .among([.string("")]): "\(name) is empty"
        case .among(let values): "\(name) is \(alternatives(of: values))"
        case .except([.string("")]): "\(name) is not empty"
        case .except(let values): "\(name) is \(noneText(of: values))"
        case .ranges(let ranges) where ranges.contains { $0.lower == nil && $0.upper == nil }:
            "\(name) has a value"
        case .ranges(let ranges):
            "\(name) is \(ranges.map { words($0) }.joined(separator: " or "))"
        case .present: "\(name) has a value"
        case .missing: "\(name) is missing"
        case .outcomes: name
        }
    }

    private func noneText(of values: [Value]) -> String {
        switch values.count {
        case 1: "not \(words(values[0]))"
        case 2: "neither \(words(values[0])) nor \(words(values[1]))"
        default: "none of \(values.map { words($0) }.joined(separator: ", "))"
        }
    }

    private func alternatives(of values: [Value]) -> String {
        let words = values.map { self.words($0) }
        guard words.count > 2 else { return words.joined(separator: " or ") }
        return words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }

    /// Returns the text of a user's value; strings are quoted if they don't read as one word.
    func words(_ value: Value) -> String {
        switch value {
        case .string(let text): YAMLText.name(bounded(text))
        case .duration(let duration): Self.words(duration)
        case .version(let version): version.text
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .list, .map, .type, .optional:
            bounded(value.yaml)
        }
    }

    /// Returns a duration, in whole days or hours if possible: `2 days`, `36 hours`, `1h 30m`.
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
            return lower.text(isLower: true, value: words(lower.value))
        case (nil, let upper?): return below(upper)
        case (let lower?, let upper?):
            if lower.isIncluded, upper.isIncluded {
                let (first, last) = (words(lower.value), words(upper.value))
                return first == last ? first : "\(first) to \(last)"
            }
            let start = lower.text(isLower: true, value: words(lower.value))
            return "\(start) and \(below(upper))"
        }
    }

    /// Returns an upper bound as text; integers are written as below the next one.
    private func below(_ upper: Test.Bounds.Bound) -> String {
        switch upper.value {
        case .int(let number) where upper.isIncluded && number < Int64.max:
            "below \(number + 1)"
        case .uint(let number) where upper.isIncluded && number < UInt64.max:
            "below \(number + 1)"
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .list, .map, .type, .optional:
            upper.text(isLower: false, value: words(upper.value))
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

// MARK: Counts

extension AudienceText {
    /// Returns the parts of a text about a count in the history, such as `tour never shown`; nil if
    /// the entry isn't a count.
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

    func popupName(_ entry: SlotTable.Entry) -> String? {
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

    /// Returns the text about the history of popups and events; nil for other tests.
    private func pastText(_ entry: SlotTable.Entry, _ values: Test.Values) -> String? {
        switch (declarations.slotMeaning(entry), values) {
        case (.lastShown?, .missing):
            return popupName(entry).map { never($0, verb: "shown", end: "") }
        case (.lastShown?, .present): return popupName(entry).map { "\($0) shown at least once" }
        case (.lastEvent(let event)?, .missing): return never(event, verb: "sent", end: "")
        case (.lastEvent(let event)?, .present): return "\(event) sent at least once"
        case (.lastReason?, .missing): return popupName(entry).map { "\($0) never ended" }
        case (.lastReason?, .present): return popupName(entry).map { "\($0) ended at least once" }
        case (.lastReason?, .among(let reasons)):
            return popupName(entry).map { "\($0) last ended as \(alternatives(of: reasons))" }
        case (.lastReason?, .except(let reasons)):
            let text =
                reasons.count == 1 ? "not as \(words(reasons[0]))" : "as \(noneText(of: reasons))"
            return popupName(entry).map { "\($0) last ended \(text)" }
        case (_, .truth), (_, .among), (_, .except), (_, .ranges), (_, .present), (_, .missing),
            (_, .outcomes):
            return nil
        }
    }

    private func never(_ subject: String, verb: String, end: String) -> String {
        end.isEmpty ? "\(subject) never \(verb)" : "\(subject) not \(verb)\(end)"
    }

    private static func times(_ count: Int64) -> String {
        count == 1 ? "once" : "\(count) times"
    }

    /// Returns a fact about a user other than context keys and fields of an event.
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
            guard case .duration(let ago)? = value, ago < .endless else {
                return never(event, verb: "sent", end: "")
            }
            return "\(event) last sent \(Self.words(ago)) ago"
        case .lastShown:
            if let popup = popupName(entry) {
                guard let value else { return never(popup, verb: "shown", end: "") }
                return "\(popup) last shown at \(value.yaml)"
            }
        case .lastEvent(let event):
            guard let value else { return never(event, verb: "sent", end: "") }
            return "\(event) last sent at \(value.yaml)"
        case .key, .condition, .now, .session, .shownCount, .variant, .exposedCount,
            .closedCount, .lastAction, .converted, .acted, .lastActed, .eventCount, .eventSum,
            .scheduleOpen, .payload, .payloadField, nil:
            break
        }
        return value.map { "\(name(entry)) = \($0.yaml)" } ?? "\(name(entry)) missing"
    }
}

extension Test.Bounds {
    fileprivate var isOneValue: Bool {
        guard let lower, let upper else { return false }
        return lower.isIncluded && upper.isIncluded && lower.value == upper.value
    }

    /// Returns the values that are in none of the given ascending ranges.
    fileprivate static func between(_ ranges: [Self]) -> [Self] {
        let ends: [Bound?] = [nil] + ranges.map(\.upper)
        let starts: [Bound?] = ranges.map(\.lower) + [nil]
        return zip(ends, starts).enumerated().compactMap { place, bounds in
            let (end, start) = (bounds.0?.otherSide, bounds.1?.otherSide)
            // A range without a bound continues forever.
            if end == nil, place > 0 || start == nil { return nil }
            if start == nil, place < ranges.count { return nil }
            return Self(lower: end, upper: start)
        }
    }
}

extension Test.Bounds.Bound {
    /// Returns the values on one side of the bound as text, such as `at least 3` or `2.0 or later`.
    func text(isLower: Bool, value text: String) -> String {
        switch (value, isLower, isIncluded) {
        case (.version, true, true): "\(text) or later"
        case (.version, true, false): "later than \(text)"
        case (.version, false, true): "\(text) or earlier"
        case (.version, false, false): "earlier than \(text)"
        case (.timestamp, true, true): "at or after \(text)"
        case (.timestamp, true, false): "after \(text)"
        case (.timestamp, false, true): "at or before \(text)"
        case (.timestamp, false, false): "before \(text)"
        case (_, true, true): "at least \(text)"
        case (_, true, false): "above \(text)"
        case (_, false, true): "at most \(text)"
        case (_, false, false): "below \(text)"
        }
    }

    fileprivate var otherSide: Self { Self(value: value, isIncluded: !isIncluded) }
}
