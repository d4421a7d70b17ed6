internal import PopCEL
internal import PopSource

// Advice on durations and parts of a date that are written as numbers.
extension Checker {
    /// Reports `DATEDIFF(day, a, b) > 7`: times are subtracted, and the difference is a duration.
    mutating func reportForeignDifference(_ node: NodeID, name: String) -> Bool {
        guard let known = ForeignCalls.differences[name.lowercased().filter { $0 != "_" }] else {
            return false
        }
        var moments = Array(tree.children(of: node))
        var unit = known
        if moments.count == 3 {
            let isFirst = unitName(moments[0]).map { DurationText.isUnit($0) } ?? false
            let position = isFirst ? 0 : 2
            guard let written = unitName(moments.remove(at: position)) else { return false }
            unit = written
        }
        guard moments.count == 2 else { return false }
        for moment in moments { _ = check(moment) }
        guard moments.allSatisfy({ subject.checked.type($0) == .timestamp }) else { return false }
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(name)`", at: tree.focus(node),
            label: "no such function")
        offerDifferences(
            of: moments.map { tree.operand($0) }, unit: unit, insteadOf: node, to: &diagnostic)
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(name)`"
        return true
    }

    /// `timestamp(2026-12-24)`: a date without quotes is a subtraction.
    mutating func reportDateAsNumber(_ node: NodeID, name: String) -> Bool {
        guard name == "timestamp", environment.knowsDays, tree.childCount(node) == 1,
            tree.kind(of: node) == .call
        else { return false }
        let argument = tree.child(node, at: 0)
        let isNumber = if case .int? = tree.literal(argument) { true } else { false }
        guard isNumber || tree.operation(argument) == .subtract else { return false }
        let written = tree.written(argument)
        let isDate = isNumber && written.count == 8
        let text = isDate ? dashed(written) : written
        guard let moment = timestamp(written: text) else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch,
            message: "`\(written)` is read as a number of seconds since 1970, not as a date",
            at: tree.range(argument), label: "read as seconds since 1970")
        if !isNumber { explainSubtraction(written, in: &diagnostic) }
        diagnostic.offer(
            "put the date in quotes; it means the start of the day in UTC",
            rewriting: tree.rewriting([(node, moment)]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }

    /// Reports that a date without quotes, such as `2026-12-24`, is a subtraction.
    func explainSubtraction(_ date: String, in diagnostic: inout Diagnostic) {
        let numbers = date.split(separator: "-").compactMap { Int($0) }.map { "\($0)" }
        diagnostic.message =
            "the date `\(date)` without quotes is read as \(numbers.joined(separator: " minus "))"
        diagnostic.label = "a subtraction of numbers, not a date"
    }

    /// `20261224` as `2026-12-24`.
    private func dashed(_ digits: String) -> String {
        "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    private func unitName(_ node: NodeID) -> String? {
        var word = tree.dottedName(node)
        if case .string(let text)? = tree.literal(node) { word = text }
        return word
    }

    /// Languages differ on which of two moments is taken from the other.
    private func offerDifferences(
        of moments: [String], unit: String, insteadOf node: NodeID, to diagnostic: inout Diagnostic
    ) {
        for (start, end) in [(moments[0], moments[1]), (moments[1], moments[0])] {
            offer(
                "\(end) - \(start)", help: "to compare the time from `\(start)` to `\(end)`",
                unit: unit, insteadOf: node, to: &diagnostic)
        }
    }

    /// Offers the difference, with the number that it is compared with as a duration.
    private func offer(
        _ difference: String, help: String, unit: String, insteadOf node: NodeID,
        to diagnostic: inout Diagnostic
    ) {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation.isOrdering, tree.child(parent, at: 0) == node,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
            let length = DurationText.advice(
                on: "\(number) \(unit)", knowsDays: environment.knowsDays)
        else {
            diagnostic.offer(
                help, rewriting: tree.rewriting([(node, "(\(difference))")]), isSafe: false)
            return
        }
        let text = "\(difference) \(operation.symbol) duration(\"\(length)\")"
        diagnostic.offer(help, rewriting: tree.rewriting([(parent, text)]), isSafe: false)
    }

    /// `last_shown < duration("7d")`: what is compared with a length is the time since the moment.
    func offerTimeSince(
        _ operation: Operator, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let (moment, length) = (tree.child(node, at: 0), tree.child(node, at: 1))
        guard operation.isOrdering, environment.knowsDays,
            subject.checked.type(moment) == .timestamp, subject.checked.type(length) == .duration
        else { return false }
        let distances = MomentDistance.all(
            of: tree.operand(moment), sign: operation.symbol, opposite: operation.mirrored.symbol,
            length: tree.operand(length))
        for (help, text) in distances {
            let isOperation = text.contains("&&")
            diagnostic.offer(
                help,
                rewriting: tree.rewriting([
                    (node, isOperation ? tree.fitted(text, isOperation: true, in: node) : text)
                ]), isSafe: false)
        }
        return true
    }

    /// Offers units for a number in the place of a duration: the author has to choose. Numbers too
    /// large for days are milliseconds or seconds.
    func offerUnits(
        _ number: Int64, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let units =
            number < 10_000
            ? [("d", "days"), ("h", "hours"), ("m", "minutes"), ("s", "seconds")]
            : [("ms", "milliseconds"), ("s", "seconds")]
        for (unit, name) in units {
            guard let length = lengthOfTime(number, unit: unit),
                DurationText.parse(length, knowsDays: environment.knowsDays) != nil
            else { continue }
            let others = tree.parent(of: node).map { moments(in: $0) } ?? []
            diagnostic.offer(
                "if you mean \(name)",
                rewriting: tree.rewriting([(node, "duration(\"\(length)\")")] + others),
                isSafe: false)
        }
        return true
    }

    /// Returns the product of integers, such as `3 * 24 * 60 * 60`; nil for other nodes.
    func product(_ node: NodeID) -> Int64? {
        if case .int(let number)? = tree.literal(node) { return number }
        guard tree.operation(node) == .multiply,
            let left = product(tree.child(node, at: 0)),
            let right = product(tree.child(node, at: 1))
        else { return nil }
        let (result, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? nil : result
    }

    /// Milliseconds in the largest unit that has no fraction.
    private func lengthOfTime(_ number: Int64, unit: String) -> String? {
        if unit == "ms" {
            let larger: [(String, Int64)] = [
                ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
            ]
            for (name, length) in larger where number.isMultiple(of: length) {
                return DurationText.advice(
                    on: "\(number / length)\(name)", knowsDays: environment.knowsDays)
            }
        }
        return DurationText.advice(on: "\(number)\(unit)", knowsDays: environment.knowsDays)
    }

    /// The number of a day of the week that `getDayOfWeek()` is compared with, by its name.
    func numberOfWeekday(_ text: String, comparedWith other: NodeID) -> Int? {
        guard tree.kind(of: other) == .memberCall, tree.name(other) == "getDayOfWeek" else {
            return nil
        }
        return weekdayNumber(text)
    }

    private func weekdayNumber(_ text: String) -> Int? {
        guard text.count >= 2 else { return nil }
        return ForeignCalls.weekdays.firstIndex { $0.hasPrefix(text.lowercased()) }
    }

    /// Returns how to read the parts of a time, in the form of the comparison that contains a node.
    func helps(
        on fields: [(method: String, what: String)], of name: String, in node: NodeID
    ) -> [String] {
        fields.map { field in
            var text = "\(name).\(field.method)(\"Europe/Berlin\")"
            if field.method == "getDayOfWeek", let parent = tree.parent(of: node),
                let operation = tree.operation(parent), tree.child(parent, at: 0) == node,
                tree.childCount(parent) == 2,
                case .string(let day)? = tree.literal(tree.child(parent, at: 1)),
                let number = weekdayNumber(day)
            {
                text += " \(operation.symbol) \(number)"
            }
            // Days of the month count from 1 in other languages too. For other parts, which may
            // count from another number, the author has to write the number.
            if field.method == "getDate", let parent = tree.parent(of: node),
                let operation = tree.operation(parent), tree.child(parent, at: 0) == node,
                case .int(let number)? = tree.literal(tree.child(parent, at: 1))
            {
                text += " \(operation.symbol) \(number)"
            }
            var end = ""
            // Other languages count months from 1, but some methods of theirs count from 0.
            if field.method == "getMonth", tree.kind(of: node) != .memberCall,
                let parent = tree.parent(of: node), let operation = tree.operation(parent),
                tree.child(parent, at: 0) == node, operation == .equal || operation == .notEqual,
                case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
                (1...12).contains(number)
            {
                text += " \(operation.symbol) \(number - 1)"
                end = " for \(ForeignCalls.months[Int(number) - 1])"
            }
            return "use `\(field.method)` with a time zone to get \(field.what), such as `\(text)`"
                + end
        }
    }
}

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
                "check the hour of the day instead, such as"
                    + " `now.getHours(\"Europe/Berlin\") >= 18`"
            ]
            return true
        }
        guard operation.isOrdering, tree.childCount(parent) == 2 else { return false }
        let isRight = tree.child(parent, at: 1) == node
        let asked = isRight ? operation : operation.mirrored
        guard let name = moment(beside: node, parent), name != "now" else {
            if asked == .lessOrEqual || asked == .greater { return false }
            diagnostic.help = [
                "use `now >= …` to check that a time has come, and `now < …` to check that it has not"
            ]
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
            "if you mean that `\(name)` was"
                + " \(isBefore ? "more than 24 hours ago" : "within the last 24 hours")",
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
        let before =
            "to check for a time before \(day), use a condition such as"
            + " `\(name) < \(other) && !(\(same))`" + inYourZone
        let from =
            "to check for \(day) or later, use a condition such as"
            + " `\(name) >= \(other) || \(same)`" + inYourZone
        switch operation {
        case .less: return [before]
        case .greaterOrEqual: return [from]
        case .greater:
            return [
                from,
                "to check for a time after \(day), use a condition such as"
                    + " `\(name) > \(other) && !(\(same))`" + inYourZone,
            ]
        case .and, .or, .conditional, .equal, .notEqual, .lessOrEqual, .in, .add, .subtract,
            .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            return [
                before,
                "to check for \(day) or earlier, use a condition such as"
                    + " `\(name) <= \(other) || \(same)`" + inYourZone,
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
            "to compare the day, use a condition such as"
                + " `\(operation == .equal ? same : "!(\(same))")`" + inYourZone,
            "to get the day of the month, use a call such as"
                + " `\(name).getDate(\"Europe/Berlin\")`" + inYourZone,
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

/// The end of a help whose code reads a part of a date.
private let inYourZone = "; replace `Europe/Berlin` with your time zone"

/// Returns how to check whether it is the day of a given time.
func helpOnDays(of name: String, isEqual: Bool) -> [String] {
    let fields = ["getMonth", "getDate"].map {
        "now.\($0)(\"Europe/Berlin\") == \(name).\($0)(\"Europe/Berlin\")"
    }
    let day = fields.joined(separator: " && ")
    let year = "now.getFullYear(\"Europe/Berlin\") == \(name).getFullYear(\"Europe/Berlin\")"
    return [
        "to check for \(isEqual ? "the same day and month" : "another day or month"), in any year,"
            + " use a condition such as `\(isEqual ? day : "!(\(day))")`" + inYourZone,
        "to check for the same year, use a condition such as `\(year)`" + inYourZone,
    ]
}

/// The possible meanings of a time that is compared with a duration.
enum MomentDistance {
    /// Returns each meaning with its notation: the time is in the past, or in the future. Times
    /// that the engine remembers are in the past.
    static func all(
        of moment: String, sign: String, opposite: String, length: String
    ) -> [(help: String, text: String)] {
        let isLess = sign.hasPrefix("<")
        let (less, more) =
            sign.hasSuffix("=") ? ("at most", "at least") : ("less than", "more than")
        let (near, far) = ("\(less) \(span(length))", "\(more) \(span(length))")
        let past = "now - \(moment)"
        let ago: [(help: String, text: String)] = [
            (
                "if you mean that `\(moment)` was \(isLess ? near : far) ago",
                "\(past) \(sign) \(length)"
            ),
            (
                "if you mean that `\(moment)` was \(isLess ? far : near) ago",
                "\(past) \(opposite) \(length)"
            ),
        ]
        let isPast = ["popups.", "last_event", "last_acted"].contains { moment.hasPrefix($0) }
        if isPast { return ago }
        let ahead = "\(moment) - now \(sign) \(length)"
        return ago + [
            isLess
                ? (
                    "if you mean that `\(moment)` will be \(near) from now",
                    "\(moment) > now && \(ahead)"
                )
                : ("if you mean that `\(moment)` will be \(far) from now", ahead)
        ]
    }

    /// The length in a sentence: `3d` for `duration("3d")`, and code for other expressions.
    private static func span(_ length: String) -> String {
        guard let match = length.wholeMatch(of: #/duration\("([0-9a-z.]+)"\)/#) else {
            return "`\(length)`"
        }
        return String(match.1)
    }
}
