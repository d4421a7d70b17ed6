internal import PopSource
internal import PopYAML

// Common notations of caps: `2 per week`, `{ limit: 2, period: week }`.

let namesOfCounts: Set<String> = [
    "max", "limit", "count", "times", "impressions", "amount", "maximum", "max_impressions",
    "max_shows", "max_times", "max_count", "max_views", "frequency",
]

let namesOfPeriods: Set<String> = [
    "per", "period", "window", "interval", "within", "every", "in", "duration", "time_window",
    "timeframe", "time_frame",
]

/// Returns a count and its period, such as `2 per week` and `{ limit: 2, period: week }`, in the
/// form of an entry of `windows`; nil for a value without both.
func windowText(_ value: YAMLNode) -> String? {
    if value.kind == .mapping { return windowText(Array(value.entries)) }
    guard let text = value.scalar?.text.lowercased(), text.utf8.count <= longestReading,
        let match = countPerPeriod.wholeMatch(of: text)
    else { return nil }
    let number = match.output.1.map(String.init) ?? (match.output.2 == "once" ? "1" : "2")
    return windowText(number, per: String(match.output.3))
}

func windowText(_ entries: [YAMLEntry]) -> String? { windowReadings(entries).first?.text }

private func windowText(_ number: String, per period: String) -> String? {
    windowReadings(number, per: period).first?.text
}

/// Returns the possible meanings of a map with a count and a period.
func windowReadings(_ entries: [YAMLEntry]) -> [Reading] {
    func text(_ names: Set<String>) -> String? {
        entries.first { names.contains($0.key.nameForMessages.foldedForNames) }?.value.scalar?.text
    }
    guard let number = text(namesOfCounts), let period = text(namesOfPeriods) else { return [] }
    return windowReadings(number, per: period)
}

private func windowReadings(_ number: String, per period: String) -> [Reading] {
    guard let number = Int(number), number > 0 else { return [] }
    let isTime = milliseconds(in: period) != nil || wordsOfPeriod.contains(period)
    let times = isTime ? [Reading(period)] : periodReadings(period)
    return times.map { Reading("{ max: \(number), per: \($0.text) }", meaning: $0.meaning) }
}

private let countPerPeriod = SharedRegex(
    #/(?:(\d+) *(?:x|×|times?)?|(once|twice)) *(?:per|an?|in|every|each|\/) *(.+)/#)
