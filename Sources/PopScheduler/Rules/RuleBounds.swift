internal import PopCEL

/// The bounds of the numbers in rules. Rule files and bundles must both satisfy them, so that no
/// calculation with them can overflow.
package enum RuleBounds {
    /// The bounds of counts: how often something may happen, how many tasks may wait, and which
    /// occurrence is meant.
    package static let counts = 1...1_000_000
    /// The longest duration, in days: twice this duration plus a date fits in 64 bits of
    /// nanoseconds and within the years of calendars.
    package static let durationDays = 36_500
    /// The bounds of durations; `positiveDurations` is for durations that can't be zero.
    package static let durations = Duration.zero...Duration.seconds(Int64(durationDays) * 86_400)
    /// The bounds of durations that must be above zero.
    package static let positiveDurations = Duration.milliseconds(1)...durations.upperBound
    /// The bounds of weights: 64 bits hold a place times the sum of all weights.
    package static let weights = 0...1_000_000
    /// The bounds of priorities.
    package static let priorities = -1_000_000...1_000_000
    /// The maximum number of caps of a popup, of caps of a group, and of entries of `limits`: all
    /// of them are checked whenever a popup is judged.
    package static let caps = 100
    /// The maximum of `RuleSet.selectionSteps`, which takes some seconds. It allows a hundred
    /// limits of ten tags each for 10,000 popups of five tags each.
    package static let selectionSteps = 50_000_000
    /// The maximum number of fields of one event, of fields that one template requires or allows,
    /// and of its actions.
    package static let fields = 1_000
    /// The maximum number of languages that can be required of every string: the CLDR has fewer
    /// than a thousand.
    package static let requiredLanguages = 1_000
    /// The days since 1970-01-01 that calendars can represent, from the year 1 to the year 9999.
    package static let days = secondsToDays(Timestamp.min)...secondsToDays(Timestamp.max)
    /// The clock times of those years, in seconds since the clock time 1970-01-01T00:00:00.
    package static let readings = Timestamp.min.seconds...Timestamp.max.seconds

    private static func secondsToDays(_ moment: Timestamp) -> Int {
        let (days, rest) = moment.seconds.quotientAndRemainder(dividingBy: 86_400)
        return Int(rest < 0 ? days - 1 : days)
    }
}
