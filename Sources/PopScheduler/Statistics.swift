/// The amount of work that a scheduler did so far; tests assert on it that the work depends only on
/// what an input changes.
public struct Statistics: Sendable, Hashable {
    /// The number of conditions evaluated, of popups, groups, triggers and named ones.
    public var conditionsEvaluated = 0
    /// The number of times that a waiting task's eligibility was examined.
    public var tasksExamined = 0
}
