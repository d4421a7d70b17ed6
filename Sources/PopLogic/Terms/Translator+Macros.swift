internal import PopCEL

// MARK: Parts that nothing is known about

extension Translator {
    /// Returns the term of a part that may be true, false, or fail; equal parts have equal terms.
    mutating func free(_ node: NodeID) -> TermID {
        isFree = true
        var read: [VariableIndex] = []
        var names: [String] = []
        collect(node, read: &read, names: &names)
        var key = textWithCommonZones(of: node)
        if case .file = reading.tree.origins[reading.tree.nodes[node].origin] {
            // The text of a part that was built, rather than parsed, doesn't identify it.
            key += " \(variables.all.count)"
        }
        key += names.map { " \($0)" }.joined()
        let readsNamed = names.contains { declarations.definition($0, isLater: true) != nil }
        if isLater, declarations.isNamingDifferent, readsNamed { key += " later" }
        let variable = variables.add(
            .free(key), domain: .outcome, read: read, written: reading.expression.text(of: node))
        return terms.add(
            .test(
                variable, yes: RankSet(Rank(Int(Outcome.yes.rawValue))),
                no: RankSet(Rank(Int(Outcome.no.rawValue)))))
    }

    private mutating func collect(
        _ node: NodeID, read: inout [VariableIndex], names: inout [String]
    ) {
        let tree = reading.tree
        if let value = tree.constant(node, knowsDays: true) ?? listOfConstants(node) {
            addHint(value)
        }
        switch reading.checked.nodes[node].reference {
        case .variable(let index):
            let name = SlotTable.Entry.variable(
                identity: reading.environment.part(ofVariable: index) { $0.identity })
            if case .variable(let common) = declarations.commonEntry(name, isLater: isLater) {
                names.append(common)
            }
            if let value = value(node) { read.append(value.variable) }
            return
        case .slotCall:
            if let value = value(node) { read.append(value.variable) }
            return
        case .local(let local): names.append("\(local)")
        case .none, .constant, .function: break
        }
        for child in tree.children(of: node) { collect(child, read: &read, names: &names) }
    }
}

// MARK: Macros

extension Translator {
    /// Returns the term of `exists` or `all` over a list whose elements are only read by the
    /// macro's body.
    mutating func macro(_ node: NodeID) -> TermID? {
        let tree = reading.tree
        let part = tree.nodes[node]
        guard let macro = tree.quantifier(node), part.payload == 1, !part.flag,
            let list = value(tree.child(node, at: 0)), let place = variables[list.variable].place,
            case .list = variables[list.variable].type,
            !place.path.contains(.element),
            case .local(let local) = reading.checked.nodes[tree.child(node, at: 1)].reference
        else { return nil }
        let wasFree = isFree
        isFree = false
        defer { isFree = isFree || wasFree }
        locals[local] = place.appending(.element)
        let body = term(tree.child(node, at: tree.childCount(node) - 1))
        locals[local] = nil
        let element = place.appending(.element)
        let isAboutElement = terms.variables(of: body).allSatisfy {
            self.place(of: $0)?.isInside(element) ?? false
        }
        guard !isFree, isAboutElement else { return nil }
        let term = quantified(macro, list: list.variable, body: body)
        return terms.guarded(
            terms.guarded(term, by: needs(list.variable)), by: list.isThere)
    }

    private mutating func quantified(
        _ macro: SyntaxTree.Quantifier, list: VariableIndex, body: TermID
    ) -> TermID {
        let isExists = macro == .exists
        let deciding = some(list, body: body, comesTo: isExists ? .yes : .no)
        let failing = some(list, body: body, comesTo: .failure)
        let truth = terms.add(.constant(isExists))
        let other = terms.add(.constant(!isExists))
        let failure = terms.add(.failure)
        let rest = terms.add(.choice(failing, then: failure, otherwise: other))
        return terms.add(.choice(deciding, then: truth, otherwise: rest))
    }

    /// Returns a term that is true if the body has an outcome for some list element.
    mutating func some(_ list: VariableIndex, body: TermID, comesTo outcome: Outcome) -> TermID {
        if outcome == .failure, !mayFail(body) { return terms.add(.constant(false)) }
        let variable = variables.add(.some(list, body, outcome), domain: .truth)
        return terms.add(
            .test(variable, yes: RankSet(Rank(1)), no: RankSet(Rank(0))))
    }

    private func mayFail(_ term: TermID) -> Bool {
        switch terms[term] {
        case .constant: false
        case .failure: true
        case .test(let variable, let yes, let no):
            !yes.union(no).complement(in: variables[variable].domain.whole).isEmpty
        case .all(let parts), .any(let parts): parts.contains { mayFail($0) }
        case .not(let part): mayFail(part)
        case .choice(let condition, let then, let otherwise):
            [condition, then, otherwise].contains { mayFail($0) }
        }
    }

    /// Returns the place that a variable is about; nil if there are several or none.
    private func place(of variable: VariableIndex) -> Place? {
        switch variables[variable].kind {
        case .value(let place): place
        case .text(let base, _, _), .size(let base): variables[base].place
        case .difference, .some, .free: nil
        }
    }

    /// Returns the place that a variable of a macro refers to.
    func place(ofLocal local: Int) -> Place? { locals[local] }
}

extension Place {
    /// Returns true if the place equals another one or is a part of it.
    func isInside(_ other: Place) -> Bool {
        entry == other.entry && path.starts(with: other.path)
    }
}
