internal import PopCEL
internal import PopSource

// Advice on elements of lists and entries of maps that may not exist.
extension Adviser {
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
            must: "if you mean the entry `\(field)` and it must exist",
            may: "if you mean the entry `\(field)` and it may be missing")
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
            must: "if the list must have enough elements",
            may: "if fewer elements are also accepted",
            read: read)
        return offer(question, at: node, isOnce: isOnce, to: &diagnostic)
    }
}

extension Diagnostic {
    fileprivate static func indexMayBeOutside(_ list: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionMayError, message: "`\(list)` may have too few elements", at: range,
            label: "the element may not exist")
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
            message: "`\(text)` always fails: a list has no negative indexes", at: range,
            label: "the first element has index 0")
    }
}
