internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopRuleFiles
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// The rules as text, one line per value, with the same text wherever the meaning is the same.
struct RulePhrases {
    let rules: RuleSet
    /// Returns the text of a condition; its source unless another function is given.
    var condition: (Condition) -> String = { "`\($0.program.expression.description)`" }
    /// Returns the name of a group; its own name unless another function is given.
    var group: ((GroupIndex) -> String)?
    /// True if texts are equal exactly if the meaning is the same; false if they are short.
    var isExact = false

    init(_ rules: RuleSet) { self.rules = rules }

    /// A key of popups: its name, and the text of its value; nil for the default.
    struct Row: Sendable {
        let name: String
        let text: @Sendable (PopupRule, RulePhrases) -> String?
    }

    /// All keys except those of the audience: `when`, `dismiss_when`, and the conditions of a
    /// group. The value of a key comes from its row of the key table, or from `ownWords`.
    static let rows: [Row] = keysOfPopups.compactMap { key in
        if let words = ownWords[key.name] { return Row(name: key.name, text: words) }
        return key.valueInRule.map { value in
            Row(name: key.name) { popup, _ in value(popup).map { text($0) } }
        }
    }

    /// The texts of keys that refer to other parts of the rules, or whose values conditions can't
    /// have.
    private static let ownWords: [String: @Sendable (PopupRule, RulePhrases) -> String?] = [
        "scheduler": { popup, words in words.rules.schedulers[popup.scheduler].name },
        "group": { popup, words in popup.group.map { words.name(of: $0) } },
        "priority": { popup, _ in popup.priorityText },
        "after": { popup, words in
            popup.after.isEmpty ? nil : words.list(popup.after.map { words.text($0) })
        },
        "trigger": { popup, words in words.list(popup.triggers.map { words.text($0) }) },
        "delay": { popup, _ in text(popup.timing.delay) },
        "schedule": { popup, words in
            let schedule = popup.timing.schedule
            if words.isExact {
                return OpenTimes(schedule, words: words.condition).text(in: words.rules)
            }
            let entries = schedule.map { words.text($0) }
            return entries.isEmpty ? nil : entries.joined(separator: "; or ")
        },
        "cap": { popup, words in words.text(popup.caps, zone: popup.timing.commonZone) },
        "rollout": { popup, words in popup.audience.rollout.map { words.text($0) } },
        "experiment": { popup, words in popup.experiment.map { words.text($0) } },
        "goals": { popup, words in
            popup.goals.isEmpty
                ? nil : popup.goals.map { words.text($0) }.joined(separator: "; ")
        },
    ]

    /// Returns the restrictions of a popup to users or times, apart from its conditions.
    func limits(of popup: PopupRule) -> [(key: String, text: String)] {
        let wanted = ["after", "schedule", "cap", "rollout", "experiment"]
        var lines: [(key: String, text: String)] = []
        if !popup.isEnabled { lines.append(("enabled", "false (never triggered)")) }
        for row in Self.rows where wanted.contains(row.name) {
            // The content of the variants doesn't exclude users.
            let text =
                row.name == "experiment"
                ? popup.experiment.map { self.text($0, hasContent: false) } : row.text(popup, self)
            if let text { lines.append((row.name, text)) }
        }
        if let group = popup.group.map({ rules.groups[$0] }), !group.caps.isEmpty {
            let caps = group.caps.map { text($0, zone: nil) }.joined(separator: ", ")
            lines.append(("group", "\(caps) together with the other popups of \(group.name)"))
        }
        if let holdout = rules.holdout, !popup.isEssential {
            lines.append(("holdout", text(holdout)))
        }
        return lines
    }
}

// MARK: Parts

extension RulePhrases {
    func list(_ texts: [String]) -> String { texts.sorted().joined(separator: "; ") }

    static func text(_ span: ClosedRange<Duration>) -> String {
        span.lowerBound == span.upperBound
            ? timeText(span.lowerBound)
            : "\(timeText(span.lowerBound)) to \(timeText(span.upperBound))"
    }

    /// Returns a value in common notation: strings without quotes, and a list of strings without
    /// brackets.
    private static func text(_ value: Value) -> String {
        switch value {
        case .string(let text): return text
        case .duration(let duration): return timeText(duration)
        case .list(let values):
            return values.map { text($0) }.joined(separator: ", ")
        case .map, .null, .bool, .int, .uint, .double, .bytes, .timestamp, .version, .type,
            .optional:
            return sortedText(value)
        }
    }

