public import PopCEL
public import PopScheduler

// What would clash with names of SwiftUI and of apps.

/// What the presenter was doing when it took too long.
public typealias PopupAnimation = PopScheduler.Animation
/// What a condition came to, part by part.
public typealias ConditionExplanation = PopCEL.Explanation
/// What kept the last task of a popup from showing.
public typealias PopupObstacle = PopScheduler.Obstacle
/// What kept the last event from making a task.
public typealias PopupTriggerFilter = PopScheduler.TriggerFilter
