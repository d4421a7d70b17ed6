internal import PopCEL
internal import PopSource

// Advice on whole days in place of a time with a time of day.
extension Checker {
    /// A name of the moment or of the day: a day is not compared as a moment.
    func offerNow(_ name: String, insteadOf node: NodeID, to diagnostic: inout Diagnostic) {
        let isDay = ForeignWords.days.contains(name.lowercased().filter { $0 != "_" })
        if isDay, let parent = tree.parent(of: node), let operation = tree.operation(parent) {
            if helpOnToday(node, in: parent, operation: operation, to: &diagnostic) { return }
        } else if helpOnSameDay(node, to: &diagnostic) {
            return
        }
        diagnostic.offer(
            "use `now` for the current time", rewriting: tree.rewriting([(node, "now")]),
            isSafe: false)
    }

    private func helpOnSameDay(_ node: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation == .equal || operation == .notEqual, let name = moment(beside: node, parent)
        else { return false }
        diagnostic.help = helpOnDays(of: name, isEqual: operation == .equal)
        return true
    }

    /// The name of a moment that a node is compared with.
    private func moment(beside node: NodeID, _ parent: NodeID) -> String? {
        let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
        guard let name = tree.dottedName(other),
            environment.variable(named: name)?.type == .timestamp
        else { return nil }
        return name
    }

    /// `moment < today`, `today + 18h`; answers whether the moment would say something else.
    private func helpOnToday(
        _ node: NodeID, in parent: NodeID, operation: Operator, to diagnostic: inout Diagnostic
    ) -> Bool {
        if helpOnSameDay(node, to: &diagnostic) { return true }
        if operation == .add
            || operation == .subtract && tree.child(parent, at: 1) != node
                && isLength(tree.child(parent, at: 1))
        {
            diagnostic.help = [
                "use the hour of the day, because the start of a day has no name, such as"
                    + " `now.getHours(\"Europe/Berlin\") >= 18`"
            ]
            return true
        }
        guard operation.isOrdering, tree.childCount(parent) == 2 else { return false }
        let isRight = tree.child(parent, at: 1) == node
        let asked = isRight ? operation : operation.mirrored
        guard let name = moment(beside: node, parent), name != "now" else {
            if asked == .lessOrEqual || asked == .greater { return false }
            diagnostic.help = ["use `now >= …` from a time on, and `now < …` before a time"]
            return true
        }
        diagnostic.help = helpsOnDay(of: name, asked, than: "now")
        offerDayBefore(name, operation: asked, insteadOf: parent, to: &diagnostic)
        return true
    }

    private func isLength(_ node: NodeID) -> Bool {
        tree.kind(of: node) == .call && tree.name(node) == "duration"
    }

    private func offerDayBefore(
        _ name: String, operation: Operator, insteadOf node: NodeID,
        to diagnostic: inout Diagnostic
    ) {
        let isBefore = operation == .less || operation == .lessOrEqual
        diagnostic.offer(
            isBefore ? "if it was more than 24 hours ago" : "if it was within the last 24 hours",
            rewriting: tree.rewriting([
                (node, "now - \(name) \(isBefore ? ">" : "<") duration(\"24h\")")
            ]), isSafe: false)
    }

    /// Returns how the day of one time is compared with the day of another. For a day that begins
    /// at midnight, `>` includes the rest of it; for a whole day, it does not.
    private func helpsOnDay(
        of name: String, _ operation: Operator, than other: String
    ) -> [String] {
        let same = sameDay(name, as: other)
        let day = other == "now" ? "today" : "the day of `\(other)`"
        let before = "for a time before \(day), use for example `\(name) < \(other) && !(\(same))`"
        let from =
            "for \(day) or later, use for example `\(name) >= \(other) || \(same)`"
        switch operation {
        case .less: return [before]
        case .greaterOrEqual: return [from]
        case .greater:
            return [
                from, "for a time after \(day), use for example `\(name) > \(other) && !(\(same))`",
            ]
        case .and, .or, .conditional, .equal, .notEqual, .lessOrEqual, .in, .add, .subtract,
            .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            return [
                before, "for \(day) or earlier, use for example `\(name) <= \(other) || \(same)`",
            ]
        }
    }

    private func sameDay(_ name: String, as other: String) -> String {
        ["getFullYear", "getDayOfYear"].map {
            "\(name).\($0)(\"Europe/Berlin\") == \(other).\($0)(\"Europe/Berlin\")"
        }.joined(separator: " && ")
    }

    // MARK: Dates of moments

    /// Returns the helps on `joined.date() == now.date()` and `DATE(a) < DATE(b)`: calendar days;
    /// nil if only one is used.
    func helpsOnDate(of name: String, in node: NodeID) -> [String]? {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            tree.childCount(parent) == 2
        else { return nil }
        let isLeft = tree.child(parent, at: 0) == node
        guard let other = nameOfDate(tree.child(parent, at: isLeft ? 1 : 0)) else { return nil }
        let (left, right) = isLeft ? (name, other) : (other, name)
        if operation.isOrdering { return helpsOnDay(of: left, operation, than: right) }
        guard operation == .equal || operation == .notEqual else { return nil }
        let same = sameDay(left, as: right)
        return [
            "for the same day, use for example `\(operation == .equal ? same : "!(\(same))")`",
            "to get the day of the month, use for example `\(name).getDate(\"Europe/Berlin\")`",
        ]
    }

    /// Returns the time whose date a node reads in the way of other languages, or the current time
    /// for a name of the current day.
    private func nameOfDate(_ node: NodeID) -> String? {
        if let name = tree.dottedName(node) {
            if ForeignWords.days.contains(name.lowercased()) { return "now" }
            guard name.hasSuffix(".date") else { return nil }
            return String(name.dropLast(".date".count))
        }
        guard tree.kind(of: node) == .call || tree.kind(of: node) == .memberCall else {
            return nil
        }
        let called = tree.name(node).lowercased()
        if tree.childCount(node) == 0 { return ForeignWords.days.contains(called) ? "now" : nil }
        guard tree.childCount(node) == 1, called == "date" || called == "todate" else { return nil }
        return nameOfMoment(tree.child(node, at: 0))
    }

    /// A name, and `now` for what other languages call so.
    func nameOfMoment(_ node: NodeID) -> String? {
        if tree.kind(of: node) == .call, tree.childCount(node) == 0,
            ForeignCalls.ours(tree.name(node), operands: 0)?.template == "now"
        {
            return "now"
        }
        return tree.dottedName(node)
    }
}

/// Returns how to check whether it is the day of a given time.
func helpOnDays(of name: String, isEqual: Bool) -> [String] {
    let fields = ["getMonth", "getDate"].map {
        "now.\($0)(\"Europe/Berlin\") == \(name).\($0)(\"Europe/Berlin\")"
    }
    let day = fields.joined(separator: " && ")
    let year = "now.getFullYear(\"Europe/Berlin\") == \(name).getFullYear(\"Europe/Berlin\")"
    return [
        "for the same day of any year, use for example `\(isEqual ? day : "!(\(day))")`",
        "for the same year, use for example `\(year)`",
    ]
}
