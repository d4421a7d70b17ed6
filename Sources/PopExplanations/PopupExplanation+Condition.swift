internal import PopCEL
package import PopScheduler
internal import PopSource

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
            lines.append("it comes after \(awaited.map { "`\($0)`" }.joined(separator: ", "))")
        }
        if let position {
            lines.append("it is number \(position) of \(waiting) in the queue of `\(scheduler)`")
        }
        if let until { lines.append("until \(until)") }
        return lines
    }
}
