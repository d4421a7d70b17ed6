extension Program {
    /// Returns the time at which the value may next change because the timestamp in one slot
    /// advances while all other slots stay unchanged; nil if it never changes.
    ///
    /// Exact if the timestamp is compared directly or after adding and subtracting values that
    /// don't depend on it. A field of it other than seconds and milliseconds, such as
    /// `now.getHours()`, may change at the next whole minute; for anything else the next whole
    /// second is returned. Linear in the expression.
    public func nextChange(of slot: SlotIndex, in slots: borrowing SlotValues) -> Timestamp? {
        guard case .value(.timestamp(let now)) = slots[slot] else { return nil }
        return nextChange(of: [slot], at: now, in: slots)
    }

    /// Does the same for several slots that advance together: timestamps, and durations since a
    /// time.
    package func nextChange(
        of slots: [SlotIndex], at now: Timestamp, in values: borrowing SlotValues
    ) -> Timestamp? {
        ChangeFinder(plan, slots: slots, now: now).change(plan.root, in: values)
    }
}

private struct ChangeFinder {
    let plan: Plan
    let now: Timestamp
    /// True for each node whose value depends on the slot.
    var depends: [Bool] = []

    init(_ plan: Plan, slots: [SlotIndex], now: Timestamp) {
        self.plan = plan
        self.now = now
        // Children come before their parents.
        for node in plan.nodes {
            let isSlot = node.operation == .slot && slots.contains(SlotIndex(Int(node.a)))
            depends.append(isSlot || Self.children(of: node, plan).contains { depends[$0] })
        }
    }

    private static func children(of node: PlanNode, _ plan: Plan) -> [Int] {
        switch node.operation {
        case .select, .negate, .not, .inSet, .hasField, .optionalEntry: [Int(node.a)]
        case .index, .arithmetic, .equal, .ordered, .membership: [Int(node.a), Int(node.b)]
        case .conditional: [Int(node.a), Int(node.b), Int(node.c)]
        case .call, .hostCall, .list, .map, .and, .or: operands(of: node, plan)
        case .comprehension:
            [Plan.Comprehension.range, Plan.Comprehension.body, Plan.Comprehension.filter]
                .map { Int(plan.operands[Int(node.a) + $0]) }.filter { $0 >= 0 }
        case .constant, .slot, .local, .fail, .constantTruth, .slotPresent, .localEqual: []
        }
    }

    private static func operands(of node: PlanNode, _ plan: Plan) -> [Int] {
        plan.operands[Int(node.a)..<Int(node.a + node.b)].map { Int($0) }
    }

    /// Returns the time at which a node may change.
    func change(_ index: Int, in slots: borrowing SlotValues) -> Timestamp? {
        guard depends[index] else { return nil }
        let node = plan.nodes[index]
        switch node.operation {
        case .and, .or, .not, .conditional:
            var first: Timestamp?
            for child in Self.children(of: node, plan) {
                guard let change = change(child, in: slots) else { continue }
                first = first.map { min($0, change) } ?? change
            }
            return first
        case .ordered, .equal: return comparison(node, in: slots)
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
            .hostCall, .list, .map, .optionalEntry, .comprehension, .constantTruth, .membership,
            .inSet, .hasField, .slotPresent, .localEqual:
            return glance(index, in: slots)
        }
    }

    /// Returns the change of a comparison: the values of the two sides move apart or together with
    /// time, and the result changes when they meet.
    private func comparison(_ node: PlanNode, in slots: borrowing SlotValues) -> Timestamp? {
        let sides = (Int(node.a), Int(node.b))
        guard let left = pace(sides.0), let right = pace(sides.1), abs(left - right) <= 1 else {
            return glances([sides.0, sides.1], in: slots)
        }
        let pace = left - right
        guard pace != 0, let distance = difference(sides, in: slots) else { return nil }
        let untilMeeting = pace > 0 ? Duration.zero - distance : distance
        guard untilMeeting >= .zero else { return nil }
        // Meeting and passing each other differ by the smallest step of time.
        let isSeenWhenRising = node.operator == .less || node.operator == .greaterOrEqual
        let isSeenAtMeeting = node.operation == .equal || isSeenWhenRising == (pace > 0)
        let isAhead = untilMeeting > .zero && isSeenAtMeeting
        return now.adding(isAhead ? untilMeeting : untilMeeting + .nanoseconds(1))
    }