    /// Returns a value as text, with maps sorted by their keys.
    static func sortedText(_ value: Value) -> String {
        switch value {
        case .map(let map):
            YAMLText.map(
                map.map { ($0.key.yaml, sortedText($0.value)) }.sorted { $0.0 < $1.0 })
        case .list(let values): "[\(values.map { sortedText($0) }.joined(separator: ", "))]"
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type, .optional:
            value.yaml
        }
    }

    func name(of key: KeyIndex) -> String { rules.keys[key].name }

    func name(of group: GroupIndex) -> String { self.group?(group) ?? rules.groups[group].name }

    /// Returns a trigger without its condition.
    func name(of trigger: Trigger) -> String {
        switch trigger {
        case .occasion(let occasion): return occasion.rawValue
        case .event(let event):
            let name = rules.events[event.event].name
            switch event.occurrence {
            case .any: return name
            case .nth(let number): return "\(name), the \(ordinal(number)) time"
            case .every(1): return "\(name), every time"
            case .every(let number): return "\(name), every \(ordinal(number)) time"
            }
        case .changed(let key): return "\(name(of: key)) changed"
        case .acted(let popup, let action): return "\(action) in \(rules.popups[popup].id)"
        }
    }

    func text(_ trigger: Trigger) -> String {
        guard case .event(let event) = trigger, let condition = event.where else {
            return name(of: trigger)
        }
        return "\(name(of: trigger)) where \(self.condition(condition))"
    }

    func text(_ predecessor: Predecessor) -> String {
        var text = rules.popups[predecessor.popup].id
        if let action = predecessor.action { text += " ended by \(action)" }
        if predecessor.since != .zero {
            text += " at least \(timeText(predecessor.since)) ago"
        }
        return text
    }

    func text(_ cap: WindowCap, zone: Zone?) -> String {
        let time =
            switch cap.per {
            case .rolling(let duration): "in \(timeText(duration))"
            case .calendar(let unit): "per \(unit.noun)"
            case .session: "per session"
            case .value(let key): "for each \(name(of: key))"
            }
        guard case .calendar = cap.per else { return "\(cap.max)× \(time)" }
        let own = cap.zone ?? zone ?? .utc
        if !isExact, cap.zone == nil || cap.zone == zone { return "\(cap.max)× \(time)" }
        return "\(cap.max)× \(time) in zone \(own.text(in: rules))"
    }

