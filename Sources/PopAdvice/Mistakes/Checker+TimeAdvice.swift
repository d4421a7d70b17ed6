internal import PopCEL
internal import PopSource

// Advice on durations and parts of a date that are written as numbers.
extension Checker {
    /// Reports `DATEDIFF(day, a, b) > 7`: times are subtracted, and the difference is a duration.
    mutating func reportForeignDifference(_ node: NodeID, name: String) -> Bool {
        guard environment.functions[name] == nil,
            let known = ForeignCalls.differences[name.lowercased().filter { $0 != "_" }]
        else { return false }
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
            .conditionTypeMismatch, message: "a date without quotes is read as a number",
            at: tree.range(argument),
            label: isNumber ? "read as seconds since 1970" : "read as a subtraction")
        diagnostic.offer(
            "put the date in quotes, here with the start of the day in UTC",
            rewriting: tree.rewriting([(node, moment)]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
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
                "\(end) - \(start)", help: "for the time from `\(start)` to `\(end)`", unit: unit,
                insteadOf: node, to: &diagnostic)
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
            diagnostic.offer(
                "if you mean \(name)",
                rewriting: tree.rewriting([(node, "duration(\"\(length)\")")]),
                isSafe: false)
        }
        return true
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
            return "to get \(field.what), use a time zone, such as `\(text)`"
        }
    }
}
