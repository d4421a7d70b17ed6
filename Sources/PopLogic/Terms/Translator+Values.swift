internal import PopCEL
internal import PopSource

// Values that conditions read: keys, calls with a slot, fields of maps, and elements of lists.
extension Translator {
    /// A value that is read. `isThere` fails if the value can't be reached for a reason other than
    /// that it is missing itself.
    struct Read {
        let variable: VariableIndex
        let isThere: TermID
    }

    /// Returns the variable that a part reads; nil for all other parts.
    mutating func value(_ node: NodeID) -> Read? {
        let tree = reading.tree
        switch reading.checked.nodes[node].reference {
        case .variable(let index):
            let variable = reading.environment.variable(at: index)
            guard declarations.definition(variable.identity, isLater: isLater) == nil else {
                return nil
            }
            return entry(
                .variable(identity: variable.identity),
                Declarations.Declared(variable))
        case .slotCall(let index):
            let call = reading.checked.slotCalls[index]
            let declared = Declarations.Declared(
                type: reading.checked.typeTable.publicType(reading.checked.type(node)),
                mayBeMissing: call.mayBeMissing)
            return entry(.call(function: call.function, arguments: call.arguments), declared)
        case .local(let local): return place(ofLocal: local).flatMap { element($0) }
        case .none: break
        case .constant, .function: return nil
        }
        switch tree.kind(of: node) {
        case .select where !tree.nodes[node].flag:
            return field(tree.name(node), of: tree.child(node, at: 0))
        case .operation where tree.operator(of: node) == .index:
            guard case .string(let name)? = tree.literal(tree.child(node, at: 1)) else {
                return nil
            }
            return field(name, of: tree.child(node, at: 0))
        case .literal, .identifier, .select, .presence, .call, .memberCall, .operation, .list, .map,
            .message, .optionalEntry, .macro:
            return nil
        }
    }

    private mutating func entry(
        _ entry: SlotTable.Entry, _ declared: Declarations.Declared
    ) -> Read {
        let entry = declarations.commonEntry(entry, isLater: isLater)
        let place = Place(entry: entry)
        let known = variables.index(of: .value(place))
        let variable = known ?? add(place, declarations.declared(entry) ?? declared)
        let isAbsent = variables[variable].domain.isAbsent
        return Read(
            variable: variable, isThere: terms.add(isAbsent ? .failure : .constant(true)))
    }

    private mutating func add(
        _ place: Place, _ declared: Declarations.Declared
    ) -> VariableIndex {
        var domain = Domain(
            declared.type, minimum: declared.minimum, maximum: declared.maximum)
        if let allowed = declared.allowedValues, !allowed.isEmpty {
            takeSteps(allowed.count * StepCost.value)
            let values = allowed.filter { declared.isWithinBounds($0) }
            domain = Domain(.listed(values), from: .zero, to: Ordinal(max(0, values.count - 1)))
        }
        // If the default is a list or a map, it counts as one of the possible values.
        domain.usual = declared.type.isContainer ? nil : declared.usual
        domain.hasAbsence = declared.mayBeMissing && declared.usual == nil || domain.usual != nil
        domain.isAbsent = declared.isAbsent
        return variables.add(.value(place), domain: domain, type: declared.type)
    }

    /// Returns a field of a map whose keys are strings.
    private mutating func field(_ name: String, of node: NodeID) -> Read? {
        value(node).flatMap { field(name, inside: $0) }
    }

    mutating func field(_ name: String, inside map: Read) -> Read? {
        guard let place = variables[map.variable].place,
            case .map(.string, let type) = variables[map.variable].type
        else { return nil }
        let field = place.appending(.field(ExactText(name)))
        let variable = add(field, Declarations.Declared(type: type, mayBeMissing: true))
        let isThere = terms.guarded(needs(map.variable), by: map.isThere)
        return Read(variable: variable, isThere: isThere)
    }

    /// Returns an element of the list at a place.
    mutating func element(of list: Place) -> Read? { element(list.appending(.element)) }

    private mutating func element(_ place: Place) -> Read? {
        var list = place
        list.path.removeLast()
        guard let index = variables.index(of: .value(list)),
            case .list(let type) = variables[index].type
        else { return nil }
        let variable = add(place, Declarations.Declared(type: type, mayBeMissing: false))
        return Read(variable: variable, isThere: terms.add(.constant(true)))
    }
}

extension CELType {
    var isContainer: Bool {
        switch self {
        case .list, .map: true
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            false
        }
    }
}

