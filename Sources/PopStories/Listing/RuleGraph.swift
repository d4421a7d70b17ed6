internal import PopCEL
internal import PopExplanations
package import PopScheduler
internal import PopSource

/// The relations between popups, scheduler by scheduler: which popup waits for which, which
/// preempts which, and which events fire them.
///
/// At most as large as the rules: nothing is drawn for each pair or each path, and everything over
/// the limit is counted.
package struct RuleGraph {
    let rules: RuleSet
    /// The popups of each scheduler in priority order, as many as are drawn.
    let lanes: TypedArray<LaneIndex, [PopupRule]>
    /// Popups that are not drawn.
    let leftOut: Int
    private let drawn: Set<String>

    package init(_ rules: RuleSet) {
        self.rules = rules
        var left = DrawingLimits.graphLines
        lanes = TypedArray(
            rules.queueOrders.map { popups in
                let shown = Array(popups.prefix(left))
                left -= shown.count
                return shown
            })
        leftOut = rules.popups.count - lanes.reduce(0) { $0 + $1.count }
        drawn = Set(lanes.joined().map(\.id))
    }

    func isDrawn(_ popup: PopupRule) -> Bool { drawn.contains(popup.id) }

    /// Returns the popups that preempt a popup, the highest priority first and only as many as are
    /// drawn, and their total number.
    func interrupters(of popup: PopupRule) -> (first: [PopupRule], count: Int) {
        let lane = rules.schedulers[popup.scheduler]
        guard lane.strategy == .priority, popup.switch != .await else { return ([], 0) }
        let order = lanes[popup.scheduler].filter(\.isEnabled)
        let count = order.firstIndex { $0.priority <= popup.priority } ?? order.count
        return (Array(order.prefix(min(count, DrawingLimits.interrupters))), count)
    }

    /// The popups that an event or the change of a key fires, by its name.
    var fired: [(name: String, popups: [(popup: PopupRule, which: String?)])] {
        var table: [String: [(popup: PopupRule, which: String?)]] = [:]
        for popup in lanes.joined() {
            for trigger in popup.triggers {
                switch trigger {
                case .occasion: break
                case .changed, .acted:
                    table[trigger.word(in: rules), default: []].append((popup, nil))
                case .event(let event):
                    table[trigger.word(in: rules), default: []].append((popup, event.which))
                }
            }
        }
        return table.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the triggers of the popup in words.
    func occasions(of popup: PopupRule) -> [String] {
        popup.triggers.map { trigger in
            let word = shortName(trigger.word(in: rules))
            switch trigger {
            case .occasion, .changed, .acted: return word
            case .event(let event): return word + (event.which.map { " (\($0))" } ?? "")
            }
        }
    }

    /// Returns the popups and events whose history a popup's conditions read, by name.
    func asked(by popup: PopupRule) -> [String] {
        let conditions = popup.ownConditions + popup.eventConditions.map(\.condition)
        let programs = conditions.map(\.program)
        let used = Set(programs.flatMap { rules.conditions(usedBy: $0) })
            .map { rules.conditions[$0].condition.program }
        var names: Set<String> = []
        for slot in (programs + used).flatMap(\.slots) {
            let meaning = rules.slots[slot]
            if let popup = meaning.popup { names.insert(rules.popups[popup].id) }
            if let event = meaning.event { names.insert("event \(event)") }
        }
        return names.sorted()
    }
}

extension RuleSet {
    /// The popups of each scheduler in priority order.
    fileprivate var queueOrders: [[PopupRule]] {
        var lanes = TypedArray<LaneIndex, [PopupRule]>(repeating: [], count: schedulers.count)
        for popup in popups { lanes[popup.scheduler].append(popup) }
        return lanes.indices.map { lane in
            guard schedulers[lane].strategy == .priority else { return lanes[lane] }
            return lanes[lane].enumerated().sorted {
                (-$0.element.priority, $0.offset) < (-$1.element.priority, $1.offset)
            }.map(\.element)
        }
    }
}

extension EventTrigger {
    /// The events that count, in words; nil for all.
    fileprivate var which: String? {
        let number: String? =
            switch occurrence {
            case .any, .every(1): nil
            case .nth(let number): "the \(ordinal(number)) time"
            case .every(let number): "every \(ordinal(number)) time"
            }
        let parts = [number, self.where == nil ? nil : "with a condition"].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension RuleGraph {
    /// The graph as text. It begins with the popups of each scheduler in priority order, with the
    /// popups that preempt them and the popups that they wait for. Then come the popups that events
    /// fire, the members of groups, the goals, and the experiments and limits that concern several
    /// schedulers.
    package var text: String {
        var blocks = lanes.indices.filter { !lanes[$0].isEmpty }.map { laneBlock($0) }
        if leftOut > 0 { blocks.append(["… and \(leftOut) more popups"]) }
        blocks += [firedBlock, chainBlock].filter { !$0.isEmpty } + self.blocks
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The blocks about many popups together.
    var blocks: [[String]] {
        [groupBlock, goalBlock, experimentBlock, sharedBlock].filter { !$0.isEmpty }
    }

    private func laneBlock(_ lane: LaneIndex) -> [String] {
        var table = TextTable(indent: 2)
        for popup in lanes[lane] {
            table.add(popup.priorityText, shortName(popup.id), notes(on: popup))
        }
        return [heading(of: lane)] + table.lines
    }

    /// Returns the name of a scheduler with its strategy.
    func heading(of lane: LaneIndex) -> String {
        "\(shortName(rules.schedulers[lane].name)) (\(laneText(rules.schedulers[lane])))"
    }

    /// Returns notes on a popup.
    func notes(on popup: PopupRule) -> String {
        let after = popup.after.map { rules.popups[$0.popup].id + $0.how }
        let asked = asked(by: popup)
        let notes = [
            popup.isEnabled ? nil : "switched off",
            after.isEmpty ? nil : "after \(listed(after))",
            popup.group.map { "in group \(shortName(rules.groups[$0].name))" },
            switchText(popup),
            asked.isEmpty ? nil : "reads \(listed(asked))",
        ]
        return notes.compactMap { $0 }.joined(separator: "; ")
    }

    /// Returns the popups that preempt a popup, and what happens to it then.
    private func switchText(_ popup: PopupRule) -> String? {
        let lane = rules.schedulers[popup.scheduler]
        guard lane.strategy == .priority, popup.switch != .await else { return nil }
        let (first, count) = interrupters(of: popup)
        let isNewest = lane.tieBreak == .lifo
        guard count > 0 || isNewest else {
            return "would give way, but no popup has a higher priority"
        }
        let rest = count > first.count ? " and \(count - first.count) more" : ""
        let names = first.map { shortName($0.id) }.joined(separator: ", ") + rest
        let equals = isNewest ? ["newer popups with the same priority"] : []
        let who = ((count > 0 ? [names] : []) + equals).joined(separator: ", and to ")
        return "gives way to \(who) and \(popup.switch == .latent ? "comes back" : "is dismissed")"
    }

    private func laneText(_ lane: SchedulerRule) -> String {
        var parts = [lane.strategy.rawValue]
        if lane.tieBreak == .lifo { parts.append("newest first if the priority is equal") }
        let gap = lane.gap
        if gap.upperBound > .zero {
            let bounds =
                gap.lowerBound == gap.upperBound
                ? timeText(gap.upperBound)
                : "\(timeText(gap.lowerBound)) to \(timeText(gap.upperBound))"
            parts.append("gap \(bounds)")
        }
        if let most = lane.maxWaiting { parts.append("at most \(most) waiting") }
        if let cap = lane.cap { parts.append("all popups together \(cap.words(in: rules))") }
        return parts.joined(separator: ", ")
    }

    private var firedBlock: [String] {
        let fired = fired
        if fired.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for (name, popups) in fired.prefix(DrawingLimits.graphLines) {
            let names = popups.map { popup, which in
                shortName(popup.id) + (which.map { " (\($0))" } ?? "")
            }
            table.add(shortName(name), "→ " + listed(names))
        }
        let rest = fired.count - DrawingLimits.graphLines
        return ["triggers"] + table.lines + (rest > 0 ? ["  … and \(rest) more"] : [])
    }

    /// Each popup with the popups that come after it: whole chains can be read from line to line.
    private var chainBlock: [String] {
        var next: [PopupIndex: [String]] = [:]
        for popup in lanes.joined() {
            for other in popup.after { next[other.popup, default: []].append(popup.id) }
        }
        if next.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for (popup, others) in next.sorted(by: { $0.key < $1.key }) {
            table.add(shortName(rules.popups[popup].id), "→ " + listed(others))
        }
        return ["popups that show after others"] + table.lines
    }

    private var groupBlock: [String] {
        var members: [GroupIndex: [String]] = [:]
        for popup in lanes.joined() {
            if let group = popup.group { members[group, default: []].append(popup.id) }
        }
        if members.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for (group, popups) in members.sorted(by: { $0.key < $1.key }) {
            let rule = rules.groups[group]
            let shared =
                (rule.when == nil ? [] : ["shared condition"])
                + rule.caps.map { "together \($0.words(in: rules))" }
            let what = shared.isEmpty ? "" : " (\(shared.joined(separator: ", ")))"
            table.add(shortName(rule.name), listed(popups) + what)
        }
        return ["groups and their popups"] + table.lines
    }
}

extension WindowCap {
    /// Such as `at most 4 per 1d`.
    func words(in rules: RuleSet) -> String {
        let period =
            switch per {
            case .rolling(let duration): timeText(duration)
            case .calendar(let unit): "calendar \(unit.noun)"
            case .session: "session"
            case .value(let key): "value of `\(rules.keys[key].name)`"
            }
        return "at most \(max) per \(period)"
    }
}

extension RuleGraph {
    /// Each event that is a goal, with the popups that have this goal.
    var goalBlock: [String] {
        var popups: [EventIndex: [String]] = [:]
        for popup in lanes.joined() {
            for goal in popup.goals {
                popups[goal.event, default: []].append("\(shortName(popup.id)) (\(goal.name))")
            }
        }
        if popups.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for (event, names) in popups.sorted(by: { $0.key < $1.key }) {
            table.add(shortName(rules.events[event].name), "← " + listed(names))
        }
        return ["goals"] + table.lines
    }

    /// Each experiment, with its arms and the popups that show them.
    var experimentBlock: [String] {
        var shared: [String: [String]] = [:]
        var rows: [(name: String, assignment: Assignment)] = []
        for popup in lanes.joined() {
            guard let experiment = popup.experiment else { continue }
            let name = experiment.name ?? popup.id
            if shared[name] == nil { rows.append((name, experiment.assignment)) }
            shared[name, default: []].append(popup.id)
        }
        if rows.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for (name, assignment) in rows.prefix(DrawingLimits.graphLines) {
            let popups = shared[name] ?? []
            let whose = popups == [name] ? "" : "; shown by \(listed(popups))"
            table.add(shortName(name), assignment.words + whose)
        }
        let rest = rows.count - DrawingLimits.graphLines
        return ["experiments"] + table.lines + (rest > 0 ? ["  … and \(rest) more"] : [])
    }

    /// The limits that suppress popups of several schedulers.
    var sharedBlock: [String] {
        var table = TextTable(indent: 2)
        if let holdout = rules.holdout {
            table.add(
                "holdout", "\(holdout.percent.shortText) % of the users see essential popups only")
        }
        if let quiet = rules.quiet {
            let hours = "\(quiet.hours.words) (`zone: \(quiet.zone.text(in: rules))`)"
            table.add("quiet", hours + words(of: quiet.popups))
        }
        for limit in rules.limits.prefix(DrawingLimits.graphLines) {
            table.add("limit", limit.cap.words(in: rules) + words(of: limit.popups))
        }
        let rest = rules.limits.count - DrawingLimits.graphLines
        let lines = table.lines + (rest > 0 ? ["  … and \(rest) more limits"] : [])
        return lines.isEmpty ? [] : ["limits for many popups"] + lines
    }

    /// Such as `, on main, with the tag promo`; empty for all popups.
    private func words(of popups: PopupSelection) -> String {
        let lanes = popups.schedulers.map { rules.schedulers[$0].name }
        let places = lanes.isEmpty ? "" : ", on \(listed(lanes))"
        let tags = popups.tags.count == 1 ? "the tag" : "one of the tags"
        return places + (popups.tags.isEmpty ? "" : ", with \(tags) \(listed(popups.tags))")
    }
}

extension Assignment {
    /// Such as `control 20 %; short 1, long 2; of the layer offers 0 to 50 %; share 50 %`.
    fileprivate var words: String {
        let variants = arms.map { "\(shortName($0.name)) \($0.weight)" }
        let part = layer.map {
            "of the layer \(shortName($0.layer)) \($0.range.lowerBound.shortText) to"
                + " \($0.range.upperBound.shortText) %"
        }
        let parts = [
            control > 0 ? "control \(control.shortText) %" : nil, listed(variants), part,
            share < 100 ? "\(share.shortText) % take part" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: "; ")
    }
}
