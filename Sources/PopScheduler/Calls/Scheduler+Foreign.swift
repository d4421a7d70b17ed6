internal import PopCEL
internal import PopSource

// Hand-made popups stand behind those of the rules in `popups`, as long as they have a task.
extension Scheduler {
    mutating func enqueueForeign(_ popup: ForeignPopup, isTrue: Bool) {
        if foreign[popup.id] != nil, let index = popupIndex[popup.id] {
            setForeign(popup.id, isTrue: isTrue)
            return fire(index)
        }
        guard popupIndex[popup.id] == nil, lane(showing: popup.id) == nil else {
            return emit(.rejected(.idTaken(popup.id)))
        }
        guard let lane = rules.schedulers.firstPlace(where: { $0.name == popup.scheduler }) else {
            return emit(.rejected(.unknownScheduler(popup.scheduler)))
        }
        guard foreign.count < limits.foreignPopups else {
            return emit(.rejected(.tooManyForeignPopups))
        }
        fire(place(popup.rule(scheduler: lane), isTrue: isTrue))
    }

    mutating func setForeign(_ id: String, isTrue: Bool) {
        guard let before = foreign[id], let popup = popupIndex[id] else {
            return emit(.rejected(.unknownPopup(id)))
        }
        foreign[id] = isTrue
        if before != isTrue { wake(popup) }
    }

    /// Gives a hand-made popup an index.
    mutating func place(_ rule: PopupRule, isTrue: Bool) -> PopupIndex {
        foreign[rule.id] = isTrue
        let index = vacant.popLast() ?? popups.places.upperBound
        if index == popups.places.upperBound {
            popups.append(rule)
            traits.append(PopupTraits(rule, slots: rules.slots, isForeign: true))
            tasks.makeRoom()
        } else {
            popups[index] = rule
            traits[index] = PopupTraits(rule, slots: rules.slots, isForeign: true)
        }
        popupIndex[rule.id] = index
        return index
    }

    /// Forgets a hand-made popup whose task has ended.
    mutating func vacate(_ popup: PopupIndex) {
        let id = popups[popup].id
        guard foreign[id] != nil, !isRuled(popup) else { return }
        foreign[id] = nil
        popupIndex[id] = nil
        endings[id] = nil
        vacant.append(popup)
    }

    mutating func vacate(_ occupant: Screen.Occupant) {
        guard let popup = popupIndex[occupant.popup.id] else { return }
        if !tasks.isLive(popup) { watchers.leave(tasks.post(of: popup)) }
        if occupant.subject.isForeign, !occupant.isDetached { vacate(popup) }
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
        rule.timing.delay = delay
        rule.timing.grace = grace
        rule.timing.minShow = minShow
        rule.timing.hideAfter = hideAfter
        rule.timing.maxWait = maxWait
        rule.content = content
        return rule
    }
}
