import PopCEL
import PopScheduler

extension Model {
    var isAway: Bool { absences.last.map { $0.until == nil } ?? false }

    /// Returns how much of the time since an instant the app was in the foreground.
    func visibleTime(since start: Duration) -> Duration {
        absences.reduce(now.instant - start) { visible, absence in
            let end = absence.until?.instant ?? now.instant
            return visible - max(end - max(absence.from.instant, start), .zero)
        }
    }

    func background() {
        if isAway { return }
        absences.append((now, nil))
        if hasStarted { record(.sessionLeft(date: now.date)) }
    }

    func foreground() {
        guard isAway, let left = absences.last?.from.date else { return }
        absences[absences.count - 1].until = now
        guard let timeout = rules.sessionTimeout else { return }
        if let end = left.adding(timeout), end <= now.date { beginSession() }
    }

    func beginSession() {
        guard hasStarted else { return }
        see(.sessionBegins)
        session += 1
        sessionStarted = now.date
        countedUsers = []
        sessionCounts = [:]
        unseenCounts = [:]
        countSession()
        fire([.session])
    }

    func countSession() {
        if countedUsers.insert(user).inserted { record(.session(date: now.date)) }
    }

    func fire(_ occasions: [Trigger.Occasion]) {
        for rule in rules.popups where rule.triggers.contains(where: { $0.isOne(of: occasions) }) {
            fire(rule)
        }
    }
}

extension Trigger {
    func isOne(of occasions: [Occasion]) -> Bool {
        if case .occasion(let occasion) = self { occasions.contains(occasion) } else { false }
    }
}
