internal import PopCEL
internal import PopSource

extension ExpressionLinter {
    mutating func adviseOnFailures() {
        var guards = Guards(subject.environment)
        for node in tree.nodes.indices {
            guard let variable = variable(node), variable.definition != nil else { continue }
            presences[variable.name] = guards.presence(named: variable.name)
        }
        let presumed = subject.environment.presumed.map { Fact.present($0) }
        var facts = CountedSet(Set(presumed))
        adviseOnFailures(tree.root, knowing: &facts)
    }

    private mutating func adviseOnFailures(
        _ node: NodeID, knowing facts: inout CountedSet<Fact>
    ) {
        if subject.needsGuard(node) { report(node, knowing: facts) }
        switch tree.kind(of: node) {
        case .presence: adviseOnPresence(node, knowing: &facts)
        case .macro:
            adviseOnFailures(tree.child(node, at: 0), knowing: &facts)
            let inside = factsInside(node)
            facts.add(inside)
            for child in tree.children(of: node).dropFirst() {
                adviseOnFailures(child, knowing: &facts)
            }
            facts.remove(inside)
        case .operation: adviseOnOperation(node, knowing: &facts)
        case .select, .identifier:
            // The parts of a declared name aren't values by themselves.
            guard case .none = subject.checked.nodes[node].reference else { return }
            for child in tree.children(of: node) { adviseOnFailures(child, knowing: &facts) }
        case .literal, .call, .memberCall, .list, .map, .message, .optionalEntry:
            if case .slotCall = subject.checked.nodes[node].reference { return }
            for child in tree.children(of: node).dropFirst(skippedChildren(node)) {
                adviseOnFailures(child, knowing: &facts)
            }
        }
    }

    private func skippedChildren(_ node: NodeID) -> Int {
        if case .function(_, skipsTarget: true) = subject.checked.nodes[node].reference { return 1 }
        return 0
    }

    /// `has(a.b)` reads `a`, but not `b`.
    private mutating func adviseOnPresence(
        _ node: NodeID, knowing facts: inout CountedSet<Fact>
    ) {
        let operand = tree.child(node, at: 0)
        guard case .none = subject.checked.nodes[operand].reference,
            tree.kind(of: operand) == .select
        else {
            return
        }
        adviseOnFailures(tree.child(operand, at: 0), knowing: &facts)
    }

    private mutating func adviseOnOperation(
        _ node: NodeID, knowing facts: inout CountedSet<Fact>
    ) {
        let children = Array(tree.children(of: node))
        switch tree.operation(node) {
        case .and, .or:
            let isAnd = tree.operation(node) == .and
            // Each part matters only if the others do not decide, whatever their order.
            let implied = children.map { self.facts(when: $0, is: isAnd) }
            for part in implied { facts.add(part) }
            for (child, own) in zip(children, implied) {
                facts.remove(own)
                adviseOnFailures(child, knowing: &facts)
                facts.add(own)
            }
            for part in implied { facts.remove(part) }
        case .conditional:
            adviseOnFailures(children[0], knowing: &facts)
            for (child, truth) in [(children[1], true), (children[2], false)] {
                let implied = self.facts(when: children[0], is: truth)
                facts.add(implied)
                adviseOnFailures(child, knowing: &facts)
                facts.remove(implied)
            }
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            for child in children { adviseOnFailures(child, knowing: &facts) }
        }
    }
}

// MARK: Reporting

extension ExpressionLinter {
    private mutating func report(_ node: NodeID, knowing facts: CountedSet<Fact>) {
        let name = key(node)
        if facts.contains(.present(name)) { return }
        switch subject.checked.nodes[node].reference {
        case .variable:
            guard let variable = variable(node) else { return }
            var diagnostic = Diagnostic.mayBeMissing(variable, at: tree.range(node))
            if isNew(name) { offerPresence(of: name, at: node, to: &diagnostic) }
            reportOnce(name, diagnostic: diagnostic)
        case .slotCall:
            let call = subject.expression.text(of: node)
            var diagnostic = Diagnostic.mayBeMissing(call, at: tree.range(node))
            if isNew(name) { offerPresence(of: call, at: node, to: &diagnostic) }
            reportOnce(name, diagnostic: diagnostic)
        case .none, .local, .constant, .function:
            switch tree.operation(node) {
            case .divide, .modulo: reportDivision(node, knowing: facts)
            case .index: reportIndex(node, name: name, knowing: facts)
            case nil, .and, .or, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
                .greaterOrEqual, .in, .add, .subtract, .multiply, .not, .negate, .optionalIndex:
                if subject.isReading(node) { return reportReading(node, knowing: facts) }
                reportField(node, name: name)
            }
        }
    }

