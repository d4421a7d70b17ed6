public import PopLogic

/// What looking for what rules mean may use up, before the answer is "not known".
public struct AnalysisLimits: Sendable, Hashable {
    /// For each question about conditions.
    public var logic = LogicLimits.standard

    /// The standard limits, to change one by one.
    public init() {}

    /// What is looked for within unless other limits are given.
    public static let standard = AnalysisLimits()
}
