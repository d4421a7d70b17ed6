internal import PopCEL
internal import PopExplanations
internal import PopScheduler
internal import PopSource

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
        let equals =
            isNewest
            ? [
                count > 0
                    ? "newer ones of its priority"
                    : "newer ones of its priority"
            ] : []
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
        if let cap = lane.cap { parts.append("in total \(cap.words(in: rules))") }
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
        return ["popups that come after others"] + table.lines
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
                (rule.when == nil ? [] : ["a condition"])
                + rule.caps.map { "together \($0.words(in: rules))" }
            let what = shared.isEmpty ? "" : " (\(shared.joined(separator: ", ")))"
            table.add(shortName(rule.name), listed(popups) + what)
        }
        return ["shared by groups"] + table.lines
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