// Strings.
extension Translator {
    /// Returns a string that is read, optionally converted to lower or upper case.
    private mutating func text(
        _ node: NodeID
    ) -> (read: Read, folding: TextAutomaton.Folding)? {
        let tree = reading.tree
        if case .function(.library(let code), _) = reading.checked.nodes[node].reference,
            tree.kind(of: node) == .memberCall, tree.childCount(node) == 1
        {
            guard code == .lowerASCII || code == .upperASCII,
                let inner = text(tree.child(node, at: 0)), inner.folding == .none
            else { return nil }
            return (inner.read, code == .lowerASCII ? .lowerASCII : .upperASCII)
        }
        guard let read = value(node), variables[read.variable].type == .string else {
            return nil
        }
        return (read, .none)
    }

    /// Returns the term of `startsWith`, `endsWith`, `contains`, or `matches` with a constant.
    mutating func textTest(_ node: NodeID) -> TermID? {
        let tree = reading.tree
        guard case .function(.library(let code), _) = reading.checked.nodes[node].reference,
            tree.childCount(node) == 2,
            case .string(let part)? = tree.literal(tree.child(node, at: 1)),
            let (read, folding) = text(tree.child(node, at: 0))
        else { return nil }
        let test: TextAutomaton.Test
        switch code {
        case .startsWith: test = .startsWith(part)
        case .endsWith: test = .endsWith(part)
        case .contains: test = .contains(part)
        case .matches: test = .matches(part)
        default: return nil
        }
        return self.test(read, test, folding: folding)
    }

    private mutating func test(
        _ read: Read, _ test: TextAutomaton.Test, folding: TextAutomaton.Folding
    ) -> TermID? {
        guard TextAutomaton(test, folding: folding) != nil else { return nil }
        let variable = variables.add(.text(read.variable, test, folding), domain: .truth)
        let passes = terms.add(
            .test(variable, yes: IntervalSet(Ordinal(1)), no: IntervalSet(.zero)))
        return terms.guarded(
            terms.guarded(passes, by: needs(read.variable)), by: read.isThere)
    }

    /// Returns the term of a string comparison with a constant that ranks don't express.
    mutating func textComparison(
        _ operation: Operator, _ node: NodeID, with constant: Value
    ) -> TermID? {
        guard case .string(let other) = constant, let (read, folding) = text(node) else {
            return nil
        }
        func passes(_ test: TextAutomaton.Test, _ translator: inout Translator) -> TermID? {
            translator.test(read, test, folding: folding)
        }
        switch operation {
        case .equal: return passes(.equals(other), &self)
        case .notEqual: return passes(.equals(other), &self).map { terms.not($0) }
        case .less: return passes(.isBelow(other), &self)
        case .greaterOrEqual: return passes(.isBelow(other), &self).map { terms.not($0) }
        case .lessOrEqual, .greater:
            // A string is less than or equal to another one if it is less than that one's direct
            // successor.
            guard let isBelow = passes(.isBelow(other + "\0"), &self) else { return nil }
            return operation == .lessOrEqual ? isBelow : terms.not(isBelow)
        case .and, .or, .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .not,
            .negate, .index, .optionalIndex:
            return nil
        }
    }

    /// Returns the size of a string or list, as a variable.
    mutating func size(_ node: NodeID) -> Read? {
        let tree = reading.tree
        guard case .function(.library(.size), _) = reading.checked.nodes[node].reference,
            tree.childCount(node) == 1, let read = value(tree.child(node, at: 0))
        else { return nil }
        switch variables[read.variable].type {
        case .list: return read
        case .string:
            let size = variables.add(.size(read.variable), domain: .sizes)
            let isThere = terms.guarded(needs(read.variable), by: read.isThere)
            return Read(variable: size, isThere: isThere)
        case .dyn, .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
            .map, .optional, .type, .wrapper, .opaque, .parameter:
            return nil
        }
    }
}

// Parts that nothing is known about.
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
            .free(ExactText(key)), domain: .outcome, read: read,
            written: reading.expression.text(of: node))
        return terms.add(
            .test(
                variable, yes: IntervalSet(Ordinal(Int(Outcome.yes.rawValue))),
                no: IntervalSet(Ordinal(Int(Outcome.no.rawValue)))))
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

// Macros.
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
            .test(variable, yes: IntervalSet(Ordinal(1)), no: IntervalSet(Ordinal(0))))
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
