internal import PopCEL
internal import PopSource

// Advice on calculated numbers that were probably meant differently.
extension ExpressionLinter {
    /// `18-65` and `1/5`, which are calculated.
    mutating func adviseOnNumbers(_ node: NodeID) {
        let operation = tree.operator(of: node)
        guard operation == .subtract || operation == .divide, subject.environment.knowsDays,
            case .int(let left)? = tree.literal(tree.child(node, at: 0)),
            case .int(let right)? = tree.literal(tree.child(node, at: 1))
        else { return }
        if operation == .divide, right != 0, !left.isMultiple(of: right) {
            adviseOnDivision(node, left: left, right: right)
        } else if operation == .subtract, !tree.written(node).contains(" ") {
            adviseOnSpan(node, left: left, right: right)
        }
    }

    private mutating func adviseOnDivision(_ node: NodeID, left: Int64, right: Int64) {
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message:
                "`\(tree.written(node))` is \(left / right): dividing integers drops the fraction",
            at: tree.range(node), label: "the result is \(left / right)")
        let text = "\(left).0 / \(right).0"
        let fraction = tree.parent(of: node).flatMap { parent in
            tree.operation(parent)?.isOrdering == true ? tree.rewriting([(node, text)]) : nil
        }
        if fraction == nil {
            diagnostic.help = [
                "to keep the fraction, write the numbers with a point, such as `\(text)`"
            ]
        }
        diagnostic.offer("to keep the fraction", rewriting: fraction, isSafe: false)
        diagnostics.report(diagnostic)
    }

    private mutating func adviseOnSpan(_ node: NodeID, left: Int64, right: Int64) {
        let (span, isTooLarge) = left.subtractingReportingOverflow(right)
        guard !isTooLarge else { return }
        let parent = tree.parent(of: node)
        if let parent, tree.operation(parent) == .subtract, tree.child(parent, at: 0) == node,
            case .int(let day)? = tree.literal(tree.child(parent, at: 1))
        {
            let (number, isTooLarge) = span.subtractingReportingOverflow(day)
            if !isTooLarge { adviseOnDate(parent, number: number) }
            return
        }
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message:
                "`\(tree.written(node))` is calculated as \(left) minus \(right), which is"
                + " \(span)",
            at: tree.range(node),
            label: "the result is \(span)")
        if let (comparison, name) = comparison(with: node), left < right {
            let text = "\(name) >= \(left) && \(name) <= \(right)"
            diagnostic.offer(
                "use two comparisons for a range",
                rewriting: tree.rewriting([(comparison, fittedSpan(text, in: comparison))]),
                isSafe: false)
        } else {
            diagnostic.help = [
                "to check for a range, use two comparisons: one with `>=` and one with `<=`"
            ]
        }
        diagnostics.report(diagnostic)
    }

    private func fittedSpan(_ text: String, in node: NodeID) -> String {
        let around = tree.parent(of: node).flatMap { tree.operation($0) }
        return around == nil || around == .and || around == .or ? text : "(\(text))"
    }

    /// `x == 18-65` or `x in [18-65]`, and what is compared there.
    private func comparison(with node: NodeID) -> (NodeID, String)? {
        guard var around = tree.parent(of: node) else { return nil }
        var side = node
        if tree.kind(of: around) == .list, tree.childCount(around) == 1 {
            side = around
            guard let parent = tree.parent(of: around), tree.operation(parent) == .in else {
                return nil
            }
            around = parent
        } else if tree.operation(around) != .equal {
            return nil
        }
        return tree.child(around, at: 1) == side
            ? (around, tree.operand(tree.child(around, at: 0))) : nil
    }

    private mutating func adviseOnDate(_ node: NodeID, number: Int64) {
        let text = tree.written(node)
        guard text.count == 10, !text.contains(" ") else { return }
        let difference = text.split(separator: "-").joined(separator: " minus ")
        diagnostics.report(
            Diagnostic(
                .conditionSuspiciousCompare,
                message: "`\(text)` is calculated as \(difference), which is \(number)",
                at: tree.range(node), label: "the result is \(number)",
                help: [
                    "compare a date as a time, such as"
                        + " `now >= timestamp(\"\(text)T00:00:00Z\")`"
                ]))
    }
}

