internal import PopCEL

/// The bounds of the numbers in rules. Rule files and bundles are both held to them, so that
/// nothing that counts on can overflow.
package enum RuleBounds {
    /// How often something may happen, how many may wait, and which occurrence is meant.
    package static let counts = 1...1_000_000
    /// The longest length of time, in days: two of them and a date stay within what 64 bits hold of
    /// nanoseconds and within the years that calendars know.
    package static let durationDays = 36_500
    /// How long something may last; `positiveDurations` is for what cannot last no time at all.
    package static let durations = Duration.zero...Duration.seconds(Int64(durationDays) * 86_400)
    /// How long something may last that has to last.
    package static let positiveDurations = Duration.milliseconds(1)...durations.upperBound
    /// How much a weight may be: 64 bits hold a place times the sum of all weights.
    package static let weights = 0...1_000_000
    /// How urgent a popup may be.
    package static let priorities = -1_000_000...1_000_000
    /// The caps of a popup, those of a group, and the entries of `limits`: all of them are checked
    /// whenever a popup is judged.
    package static let caps = 100
    /// The steps that `RuleSet.selectionSteps` counts: some seconds. A hundred limits of ten tags
    /// each may be for 10,000 popups of five tags each.
    package static let selectionSteps = 50_000_000
    /// The fields of one event, those that one template requires or allows, and its actions.
    package static let fields = 1_000
    /// The languages that every text may be needed in: the CLDR knows fewer than a thousand.
    package static let requiredLanguages = 1_000
    /// The days since 1970-01-01 that a calendar may name, from the year 1 to the year 9999.
    package static let days = secondsToDays(Timestamp.min)...secondsToDays(Timestamp.max)
    /// The seconds since they read 1970-01-01T00:00:00 that clocks may read in those years.
    package static let readings = Timestamp.min.seconds...Timestamp.max.seconds

    private static func secondsToDays(_ moment: Timestamp) -> Int {
        let (days, rest) = moment.seconds.quotientAndRemainder(dividingBy: 86_400)
        return Int(rest < 0 ? days - 1 : days)
    }
}
