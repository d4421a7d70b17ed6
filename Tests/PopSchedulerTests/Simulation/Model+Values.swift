import PopCEL
import PopScheduler

// The counts for each value of a context key.
extension Model {
    /// The value that a key has now, as text.
    func keyed(_ key: KeyIndex) -> KeyedValue {
        KeyedValue(key: rules.keys[key].name, text: value(ofKey: key)?.plainText)
    }

    /// A place is kept: from now on it counts for the values that keys have.
    func count(_ task: inout Task) {
        guard let rule = popup(task.id.popup) else { return }
        let caps = rule.caps.windows + shared(rule).map(\.cap)
        for key in rules.keys.places where caps.contains(where: { $0.per == .value(of: key) }) {
            let value = keyed(key)
            if task.counted.contains(where: { $0.key == value.key }) { continue }
            task.counted.append(value)
            record(.counted(popup: rule.id, value: value, change: .shown, date: now.date))
        }
        let closing = rule.caps.closesPer.map(keyed)
        if task.closing?.key != closing?.key { task.closing = closing }
    }

    /// Does the same for popups that are about to be visible, under other rules.
    func countAnew() {
        for lane in lanes.indices {
            guard var holder = lanes[lane].holder, holder.reserved != nil, holder.user == user,
                popup(holder.rule.id) != nil
            else { continue }
            let before = holder.task.counted.count
            count(&holder.task)
            see(.countedUnderOtherRules, when: holder.task.counted.count > before)
            lanes[lane].holder = holder
        }
    }

    /// Takes the counts back: the popup didn't become visible, or isn't any more.
    func takeBack(_ task: inout Task, user: String) {
        for value in task.counted {
            record(
                .counted(
                    popup: task.id.popup, value: value,
                    change: task.isExposed ? .takenBackExposed : .takenBack, date: now.date),
                user: user)
        }
        task.counted = []
        task.closing = nil
    }

    /// A person closed or refused it: that counts for the value that it was shown for.
    func countClosing(_ holder: Holder) {
        guard let key = popup(holder.rule.id)?.caps.closesPer else { return }
        let now = keyed(key)
        let value = holder.task.closing?.key == now.key ? holder.task.closing ?? now : now
        see(.closedForFormerValue, when: value != now)
        record(
            .counted(popup: holder.rule.id, value: value, change: .closed, date: self.now.date),
            user: holder.user)
    }

    /// Returns true if it was closed as often as allowed for the current value of a key.
    func isClosedForNow(_ rule: PopupRule) -> Bool {
        guard let most = rule.caps.closes, let key = rule.caps.closesPer else { return false }
        let isClosed = counts(rule.id, keyed(key)).closed >= most
        see(.closedForValue, when: isClosed)
        return isClosed
    }

    /// Returns true if a cap has no room for the current value of its key; if the cause is
    /// reservations, notes that instead.
    func isUsedUp(
        _ cap: WindowCap, for key: KeyIndex, _ reason: ReasonCode, _ ids: [String],
        _ reserved: inout ReasonCode?, isOwn: Bool
    ) -> Bool {
        let value = keyed(key)
        let all = ids.reduce(0) { sum, id in
            sum + (isOwn ? counts(id, value).ofOwnCaps : counts(id, value).shown)
        }
        let held = heldTasks(ids).count {
            $0.counted.contains(value) && !(isOwn && $0.isExposed)
        }
        see(.missingValueUsedUp, when: all - held >= cap.max && value.text == nil)
        see(.valueUsedUp, when: all - held >= cap.max && !isOwn)
        if all - held >= cap.max { return true }
        see(.valueReserved, when: all >= cap.max)
        // The counts may have been forgotten while the places are kept.
        if max(all, held) >= cap.max { reserved = reserved ?? reason }
        return false
    }

    private func counts(_ id: String, _ value: KeyedValue) -> ValueCounts.Count {
        history.values.counts[id]?[value.key]?.first { $0.text == value.text }
            ?? ValueCounts.Count(text: value.text, last: now.date)
    }
}
