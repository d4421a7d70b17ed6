// Bundles: `RuleSet(bundle:)`, and why one is refused.
@_exported public import PopWire

// The types that the engine's own calls use, so that an app only has to import PopEngine. Each is
// named: whole modules would bring in names that clash with names of SwiftUI.
@_exported public import enum PopCEL.CELType
@_exported public import struct PopCEL.EvaluationError
@_exported public import struct PopCEL.TimeZones
@_exported public import struct PopCEL.Timestamp
@_exported public import enum PopCEL.Value
@_exported public import struct PopCEL.ValueMap
@_exported public import struct PopCEL.Version
@_exported public import enum PopScheduler.ConditionRole
@_exported public import struct PopScheduler.ForeignPopup
@_exported public import struct PopScheduler.History
@_exported public import enum PopScheduler.HistoryRecord
@_exported public import enum PopScheduler.HostEvent
@_exported public import struct PopScheduler.Moment
@_exported public import struct PopScheduler.PopupExplanation
@_exported public import struct PopScheduler.PopupRule
@_exported public import struct PopScheduler.PresentationID
@_exported public import enum PopScheduler.ReasonCode
@_exported public import enum PopScheduler.Rejection
@_exported public import struct PopScheduler.RuleSet
@_exported public import struct PopScheduler.SchedulerLimits
@_exported public import struct PopScheduler.Statistics
@_exported public import struct PopScheduler.Suspension
@_exported public import struct PopScheduler.TaskID
@_exported public import enum PopScheduler.WillShowAnswer
@_exported public import struct PopSource.JSONLimits
@_exported public import struct PopSource.JSONSyntaxError
@_exported public import struct PopSource.SourceRange
