internal import PopScheduler

/// The popups that shared caps count: those that are enabled and not essential.
struct CountedPopups: Sendable {
    /// All of these popups in the order of the rules, which all lists use.
    let all: [PopupIndex]
    private let lanes: [PopupIndex: LaneIndex]
    private var ofGroup: [GroupIndex: [PopupIndex]] = [:]
    private var ofLane: [LaneIndex: [PopupIndex]] = [:]
    private var ofTag: [String: [PopupIndex]] = [:]

    /// Creates the lists. Linear in the popups and their tags.
    init(_ rules: RuleSet) {
        all = rules.popups.places.filter {
            rules.popups[$0].isEnabled && !rules.popups[$0].isEssential
        }
        var lanes: [PopupIndex: LaneIndex] = [:]
        for popup in all {
            let rule = rules.popups[popup]
            lanes[popup] = rule.scheduler
            if let group = rule.group { ofGroup[group, default: []].append(popup) }
            ofLane[rule.scheduler, default: []].append(popup)
            for tag in rule.texts.tags { ofTag[tag, default: []].append(popup) }
        }
        self.lanes = lanes
    }

    /// Returns the counted popups of a group.
    func popups(of group: GroupIndex) -> [PopupIndex] { ofGroup[group] ?? [] }

    /// Returns the counted popups of a scheduler.
    func popups(of lane: LaneIndex) -> [PopupIndex] { ofLane[lane] ?? [] }

    /// Returns the steps to find the popups of a selection, which is at least the number of popups.
    func steps(of selection: PopupSelection) -> Int {
        if !selection.tags.isEmpty {
            return selection.tags.reduce(0) { $0 + (ofTag[$1]?.count ?? 0) }
        }
        if selection.schedulers.isEmpty { return all.count }
        return selection.schedulers.reduce(0) { $0 + (ofLane[$1]?.count ?? 0) }
    }

    /// Returns the counted popups of a selection.
    func popups(of selection: PopupSelection) -> [PopupIndex] {
        if !selection.tags.isEmpty {
            let schedulers = Set(selection.schedulers)
            return Set(selection.tags.flatMap { ofTag[$0] ?? [] }).filter { popup in
                schedulers.isEmpty || lanes[popup].map(schedulers.contains) ?? false
            }.sorted()
        }
        if selection.schedulers.isEmpty { return all }
        return Set(selection.schedulers.flatMap { ofLane[$0] ?? [] }).sorted()
    }
}
