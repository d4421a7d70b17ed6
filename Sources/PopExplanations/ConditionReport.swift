package import PopCEL
package import PopScheduler
package import PopSource

/// A condition with the value of every part, including parts of the named conditions that it uses.
package struct ConditionReport: Sendable {
    /// The decision that the condition makes; nil for a condition of a test.
    package var role: ConditionRole?
    /// Where the condition is written.
    package var range: SourceRange
    /// The whole condition; nil for a constant.
    package var root: Explanation.Part?
    /// The result of the whole condition.
    package var truth: Truth
    /// The named conditions that it uses, directly or through other named conditions.
    package var named: [String: Explanation.Part]

    package init(
        role: ConditionRole? = nil, range: SourceRange, root: Explanation.Part?, truth: Truth,
        named: [String: Explanation.Part]
    ) {
        self.role = role
        self.range = range
        self.root = root
        self.truth = truth
        self.named = named
    }

    /// The parts inside a part: its own, or the root of the named condition that it refers to.
    func parts(of part: Explanation.Part) -> [Explanation.Part] {
        if !part.parts.isEmpty { return part.parts }
        return named[part.text].map { [$0] } ?? []
    }

    /// The parts from the whole down to the smallest one that decides the result.
    var decidingPath: [Explanation.Part] {
        guard var part = root else { return [] }
        var path = [part]
        while let next = decidingPart(inside: part) {
            part = next
            path.append(part)
        }
        return path
    }

    /// The single part inside that has the same result as the whole; nil if no part has it or if
    /// several do.
    private func decidingPart(inside part: Explanation.Part) -> Explanation.Part? {
        guard part.isCondition || part.hasFailed else { return nil }
        let same = parts(of: part).filter { $0.wasNeeded && $0.result == part.result }
        return same.count == 1 && part.result != nil ? same.first : nil
    }

    /// The part that decided and its result, such as `` `app.screen == "home"` is false``.
    package var decision: String {
        guard let part = decidingPath.last else { return "the condition is always \(truth.phrase)" }
        if case .failure(let error)? = part.result { return bounded(error.message) }
        let name = decidingPath.last { named[$0.text] != nil }
        let origin = name.map { $0.text == part.text ? "" : ", and so is `\($0.text)`" } ?? ""
        return "`\(bounded(part.lineText))` is \(part.resultText)\(origin)"
    }

    /// The values that the deciding part read, such as `` `app.screen` is "map"``.
    package var facts: [String] {
        guard let part = decidingPath.last, !part.hasFailed else { return [] }
        var facts: [String] = []
        var opened: Set<String> = []
        var rest = Array(parts(of: part).reversed())
        while let part = rest.popLast() {
            guard part.wasNeeded else { continue }
            let inside = parts(of: part)
            if !inside.isEmpty {
                let isNew = !part.parts.isEmpty || opened.insert(part.text).inserted
                if isNew { rest += inside.reversed() }
            } else if let fact = part.fact, !facts.contains(fact) {
                facts.append(fact)
            }
        }
        let more = facts.count - PrintLimits.facts
        return more > 0 ? facts.prefix(PrintLimits.facts) + ["and \(more) more values"] : facts
    }
}

extension ExplainContext {
    /// Returns a report of a condition with its current values, or with those of a supposition.
    package func report(
        on condition: Condition, as role: ConditionRole,
        supposing supposition: Supposition = Supposition()
    ) -> ConditionReport {
        let values = scheduler.slotValues(
            condition.program.slots, at: now, supposing: supposition)
        return ConditionReport(
            role: role, range: condition.range, root: explain(condition.program, with: values),
            truth: condition.program.isTrue(values), named: named(condition.program, in: values))
    }

    /// Explains a program and charges the steps. A refused charge is ignored, because the budget
    /// covers the whole answer and a missing part would go unnoticed.
    private func explain(
        _ program: Program, with values: borrowing SlotValues
    ) -> Explanation.Part? {
        let explanation = program.explain(values)
        _ = budget.charge(.judgedPopups, explanation.steps / Scheduler.stepsPerTask)
        return explanation.root
    }

    /// The named conditions that a program uses, each explained once.
    private func named(
        _ program: Program, in values: borrowing SlotValues
    ) -> [String: Explanation.Part] {
        var named: [String: Explanation.Part] = [:]
        for index in rules.conditions(usedBy: program) {
            let used = rules.conditions[index]
            named[used.name] = explain(used.condition.program, with: values)
        }
        return named
    }
}

extension ExplainContext {
    /// Returns the current value of an expression of any type, and the rows of its parts.
    package func evaluated(
        _ program: Program
    ) -> (value: Result<Value, EvaluationError>, tree: [String]) {
        let values = scheduler.slotValues(program.slots, at: now)
        let outline = PartOutline(
            explain(program, with: values), named: named(program, in: values), path: [])
        do throws(EvaluationError) {
            return (.success(try program.evaluate(values)), outline.lines)
        } catch {
            return (.failure(error), outline.lines)
        }
    }
}

extension Explanation.Part {
    package var hasFailed: Bool {
        if case .failure? = result { true } else { false }
    }

    /// The text on one line.
    package var lineText: String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The part's result in words for users.
    package var resultText: String {
        switch result {
        case .success(let value)?: value.text(atMost: PrintLimits.value)
        case .failure(let error)?: "not known: \(bounded(error.message))"
        case nil: "not needed"
        }
    }

    /// The value that a name had; nil for a constant, for a failure, and for a part that was not
    /// needed.
    fileprivate var fact: String? {
        guard case .success? = result, valueText != text else { return nil }
        return "`\(bounded(lineText))` is \(valueText)"
    }
}

extension Truth {
    /// The end of a sentence that begins with "the condition is …".
    package var phrase: String {
        switch self {
        case .yes: "true"
        case .no: "false"
        case .error(let error): "not known: \(bounded(error.message))"
        }
    }
}

extension PopupExplanation {
    /// The condition that decided, as the scheduler explains it. Named conditions in it are not
    /// broken down.
    package var conditionReport: ConditionReport? {
        guard let condition else { return nil }
        let nowhere = SourceRange(file: FileID(index: 0), 0..<0)
        return ConditionReport(
            role: role, range: range ?? nowhere, root: condition.root, truth: .no, named: [:])
    }
}

extension PopupExplanation {
    /// The lines that the explanation gives by itself: the sentence, the condition that decided,
    /// the predecessors, the place in the queue, and the date until which this holds.
    package var lines: [String] {
        var lines = [sentence]
        if let standstill { lines.append(standstill) }
        if let report = conditionReport {
            lines.append(([report.decision] + report.facts).joined(separator: "; "))
        }
        if !awaited.isEmpty {
            lines.append("it waits for \(awaited.map { "`\($0)`" }.joined(separator: ", "))")
        }
        if let position {
            lines.append("it is number \(position) of \(waiting) in the queue of `\(scheduler)`")
        }
        if let until { lines.append("this is true until \(until)") }
        return lines
    }
}
