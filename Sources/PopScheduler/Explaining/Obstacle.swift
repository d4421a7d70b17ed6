public import PopCEL

/// What kept a popup from showing when its task was dropped for that.
public struct Obstacle: Sendable {
    /// What kept it from showing, such as `CONDITION_FALSE`.
    public let reason: ReasonCode
    /// When that was, by the calendar.
    public let date: Timestamp
    /// The condition that decided; nil when none did.
    public let role: ConditionRole?
    /// What that came to, part by part; nil when other rules are in force since then.
    public let condition: Explanation?
}

/// The same as the scheduler keeps it: a condition with the values that it read.
struct FormerObstacle: Sendable {
    let reason: ReasonCode
    let date: Timestamp
    var role: ConditionRole?
    /// Nil when no condition decided, or under other rules.
    var program: Program?
    /// The values of `program.slots`, in their order.
    var values: [SlotValue] = []
}

extension Scheduler {
    /// Writes down why a task may not show that is about to be dropped.
    mutating func noteObstacle(of popup: PopupIndex) {
        guard let task = queues.tasks[popup], catalog.isRuled(popup) else { return }
        let lane = catalog.traits[popup].lane
        // One that settles is the best: nothing keeps it away but its own grace.
        if lanes[lane].chosen?.popup == popup { return }
        if let reason = lanes[lane].holding {
            let obstacle = FormerObstacle(reason: reason, date: now.date)
            return outcomes.note(obstacle, of: catalog.traits[popup].id)
        }
        let verdict = judge(popup, task: task.claim)
        let reason = verdict.reason ?? reasonToWait(lane)
        var obstacle = FormerObstacle(reason: reason, date: now.date)
        if let condition = verdict.scheduleCondition {
            obstacle.role = .scheduleWhen
            obstacle.program = condition.program
        } else if let role = reason.role, role == .when || role == .groupWhen {
            obstacle.role = role
            obstacle.program = condition(of: popup, role: role)?.program
        }
        obstacle.values = obstacle.program.map(conditions.values) ?? []
        outcomes.note(obstacle, of: catalog.traits[popup].id)
    }

    /// The condition of a popup that plays a part when its task waits; nil when it has none.
    func condition(of popup: PopupIndex, role: ConditionRole) -> Condition? {
        switch role {
        case .when: catalog.popups[popup].when
        case .groupWhen: catalog.popups[popup].group.flatMap { catalog.rules.groups[$0].when }
        case .dismissWhen: catalog.popups[popup].dismissWhen
        case .where, .goalWhere, .scheduleWhen: nil
        }
    }

    /// What the last task of a popup failed at, when it was dropped for that.
    func obstacle(of id: String) -> Obstacle? {
        guard let former = outcomes.obstacle(of: id) else { return nil }
        return Obstacle(
            reason: former.reason, date: former.date, role: former.role,
            condition: former.program.map { conditions.explanation(of: $0, reading: former.values) }
        )
    }
}
