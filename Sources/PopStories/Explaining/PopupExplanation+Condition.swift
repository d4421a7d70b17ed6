internal import PopCEL
package import PopScheduler
internal import PopSource

extension PopupExplanation {
    /// The condition that decided, as the scheduler explains it; named conditions in it are not
    /// taken apart.
    package var conditionReport: ConditionReport? {
        guard let condition else { return nil }
        let nowhere = SourceRange(file: FileID(index: 0), 0..<0)
        return ConditionReport(
            role: role, range: range ?? nowhere, root: condition.root, truth: .no, named: [:])
    }
}