    /// Returns the rate at which a timestamp or duration grows with time, in seconds per second;
    /// nil if it isn't constant.
    private func pace(_ index: Int) -> Int? {
        guard depends[index] else { return 0 }
        let node = plan.nodes[index]
        if node.operation == .slot { return 1 }
        guard node.operation == .arithmetic,
            node.operator == .add || node.operator == .subtract,
            let left = pace(Int(node.a)), let right = pace(Int(node.b))
        else { return nil }
        return node.operator == .add ? left + right : left - right
    }

    /// Returns the first side minus the second; nil if they can't be compared, which time doesn't
    /// change.
    private func difference(_ sides: (Int, Int), in slots: borrowing SlotValues) -> Duration? {
        var state = plan.newState()
        guard let left = try? plan.value(sides.0, in: slots, state: &state),
            let right = try? plan.value(sides.1, in: slots, state: &state)
        else { return nil }
        switch (left, right) {
        case (.timestamp(let left), .timestamp(let right)): return left.duration(since: right)
        case (.duration(let left), .duration(let right)): return left - right
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            return nil
        }
    }

    private func glances(_ parts: [Int], in slots: borrowing SlotValues) -> Timestamp? {
        var first: Timestamp?
        for part in parts where depends[part] {
            guard let change = glance(part, in: slots) else { continue }
            first = first.map { min($0, change) } ?? change
        }
        return first
    }

    /// Returns the next time to reevaluate a node that can't be solved for the time.
    private func glance(_ index: Int, in slots: borrowing SlotValues) -> Timestamp? {
        let node = plan.nodes[index]
        if let end = endOfUnit(node, in: slots) { return end }
        let isOnMinutes = changesOnMinutes(node, in: slots)
        let parts = Self.children(of: node, plan).filter { depends[$0] }
        if !isOnMinutes, !parts.isEmpty { return glances(parts, in: slots) }
        let unit: Int64 = isOnMinutes ? 60 : 1
        return Timestamp(seconds: now.seconds - now.seconds.flooredRemainder(by: unit))
            .adding(.seconds(unit))
    }

    /// Returns the time at which a growing duration reaches its next whole hour, minute or second,
    /// which differs from that of the clock. Returns nil for anything else.
    private func endOfUnit(_ node: PlanNode, in slots: borrowing SlotValues) -> Timestamp? {
        guard node.operation == .call, let unit = unitOfDuration(node.function),
            let whole = Self.operands(of: node, plan).first, pace(whole) == 1
        else { return nil }
        var state = plan.newState()
        guard case .duration(let duration)? = try? plan.value(whole, in: slots, state: &state)
        else { return nil }
        // Fractions of units are truncated toward zero.
        let units = duration.components.seconds / unit
        let end: Duration =
            duration < .zero
            ? .seconds(units * unit) + .nanoseconds(1) : .seconds((units + 1) * unit)
        return now.adding(end - duration)
    }

    private func unitOfDuration(_ function: FunctionCode) -> Int64? {
        switch CalendarField(function) {
        case .hours: 3600
        case .minutes: 60
        case .seconds: 1
        case nil, .fullYear, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear, .milliseconds: nil
        }
    }

    private func changesOnMinutes(_ node: PlanNode, in slots: borrowing SlotValues) -> Bool {
        guard node.operation == .call, node.b > 0,
            let first = Self.operands(of: node, plan).first, plan.nodes[first].operation == .slot,
            case .value(.timestamp) = slots[SlotIndex(Int(plan.nodes[first].a))]
        else { return false }
        switch CalendarField(node.function) {
        case .fullYear, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear, .hours, .minutes:
            return true
        case nil, .seconds, .milliseconds: return false
        }
    }
}