    private mutating func reportReading(_ node: NodeID, knowing facts: CountedSet<Fact>) {
        let text = tree.child(node, at: 0)
        if facts.contains(.fits(key(text))) { return }
        let written = subject.expression.text(of: node)
        reportOnce(
            written,
            diagnostic: .mayBeOtherText(
                written, text: tree.written(text), type: tree.name(node), at: tree.range(node)))
    }

    private mutating func reportField(_ node: NodeID, name: String) {
        let target = tree.child(node, at: 0)
        let type = subject.checked.type(target)
        if case .map = subject.checked.typeTable[type] {
            if reportSize(node, name: name) { return }
            reportOnce(
                name,
                diagnostic: .fieldMayBeMissing(
                    subject.expression.text(of: node), at: tree.focus(node)))
        }
    }

    private mutating func reportDivision(_ node: NodeID, knowing facts: CountedSet<Fact>) {
        let divisor = tree.child(node, at: 1)
        let type = subject.checked.type(divisor)
        guard type == .int || type == .uint else { return }
        if let number = wholeNumber(divisor) {
            // Of two constants the failure was found in folding.
            guard number == 0, tree.literal(tree.child(node, at: 0)) == nil else { return }
            diagnostics.report(.zeroDivisor(at: tree.range(divisor)))
            return
        }
        if facts.contains(.notZero(key(divisor))) { return }
        if let variable = variable(divisor), variable.excludesZero { return }
        let text = subject.expression.text(of: divisor)
        reportOnce("/" + text, diagnostic: .divisorMayBeZero(text, at: tree.range(divisor)))
    }
}

extension Variable {
    fileprivate var excludesZero: Bool {
        let zero = Value.int(0)
        if let allowedValues, !allowedValues.contains(zero) { return true }
        if let minimum, minimum.numericOrder(zero) == .greater { return true }
        if let maximum, maximum.numericOrder(zero) == .less { return true }
        return false
    }
}

extension Diagnostic {
    fileprivate static func mayBeMissing(_ variable: Variable, at range: SourceRange) -> Self {
        var diagnostic = Diagnostic(
            .conditionMayError, message: "`\(variable.name)` may have no value here", at: range,
            label: "not checked with `has()` first")
        if let presence = variable.presence {
            diagnostic.notes = [
                "`\(variable.name)` has a value \(presence); without a value, the condition fails"
                    + " and counts as not met"
            ]
        } else if let place = variable.declaredAt {
            diagnostic.secondary = [.init("declared without a default here", at: place)]
        }
        return diagnostic
    }

    fileprivate static func mayBeMissing(_ call: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(call)` may have no value here", at: range,
            label: "not checked with `has()` first")
    }

    static func fieldMayBeMissing(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "the map may have no entry for `\(text)`", at: range,
            label: "not checked with `has()` or `in` first",
            help: ["use `has(map.key)` or `\"key\" in map` to check whether a map has a key"])
    }

    fileprivate static func mayBeOtherText(
        _ call: String, text: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(call)` fails if the string is not a valid \(type)",
            at: range, label: "not every string is a valid \(type)",
            help: [
                "if every value is a valid \(type), declare the key under `context` as `\(type)`",
                "if some values are invalid, check the format first:"
                    + " `\(text).matches(\(patternsOfTypes[type] ?? "…")) && …`",
            ])
    }

    fileprivate static func zeroDivisor(at range: SourceRange) -> Self {
        Diagnostic(
            .conditionConstantError, message: "a division by zero always fails", at: range,
            label: "this is zero")
    }

    fileprivate static func divisorMayBeZero(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(text)` may be zero, and a division by zero fails",
            at: range,
            label: "may be zero",
            help: ["check first that `\(text)` is not zero: `\(text) != 0 && …`"])
    }
}

/// Regexes for strings that can be converted, by type.
private let patternsOfTypes = [
    "int": #""^-?[0-9]{1,18}$""#, "double": #""^-?[0-9]+([.][0-9]+)?$""#,
    "version": #""^[0-9]+([.][0-9]+)*$""#,
]

// Advice on elements of lists and entries of maps that may not exist.
extension ExpressionLinter {
    mutating func reportIndex(_ node: NodeID, name: String, knowing facts: CountedSet<Fact>) {
        let target = tree.child(node, at: 0)
        if case .list = subject.checked.typeTable[subject.checked.type(target)] {
            return reportElement(node, of: target, name: name, knowing: facts)
        }
        guard case .map = subject.checked.typeTable[subject.checked.type(target)],
            tree.kind(of: target) != .map
        else { return }
        reportOnce(
            name,
            diagnostic: .fieldMayBeMissing(
                subject.expression.text(of: node), at: tree.range(node)))
    }

