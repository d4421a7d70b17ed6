public import PopCEL
public import PopScheduler

// Other names for types whose names would clash with those of SwiftUI and of apps.

/// The presenter's activity when it took too long.
public typealias PopupAnimation = PopScheduler.Animation
/// The result of a condition, part by part.
public typealias ConditionExplanation = PopCEL.Explanation
/// The obstacle that prevented the last task of a popup from showing.
public typealias PopupObstacle = PopScheduler.Obstacle
/// The filter that prevented the last event from making a task.
public typealias PopupTriggerFilter = PopScheduler.TriggerFilter
