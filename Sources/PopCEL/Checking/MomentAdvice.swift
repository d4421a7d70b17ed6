internal import PopSource

// What is said about the moment, and about the parts of a date.
extension Adviser {
    mutating func adviseOnMoments(_ node: NodeID) {
        guard tree.childCount(node) == 2, let operation = tree.operation(node) else { return }
        let (left, right) = (tree.child(node, 0), tree.child(node, 1))
        switch operation {
        case .equal, .notEqual:
            if isNow(left) || isNow(right) {
                adviseOnEqualMoments(node, isNow(left) ? right : left)
            }
            adviseOnField(operation, left, right, at: node)
            adviseOnField(operation, right, left, at: node)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            adviseOnField(operation, left, right, at: node)
            adviseOnField(operation.mirrored, right, left, at: node)
        case .in:
            guard tree.nodes[right].kind == .list else { return }
            for element in tree.children(of: right) {
                adviseOnField(.equal, left, element, at: element)
            }
        default: break
        }
    }

    private func isNow(_ node: NodeID) -> Bool {
        subject.environment.knowsDays && variable(node)?.name == "now"
    }

    /// `now == …`: hardly ever true, since it takes the time of the day in too.
    private mutating func adviseOnEqualMoments(_ node: NodeID, _ other: NodeID) {
        guard subject.checked.type(other) == .timestamp else { return }
        let isEqual = tree.operation(node) == .equal
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            "`now` is a moment, and practically \(isEqual ? "never" : "always")"
                + " \(isEqual ? "equal to" : "different from") another",
            at: tree.range(node), label: "compared to the nanosecond")
        if tree.literal(other) == nil, let name = tree.dottedName(other) {
            diagnostic.help = helpOnDays(of: name, isEqual: isEqual)
        } else {
            diagnostic.help = ["from a moment on is written `now >= …`, and before it `now < …`"]
        }
        diagnostics.report(diagnostic)
    }

    // MARK: Parts of a date

    /// A part of a date that is held to a number which it never is.
    private mutating func adviseOnField(
        _ operation: Operator, _ call: NodeID, _ literal: NodeID, at place: NodeID
    ) {
        guard tree.nodes[call].kind == .memberCall, case .int(let number)? = tree.literal(literal),
            let field = CalendarCall(tree.name(call)),
            subject.checked.type(tree.child(call, 0)) == .timestamp,
            let truth = field.truth(operation, number)
        else { return }
        var diagnostic = Diagnostic.decidedField(field, number, truth, at: tree.range(place))
        if operation == .equal || operation == .notEqual, let (help, meant) = field.meant(number) {
            diagnostic.help = []
            diagnostic.offer(help, tree.rewriting([(literal, "\(meant)")]), isSafe: false)
        }
        diagnostics.report(diagnostic)
    }
}

extension Checker {
    /// A name of the moment where the day is meant: a day is not compared as a moment.
    func offerNow(_ node: NodeID, to diagnostic: inout Diagnostic) {
        if let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation == .equal || operation == .notEqual,
            let name = tree.dottedName(tree.child(parent, tree.child(parent, 0) == node ? 1 : 0)),
            environment.variable(named: name)?.type == .timestamp
        {
            diagnostic.help = helpOnDays(of: name, isEqual: operation == .equal)
            return
        }
        diagnostic.offer("the moment is `now`", tree.rewriting([(node, "now")]), isSafe: false)
    }
}

/// How it is asked whether it is the day of a moment.
private func helpOnDays(of name: String, isEqual: Bool) -> [String] {
    let fields = ["getMonth", "getDate"].map {
        "now.\($0)(\"Europe/Berlin\") == \(name).\($0)(\"Europe/Berlin\")"
    }
    let day = fields.joined(separator: " && ")
    let year = "now.getFullYear(\"Europe/Berlin\") == \(name).getFullYear(\"Europe/Berlin\")"
    return [
        "the same day of any year is asked such as `\(isEqual ? day : "!(\(day))")`",
        "the same year is asked such as `\(year)`",
    ]
}

/// A part of a date and the numbers that it can be.
private struct CalendarCall {
    let name: String
    let numbers: ClosedRange<Int64>

    private static let all: [String: ClosedRange<Int64>] = [
        "getMonth": 0...11, "getDayOfWeek": 0...6, "getHours": 0...23, "getMinutes": 0...59,
        "getSeconds": 0...59, "getMilliseconds": 0...999, "getDate": 1...31,
        "getDayOfMonth": 0...30, "getDayOfYear": 0...365,
    ]

    init?(_ name: String) {
        guard let numbers = Self.all[name] else { return nil }
        self.name = name
        self.numbers = numbers
    }

    /// Whether a comparison always holds, or never does; nil when it depends on the date.
    func truth(_ operation: Operator, _ number: Int64) -> Bool? {
        let (low, high) = (numbers.lowerBound, numbers.upperBound)
        switch operation {
        case .equal: return numbers.contains(number) ? nil : false
        case .notEqual: return numbers.contains(number) ? nil : true
        case .less: return number > high ? true : number <= low ? false : nil
        case .lessOrEqual: return number >= high ? true : number < low ? false : nil
        case .greater: return number >= high ? false : number < low ? true : nil
        case .greaterOrEqual: return number > high ? false : number <= low ? true : nil
        default: return nil
        }
    }

    /// The number that is meant by somebody who counts from one.
    func meant(_ number: Int64) -> (help: String, number: Int64)? {
        switch (name, number) {
        case ("getMonth", 12): ("months are counted from 0, so that December is 11", 11)
        case ("getDayOfWeek", 7): ("days are counted from Sunday, which is 0", 0)
        case ("getHours", 24): ("the hour of midnight is 0", 0)
        case ("getDayOfMonth", 31):
            ("`getDayOfMonth` counts from 0, and `getDate` from 1: the last day is 30", 30)
        default: nil
        }
    }
}

extension Diagnostic {
    fileprivate static func decidedField(
        _ field: CalendarCall, _ number: Int64, _ truth: Bool, at range: SourceRange
    ) -> Self {
        let (low, high) = (field.numbers.lowerBound, field.numbers.upperBound)
        return Diagnostic(
            .conditionSuspiciousCompare,
            "`\(field.name)` goes from \(low) to \(high), so that this is"
                + " \(truth ? "always" : "never") true",
            at: range, label: "\(truth ? "always" : "never") true",
            help: ["its numbers are \(low) to \(high)"])
    }
}
