public import PopCEL

/// The reason why a popup didn't show, recorded when its task was dropped for it.
public struct Obstacle: Sendable {
    /// The reason code, such as `CONDITION_FALSE`.
    public let reason: ReasonCode
    /// The calendar date at which the task was dropped.
    public let date: Timestamp
    /// The role of the condition that decided; nil if none did.
    public let role: ConditionRole?
    /// The explanation of that condition, part by part; nil if other rules are in force since then.
    public let condition: Explanation?
}

/// An obstacle as the scheduler stores it: a condition with the values that it read.
struct FormerObstacle: Sendable {
    let reason: ReasonCode
    let date: Timestamp
    var role: ConditionRole?
    /// Nil if no condition decided, or after other rules were loaded.
    var program: Program?
    /// The values of `program.slots`, in their order.
    var values: [SlotValue] = []
}

extension Scheduler {
    /// Records why a task that is about to be dropped may not show.
    mutating func noteObstacle(of popup: PopupIndex) {
        guard let task = queues.tasks[popup], catalog.isRuled(popup) else { return }
        let lane = catalog.traits[popup].lane
        // A settling task is the best of its scheduler: only its own grace delays it.
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

    /// Returns the condition of a popup in a role that counts while its task waits; nil if the
    /// popup has no such condition.
    func condition(of popup: PopupIndex, role: ConditionRole) -> Condition? {
        switch role {
        case .when: catalog.popups[popup].when
        case .groupWhen: catalog.popups[popup].group.flatMap { catalog.rules.groups[$0].when }
        case .dismissWhen: catalog.popups[popup].dismissWhen
        case .where, .goalWhere, .scheduleWhen: nil
        }
    }

    /// Returns the obstacle for which the last task of a popup was dropped; nil if no obstacle is
    /// known.
    func obstacle(of id: String) -> Obstacle? {
        guard let former = outcomes.obstacle(of: id) else { return nil }
        return Obstacle(
            reason: former.reason, date: former.date, role: former.role,
            condition: former.program.map { conditions.explanation(of: $0, reading: former.values) }
        )
    }
}
