internal import PopExplanations
internal import PopScheduler
internal import PopSource

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
