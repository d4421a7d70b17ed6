import PopEngine
import Testing

/// F4 of the findings: all reachable types can be named, with only `import PopEngine`.
@Suite struct `Every object that an app can reach` {
    private struct Notes {
        var rule: PopupRule
        var presentation: PresentationID
        var statistics: Statistics
        var suspension: Suspension
        var explanation: PopupExplanation
        var state: PopupExplanation.State
        var condition: ConditionExplanation
        var role: ConditionRole
        var error: EvaluationError
        var obstacle: PopupObstacle
        var filter: PopupTriggerFilter
        var animation: PopupAnimation
        var range: SourceRange
        var limits: SchedulerLimits
        var zones: TimeZones
        var type: CELType
        var version: Version
        var jsonLimits: JSONLimits
        var jsonError: JSONSyntaxError
        var task: TaskID
        var map: ValueMap
        var record: HistoryRecord
    }

    /// Most of this test is that it compiles.
    @Test func `has a description`() {
        let notes: Notes? = nil
        #expect(notes?.range == nil)
        let suspension = Suspension(by: "checkout")
        #expect(suspension.owner == "checkout")
    }
}
