/// What a simulation has to meet, so that it says something about it.
enum Sight: CaseIterable {
    case reservationLeftBehind
    case reservationKeepsOut
    case reservationKeepsOutDiscardable
    case reservationOfFormerUser
    case impressionOfFormerUser
    case dismissalOfFormerUser
    case afterByReservationLeftBehind
    case afterWaitsForScreen
    case noOfHostWithBetterWaiting
    case requeuedAfterYes
    case requeuedAfterSwitch
    case switched
    case switchOverOneThatGoes
    case settlesBehindAnother
    case settlesInTheGap
    case goesBackBehindAnother
    case goesBackInTheGap
    case severalChoices
    case laterSchedulerGoesFirst
    case dropWithoutChoice
    case waitsForDismissCondition
    case beforeStartStays
    case waitedTooLongSettling
    case waitedTooLongAsked
    case switchedOutIsNotCounted
    case severalSuspensions
    case openBySecondEntry
    case capOverAll
    case ousted
    case scheduleError
    case essentialInHoldout
    case exposedToVariant
    case controlBehindAnother
    case afterByControl
}