    private mutating func reportElement(
        _ node: NodeID, of target: NodeID, name: String, knowing facts: CountedSet<Fact>
    ) {
        let index = tree.child(node, at: 1)
        let number = wholeNumber(index)
        let needed = number.map { $0 < .max ? $0 + 1 : $0 } ?? distanceFromEnd(index, of: target)
        let list = key(target)
        let isLongEnough = facts.contains { fact in
            guard case .sizeAtLeast(list, let least) = fact, let needed else { return false }
            return needed > 0 && needed <= least
        }
        if isLongEnough { return }
        // The elements of a list that is written out are counted.
        if tree.kind(of: target) == .list, let number,
            (0..<Int64(tree.childCount(target))).contains(number)
        {
            return
        }
        let text = subject.expression.text(of: target)
        if let number, number < 0 {
            return reportNegative(node, number: number, of: text, name: name)
        }
        var diagnostic = Diagnostic.indexMayBeOutside(text, at: tree.range(node))
        let most = needed.map { "\($0 - 1)" } ?? subject.expression.text(of: index)
        if isNew(name), needed == nil || !offerSize(of: text, over: most, node, to: &diagnostic) {
            diagnostic.help = ["check the size first: `size(\(text)) > \(most) && …`"]
        }
        reportOnce(name, diagnostic: diagnostic)
    }

    /// `items[-1]`, which elsewhere is the last element.
    private mutating func reportNegative(
        _ node: NodeID, number: Int64, of list: String, name: String
    ) {
        var diagnostic = Diagnostic.negativeIndex(
            subject.expression.text(of: node), at: tree.range(node))
        let (last, overflows) = (0 as Int64).subtractingReportingOverflow(number)
        if isNew(name), !overflows {
            let read = "\(list)[size(\(list)) - \(last)]"
            if !offerSize(of: list, over: "\(last - 1)", node, reading: read, to: &diagnostic) {
                diagnostic.help = ["to count from the end, use `\(read)`"]
            }
        }
        reportOnce(name, diagnostic: diagnostic)
    }

    /// `sets.length` of a map, which elsewhere is how many entries it has.
    mutating func reportSize(_ node: NodeID, name: String) -> Bool {
        let field = tree.name(node)
        guard sizeNames.contains(field), isNew(name) else { return false }
        let map = subject.expression.text(of: tree.child(node, at: 0))
        var diagnostic = Diagnostic.entryNamedAsSize(field, of: map, at: tree.focus(node))
        diagnostic.offer(
            "if you mean the number of entries",
            rewriting: tree.rewriting([(node, "size(\(map))")]), isSafe: false)
        let text = subject.expression.text(of: node)
        let question = Question(
            asked: "has(\(text))", denied: "!has(\(text))",
            must: "if you mean the entry `\(field)`, and it must exist",
            may: "if you mean the entry `\(field)`, and it may be missing")
        _ = offer(question, at: node, isOnce: isReadOnce(text), to: &diagnostic)
        reportOnce(name, diagnostic: diagnostic)
        return true
    }

    /// Returns the required number of elements for an index of `items` such as `size(items) - 1`.
    private func distanceFromEnd(_ index: NodeID, of list: NodeID) -> Int64? {
        guard tree.operation(index) == .subtract,
            let number = wholeNumber(tree.child(index, at: 1)),
            number > 0
        else { return nil }
        let call = tree.child(index, at: 0)
        return isCall(call, code: .size) && tree.childCount(call) == 1
            && key(tree.child(call, at: 0)) == key(list) ? number : nil
    }

    private func offerSize(
        of list: String, over most: String, _ node: NodeID, reading read: String? = nil,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        let isOnce = isReadOnce(subject.expression.text(of: node))
        guard isOnce || variable(tree.child(node, at: 0)) != nil else { return false }
        let question = Question(
            asked: "size(\(list)) > \(most)", denied: "size(\(list)) <= \(most)",
            must: "to require enough items",
            may: "to also accept fewer items",
            read: read)
        return offer(question, at: node, isOnce: isOnce, to: &diagnostic)
    }
}

extension Diagnostic {
    fileprivate static func indexMayBeOutside(_ list: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(list)` may have too few items", at: range,
            label: "this item may be missing")
    }

    fileprivate static func entryNamedAsSize(
        _ field: String, of map: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(field)` is an entry of the map `\(map)`, not its size", at: range,
            label: "the value of an entry")
    }

    fileprivate static func negativeIndex(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionConstantError,
            message: "`\(text)` always fails: a list has no negative positions", at: range,
            label: "the first item has the position 0")
    }
}