    func text(_ caps: Caps, zone: Zone?) -> String? {
        var parts: [String] = []
        if let lifetime = caps.lifetime { parts.append("\(lifetime)× in total") }
        if let session = caps.perSession { parts.append("\(session)× per session") }
        if let every = caps.every { parts.append("1× every \(timeText(every))") }
        parts += caps.windows.map { text($0, zone: zone) }.sorted()
        if let closes = caps.closes {
            let per = caps.closesPer.map { " for each \(name(of: $0))" } ?? ""
            parts.append("until closed \(closes)×\(per)")
        }
        if let pause = caps.afterClose {
            let actions = pause.actions.sorted { $0.key < $1.key }
                .map { ", \(timeText($0.value)) after \($0.key)" }
            parts.append("\(timeText(pause.close)) after closing\(actions.joined())")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    func text(_ schedule: Schedule) -> String {
        var parts: [String] = []
        if let from = schedule.from { parts.append("from \(text(from, in: schedule.zone))") }
        if let until = schedule.until {
            // After `until`, a day would seem to be included.
            parts.append("before \(text(until, in: schedule.zone))")
        }
        if let days = schedule.days {
            let names = days.sorted { $0.rawValue < $1.rawValue }.map { "\($0)".prefix(3) }
            parts.append("on \(names.joined(separator: ", "))")
        }
        if let hours = schedule.hours { parts.append("hours \(hours.words)") }
        if schedule.zone != .utc { parts.append("zone \(schedule.zone.text(in: rules))") }
        if let condition = schedule.when { parts.append("when \(self.condition(condition))") }
        return parts.isEmpty ? "always" : parts.joined(separator: ", ")
    }

    /// Returns a bound as the local time of the given zone.
    private func text(_ bound: Schedule.Bound, in zone: Zone) -> String {
        switch bound {
        case .moment(let moment):
            guard zone != .utc, let calendar = zone.calendar else { return "\(moment)" }
            let civil = calendar.civil(at: moment)
            let seconds = civil.minuteOfDay * 60 + civil.second
            return Self.reading(Int64(civil.dayNumber) * 86_400 + Int64(seconds))
        case .day(let day): return Self.reading(Int64(day) * 86_400)
        case .reading(let seconds): return Self.reading(seconds)
        }
    }

    /// Returns the local time; only the day if it is midnight.
    private static func reading(_ seconds: Int64) -> String {
        let text = "\(Timestamp(seconds: seconds))".dropLast()
        return text.hasSuffix("T00:00:00") ? String(text.prefix(10)) : String(text)
    }

    private static func percent(_ number: Double) -> String { "\(number.shortText)%" }

    static func percent(_ range: Range<Double>) -> String {
        range.lowerBound == 0
            ? percent(range.upperBound)
            : "\(Self.percent(range.lowerBound)) to \(Self.percent(range.upperBound))"
    }

    /// Returns a salt on one line.
    private static func salt(_ text: String) -> String {
        text.contains(where: \.isNewline) ? JSON.string(text).compact : text
    }

    func text(_ rollout: Rollout) -> String {
        let share =
            switch rollout.share {
            case .range(let range): Self.percent(range)
            case .steps(let steps):
                steps.map { "\(Self.percent($0.percent)) from \($0.begins)" }.joined(
                    separator: ", ")
            }
        return "\(share) by \(name(of: rollout.key)), salt \(Self.salt(rollout.salt))"
    }

    func text(_ holdout: Holdout) -> String {
        "\(Self.percent(holdout.percent)) of users, assigned by \(name(of: holdout.key)), salt"
            + " \(Self.salt(holdout.salt)), see only essential popups"
    }

    func text(_ experiment: Experiment, hasContent: Bool = true) -> String {
        let assignment = experiment.assignment
        var parts: [String] = []
        if let name = experiment.name { parts.append(name) }
        parts.append("by \(name(of: assignment.key)), salt \(Self.salt(assignment.salt))")
        if let layer = assignment.layer {
            parts.append(
                "\(Self.percent(layer.range)) of layer \(layer.layer), salt \(Self.salt(layer.salt))"
            )
        }
        if assignment.share != 100 { parts.append("share \(Self.percent(assignment.share))") }
        if assignment.control != 0 { parts.append("control \(Self.percent(assignment.control))") }
        for arm in assignment.arms.sorted(by: { $0.name < $1.name }) {
            var text = "\(arm.name) \(arm.weight)"
            let variant = experiment.variants.first { $0.name == arm.name }
            if hasContent, let variant {
                if let template = variant.template { text += " as \(template)" }
                if let content = variant.content { text += " \(Self.sortedText(content))" }
            }
            parts.append(text)
        }
        return parts.joined(separator: ", ")
    }

    func text(_ goal: Goal) -> String {
        var text = "\(goal.name): \(rules.events[goal.event].name)"
        if let condition = goal.where { text += " where \(self.condition(condition))" }
        text += " within \(timeText(goal.within))"
        switch goal.ends {
        case .forGood?: text += ", ends the popup"
        case .pause(let duration)?: text += ", ends the popup for \(timeText(duration))"
        case nil: break
        }
        return text
    }

    func text(_ popups: PopupSelection) -> String {
        let lanes = popups.schedulers.map { rules.schedulers[$0].name }.sorted()
        var text = lanes.isEmpty && popups.tags.isEmpty ? "all popups" : "popups"
        if !lanes.isEmpty { text += " on \(lanes.joined(separator: ", "))" }
        if !popups.tags.isEmpty {
            text += " tagged \(popups.tags.sorted().joined(separator: ", "))"
        }
        return text
    }
}

/// Returns true if two texts have the same Unicode scalars, or if both are nil.
func isSameText(_ one: String?, _ other: String?) -> Bool {
    one.map { ExactText($0) } == other.map { ExactText($0) }
}

/// Returns the step from one text to another, with a dash for nil. Long texts are reduced to the
/// parts that differ.
func step(from before: String?, to after: String?) -> String {
    var (one, other) = (before, after)
    if let before, let after, max(before.count, after.count) > wholeLength {
        (one, other) = differingParts(from: before, to: after)
    }
    return "\(one.map { bounded($0) } ?? "–") → \(other.map { bounded($0) } ?? "–")"
}

/// The maximum length of a text that is printed in full.
private let wholeLength = 70

/// Returns the parts in which two lists differ, with dots for the common parts.
private func differingParts(from before: String, to after: String) -> (String, String) {
    let (one, other) = (before.split(separator: ", "), after.split(separator: ", "))
    let start = zip(one, other).prefix { isSameText(String($0), String($1)) }.count
    let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
        .prefix { isSameText(String($0), String($1)) }.count
    func text(_ parts: [Substring]) -> String {
        let middle = parts.dropFirst(start).dropLast(end).joined(separator: ", ")
        let shown = [start > 0 ? "…" : "", middle, end > 0 ? "…" : ""].filter { !$0.isEmpty }
        return middle.isEmpty ? "…" : shown.joined(separator: " ")
    }
    return (text(one), text(other))
}
