internal import PopCEL
internal import PopSource

extension Adviser {
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

extension Adviser {
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
            label: "read without `has()`")
        if let presence = variable.presence {
            diagnostic.notes = ["it has a value \(presence); without a value, the condition fails"]
        } else if let place = variable.declaredAt {
            diagnostic.secondary = [.init("declared without a default here", at: place)]
        }
        return diagnostic
    }

    fileprivate static func mayBeMissing(_ call: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(call)` may have no value here", at: range,
            label: "read without `has()`")
    }

    static func fieldMayBeMissing(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "the map may have no entry for `\(text)`", at: range,
            label: "read without `has()` or `in`",
            help: ["use `has(map.key)` or `\"key\" in map` to check whether a map has a key"])
    }

    fileprivate static func mayBeOtherText(
        _ call: String, text: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(call)` fails if the string cannot be converted",
            at: range, label: "not every string can be converted",
            help: [
                "declare it as `\(type)` in the context if it always has this type",
                "otherwise, check its format first: `\(text).matches(…) && …`",
            ])
    }

    fileprivate static func zeroDivisor(at range: SourceRange) -> Self {
        Diagnostic(
            .conditionConstantError, message: "a division by zero always fails", at: range,
            label: "zero")
    }

    fileprivate static func divisorMayBeZero(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(text)` may be zero, and a division by zero fails",
            at: range,
            label: "may be zero", help: ["check this first: `\(text) != 0 && …`"])
    }
}