// MARK: Comparisons that are decided

extension ExpressionLinter {
    /// `a > a`, and `in` of a list without items.
    mutating func adviseOnSameOperands(_ node: NodeID) {
        guard let operation = tree.operation(node), subject.environment.knowsDays,
            tree.childCount(node) == 2
        else { return }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        if operation == .in {
            if isEmptyList(right) {
                report(
                    false, at: node, reason: "the list after `in` has no items",
                    help: "write at least one value in the list, or remove the comparison")
            }
            return
        }
        guard operation.isOrdering || operation == .equal || operation == .notEqual,
            let variable = variable(left), variable.name == self.variable(right)?.name,
            variable.type != .double
        else { return }
        let isTrue =
            operation == .equal || operation == .lessOrEqual || operation == .greaterOrEqual
        report(
            isTrue, at: node, reason: "`\(variable.name)` is compared with itself",
            help: "compare `\(variable.name)` with another value, or remove the comparison")
    }

    private func isEmptyList(_ node: NodeID) -> Bool {
        if tree.kind(of: node) == .list { return tree.childCount(node) == 0 }
        guard case .list(let items)? = tree.literal(node) else { return false }
        return items.isEmpty
    }

    private mutating func report(_ truth: Bool, at node: NodeID, reason: String, help: String) {
        let word = truth ? "always" : "never"
        diagnostics.report(
            Diagnostic(
                truth ? .logicAlwaysTrue : .logicNeverTrue,
                message: "\(reason), so the comparison is \(word) true", at: tree.range(node),
                label: "\(word) true", help: [help]))
    }
}

// Advice on the current time, and on the parts of a date.
extension ExpressionLinter {
    mutating func adviseOnMoments(_ node: NodeID) {
        guard tree.childCount(node) == 2, let operation = tree.operation(node) else { return }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        switch operation {
        case .equal, .notEqual:
            if isNow(left) || isNow(right) {
                adviseOnEqualMoments(node, other: isNow(left) ? right : left)
            }
            adviseOnField(operation, call: left, literal: right, at: node)
            adviseOnField(operation, call: right, literal: left, at: node)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            adviseOnField(operation, call: left, literal: right, at: node)
            adviseOnField(operation.mirrored, call: right, literal: left, at: node)
        case .in:
            guard tree.kind(of: right) == .list else { return }
            for element in tree.children(of: right) {
                adviseOnField(.equal, call: left, literal: element, at: element)
            }
        case .and, .or, .conditional, .add, .subtract, .multiply, .divide, .modulo, .not, .negate,
            .index, .optionalIndex:
            break
        }
    }

    private func isNow(_ node: NodeID) -> Bool {
        subject.environment.knowsDays && variable(node)?.name == "now"
    }

