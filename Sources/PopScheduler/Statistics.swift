/// What a scheduler had to do so far; tests assert on it that work follows what an input touches.
public struct Statistics: Sendable, Hashable {
    /// Conditions evaluated, of popups, groups, triggers and named ones.
    public var conditionsEvaluated = 0
    /// Waiting tasks looked at for whether they are eligible.
    public var tasksExamined = 0
}
