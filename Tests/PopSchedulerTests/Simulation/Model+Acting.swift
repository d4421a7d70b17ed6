import PopCEL
import PopScheduler

// Actions of users on the popup on the screen.
extension Model {
    func userClosed(_ id: String) {
        guard let lane = lane(showing: id), let holder = lanes[lane].holder else { return }
        guard goes(holder) else { return }
        see(.closesAfterAnAction, when: holder.task.wasUsed)
        if !holder.task.wasUsed, rules.countClosings {
            lanes[lane].holder?.task.wasUsed = true
            lanes[lane].holder?.task.wasRefused = true
            record(
                .acted(popup: id, action: "close", date: now.date, isClosing: true),
                user: holder.user)
            countClosing(holder)
        }
        fire(on: "close", of: id)
        leave(lane, .userClosed, isImmediate: true)
    }

    func acted(_ id: String, _ action: String, stays: Bool) {
        guard let lane = lane(showing: id), let holder = lanes[lane].holder,
            holder.leaving?.reason != .userClosed, holder.leaving?.reason != .acted
        else {
            // One that a reload took away is known as long as it is on a screen.
            let isKnown = popup(id) != nil || lanes.contains { $0.holder?.rule.id == id }
            return emit(.rejected(isKnown ? .notShowing(id) : .unknownPopup(id)))
        }
        let template = holder.rules.templates.first { $0.name == holder.rule.template }
        guard let declared = template?.actions.first(where: { $0.name == action }) else {
            return emit(.rejected(.unknownAction(popup: id, action)))
        }
        if case .presenting = holder.phase { see(.actsWhilePresenting) }
        // A user who has used a popup has seen it.
        makeImpression(lane)
        see(.refusesTwice, when: declared.isRefusal && holder.task.wasRefused)
        let isClosing = declared.isRefusal && !holder.task.wasRefused
        lanes[lane].holder?.task.wasUsed = true
        if isClosing { lanes[lane].holder?.task.wasRefused = true }
        record(
            .acted(popup: id, action: action, date: now.date, isClosing: isClosing),
            user: holder.user)
        if isClosing { countClosing(holder) }
        emit(.acted(holder.task.id, action))
        fire(on: action, of: id)
        if stays { return }
        see(.actsWhileItGoes, when: !goes(holder))
        if goes(holder) { lanes[lane].holder?.endingAction = action }
        leave(lane, .acted, isImmediate: true)
    }

    /// Returns true if a user may still end it.
    private func goes(_ holder: Holder) -> Bool {
        if case .dismissing = holder.phase { return holder.leaving?.requeues == true }
        return holder.leaving?.isImmediate != true
    }

    private func fire(on action: String, of id: String) {
        for rule in rules.popups {
            let fires = rule.triggers.compactMap(\.act).contains {
                rules.popups[$0.popup].id == id && $0.action == action
            }
            if fires { fire(rule) }
            see(.triggeredByAction, when: fires)
        }
    }

    // MARK: Results

    /// Returns true if a popup has ended in the way that another popup requires before it may show.
    func isOver(_ predecessor: Predecessor) -> Bool {
        let id = rules.popups[predecessor.popup].id
        guard wasShownAndIsGone(id) else { return false }
        let past = history.popups[id] ?? History.Popup()
        let dates =
            if let action = predecessor.action {
                [past.actions[action]?.lastEnd]
            } else {
                [past.lastDismissed, past.lastShown] + leftBehind(id)
                    + [past.exposures.controlCount > 0 ? past.exposures.dates.last : nil]
            }
        guard let last = dates.compactMap({ $0 }).max() else { return false }
        let isLongAgo =
            predecessor.since == .zero || (last.adding(predecessor.since) ?? .max) <= now.date
        see(.afterWaitsForTime, when: !isLongAgo)
        see(.afterAnAction, when: isLongAgo && predecessor.action != nil)
        return isLongAgo
    }

    /// Returns true if a popup stays away because of what users did with it.
    func isPaused(_ rule: PopupRule) -> Bool {
        guard let pause = rule.caps.afterClose else { return false }
        let template = rules.templates.first { $0.name == rule.template }
        let refusals = template?.actions.filter(\.isRefusal).map(\.name) ?? []
        let isPaused = (history.popups[rule.id]?.actions ?? [:]).contains { name, action in
            let isClosing = name == "close" || refusals.contains(name)
            guard let pause = pause.actions[name] ?? (isClosing ? pause.close : nil) else {
                return false
            }
            return (action.last.adding(pause) ?? .max) > now.date
        }
        see(.closedRecently, when: isPaused)
        return isPaused
    }
}
