internal import PopCEL
internal import PopSource

extension Scheduler {
    mutating func enqueueForeign(_ popup: ForeignPopup, isTrue: Bool) {
        if catalog.isForeign(popup.id), let index = catalog.place(of: popup.id) {
            setForeign(popup.id, isTrue: isTrue)
            let wasRemembered = remembered[popup.id] != nil
            fire(index)
            if !wasRemembered, remembered[popup.id] != nil { redefine(index, as: popup) }
            return
        }
        guard catalog.place(of: popup.id) == nil, lanes.showing(popup.id) == nil else {
            return emit(.rejected(.idTaken(popup.id)))
        }
        guard let lane = catalog.rules.schedulers.firstPlace(where: { $0.name == popup.scheduler })
        else {
            return emit(.rejected(.unknownScheduler(popup.scheduler)))
        }
        guard catalog.foreignCount < limits.foreignPopups else {
            return emit(.rejected(.tooManyForeignPopups))
        }
        fire(place(popup.rule(scheduler: lane), isTrue: isTrue))
    }

    /// Redefines a hand-made popup that is leaving: it comes back as it was last enqueued.
    private mutating func redefine(_ index: PopupIndex, as popup: ForeignPopup) {
        guard let lane = catalog.rules.schedulers.firstPlace(where: { $0.name == popup.scheduler })
        else { return }
        catalog.redefine(index, as: popup.rule(scheduler: lane))
    }

    /// Returns true while a popup that the app made under this id has a task.
    package func isHandMade(_ id: String) -> Bool { catalog.isForeign(id) }

    mutating func setForeign(_ id: String, isTrue: Bool) {
        guard catalog.isForeign(id), let popup = catalog.place(of: id) else {
            return emit(.rejected(.unknownPopup(id)))
        }
        if catalog.setTruth(isTrue, of: id) { wake(popup) }
    }

    /// Gives a hand-made popup a place.
    mutating func place(_ rule: PopupRule, isTrue: Bool) -> PopupIndex {
        let popup = catalog.add(rule, isTrue: isTrue)
        queues.makeRoom(for: popup)
        return popup
    }

    /// Forgets a hand-made popup whose task has ended.
    mutating func vacate(_ popup: PopupIndex) {
        if catalog.vacate(popup) { outcomes.forget(catalog.popups[popup].id) }
    }

    mutating func vacate(_ occupant: Screen.Occupant) {
        guard let popup = catalog.place(of: occupant.popup.id) else { return }
        if !queues.tasks.isLive(popup) { conditions.leave(queues.tasks.post(of: popup)) }
        if occupant.subject.isForeign, !occupant.isDetached, remembered[occupant.popup.id] == nil {
            vacate(popup)
        }
    }
}

extension ForeignPopup {
    fileprivate func rule(scheduler: LaneIndex) -> PopupRule {
        var rule = PopupRule(id: id, at: SourceRange(file: FileID(index: 0), 0..<0))
        rule.scheduler = scheduler
        rule.priority = priority
        rule.triggers = [.manual]
        rule.untriggered = untriggered
        rule.switch = self.switch
        rule.timing.delay = delay...delay
        rule.timing.grace = grace
        rule.timing.minShow = minShow
        rule.timing.hideAfter = hideAfter
        rule.timing.maxWait = maxWait
        rule.isShownByApp = isShownByApp
        rule.content = content
        return rule
    }
}