    /// `now == …`: hardly ever true, since it takes the time of the day in too.
    private mutating func adviseOnEqualMoments(_ node: NodeID, other: NodeID) {
        guard subject.checked.type(other) == .timestamp else { return }
        let isEqual = tree.operation(node) == .equal
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message: "`now` is practically \(isEqual ? "never" : "always")"
                + " \(isEqual ? "equal to" : "different from") another time",
            at: tree.range(node), label: "compares the exact times, including nanoseconds")
        if tree.literal(other) == nil, let name = tree.dottedName(other) {
            diagnostic.help = helpOnDays(of: name, isEqual: isEqual)
        } else {
            diagnostic.help = [
                "use `now >= …` to check that a time has come, and `now < …` to check that it has not"
            ]
        }
        diagnostics.report(diagnostic)
    }

    // MARK: Parts of a date

    /// Advises on a part of a date that is compared with a number which it never is.
    private mutating func adviseOnField(
        _ operation: Operator, call: NodeID, literal: NodeID, at place: NodeID
    ) {
        guard tree.kind(of: call) == .memberCall, case .int(let number)? = tree.literal(literal),
            subject.checked.type(tree.child(call, at: 0)) == .timestamp
        else { return }
        if tree.name(call) == "getFullYear", (1..<100).contains(number) {
            return adviseOnShortYear(number, literal: literal)
        }
        guard let field = CalendarCall(tree.name(call)),
            let truth = field.truth(operation, number: number)
        else { return }
        var diagnostic = Diagnostic.decidedField(
            field, number: number, truth: truth, at: tree.range(place))
        if operation == .equal || operation == .notEqual, let (help, meant) = field.meant(number) {
            diagnostic.help = [help]
            if let others = field.countsFromZero ? countedFromOne(besides: literal) : [] {
                diagnostic.help = []
                let changes = [(literal, "\(meant)")] + others
                diagnostic.offer(help, rewriting: tree.rewriting(changes), isSafe: false)
            }
        }
        diagnostics.report(diagnostic)
    }

    private mutating func adviseOnShortYear(_ number: Int64, literal: NodeID) {
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare, message: "the year \(number) is two thousand years ago",
            at: tree.range(literal), label: "a year has four digits")
        diagnostic.offer(
            "if you mean this century", rewriting: tree.rewriting([(literal, "\(2000 + number)")]),
            isSafe: false)
        diagnostics.report(diagnostic)
    }

    /// Returns the other numbers of a list, each one less: an author who counts one of them from 1
    /// counts all so. Nil if they aren't valid then.
    private func countedFromOne(besides literal: NodeID) -> [(node: NodeID, replacement: String)]? {
        guard let list = tree.parent(of: literal), tree.kind(of: list) == .list else { return [] }
        var others: [(node: NodeID, replacement: String)] = []
        for element in tree.children(of: list) where element != literal {
            guard case .int(let number)? = tree.literal(element), number > 0 else { return nil }
            others.append((element, "\(number - 1)"))
        }
        return others
    }
}

/// A part of a date and the numbers that it can be.
private struct CalendarCall {
    let name: String
    let numbers: ClosedRange<Int64>

    /// Indicates whether its first value is 0, and in other languages 1.
    var countsFromZero: Bool { name == "getMonth" || name == "getDayOfMonth" }

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

    /// Returns whether a comparison is always true, or never; nil if it depends on the date.
    func truth(_ operation: Operator, number: Int64) -> Bool? {
        let (low, high) = (numbers.lowerBound, numbers.upperBound)
        switch operation {
        case .equal: return numbers.contains(number) ? nil : false
        case .notEqual: return numbers.contains(number) ? nil : true
        case .less: return number > high ? true : number <= low ? false : nil
        case .lessOrEqual: return number >= high ? true : number < low ? false : nil
        case .greater: return number >= high ? false : number < low ? true : nil
        case .greaterOrEqual: return number > high ? false : number <= low ? true : nil
        case .and, .or, .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .not,
            .negate, .index, .optionalIndex:
            return nil
        }
    }

    /// Returns the number that an author means who counts from one.
    func meant(_ number: Int64) -> (help: String, number: Int64)? {
        switch (name, number) {
        case ("getMonth", 12): ("use 11 for December, because months are counted from 0", 11)
        case ("getDayOfWeek", 7): ("use 0 for Sunday, because days are counted from Sunday", 0)
        case ("getHours", 24): ("use 0 for midnight", 0)
        case ("getDayOfMonth", 31):
            ("use 30 for the 31st, because `getDayOfMonth` counts from 0 (`getDate` from 1)", 30)
        default: nil
        }
    }
}

extension Diagnostic {
    fileprivate static func decidedField(
        _ field: CalendarCall, number: Int64, truth: Bool, at range: SourceRange
    ) -> Self {
        let (low, high) = (field.numbers.lowerBound, field.numbers.upperBound)
        return Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(field.name)` returns \(low) to \(high), so the comparison"
                + " with \(number) is \(truth ? "always" : "never") true",
            at: range, label: "\(truth ? "always" : "never") true",
            help: ["use a number from \(low) to \(high)"])
    }
}
