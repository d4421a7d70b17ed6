import Measuring

/// Returns a table of the goals: what a user of an app, of an editor or of the commands notices.
/// Ratios hold on any machine.
func goals(_ figures: [Figure]) -> String {
    let byName = Dictionary(figures.map { ($0.name, $0) }) { first, _ in first }
    func ratio(_ name: String, to reference: String, atMost limit: Double) -> Goal? {
        guard let figure = byName[name], let reference = byName[reference] else { return nil }
        let value = figure.ratio(to: reference)
        return Goal(name: name, against: "times the reference", value: value, limit)
    }
    func value(_ name: String, _ unit: String, atMost limit: Double) -> Goal? {
        byName[name].map { Goal(name: name, against: unit, value: $0.median, limit) }
    }
    let conditions = ["E1", "E2", "E3", "E4"].flatMap { name in
        [
            ratio("eval \(name)", to: "eval \(name): closure", atMost: 4),
            name == "E4" ? nil : value("eval \(name): allocations", "allocations", atMost: 0),
        ]
    }
    let change = "one change shows one"
    let rest = [
        ratio("matches", to: "matches: RE2", atMost: 2),
        value("load 10,000", "ms", atMost: 200),
        value("load 20", "µs", atMost: 1_000),
        value("memory: loading 10,000, file sizes", "file sizes", atMost: 12),
        value("link 5,000: a priority", "ms", atMost: 50),
        value("schedule 100000: add all", "ms", atMost: 100),
        ratio("schedule 100000: \(change)", to: "schedule 1000: \(change)", atMost: 2),
    ]
    let processes = [
        value("process: poprules --help", "ms", atMost: 10),
        value("process: poprules validate, 20 popups", "ms", atMost: 20),
        value("process: poprules collisions, 1,000 popups", "ms", atMost: 2_000),
        value("process: poprules diff, 10 of 1,000 popups", "ms", atMost: 1_000),
    ]
    let server = [
        value("server: start, p95", "ms", atMost: 50),
        value("server: 200 popups, a key, p95", "ms", atMost: 10),
        value("server: 200 popups, completion, p95", "ms", atMost: 5),
        value("server: 200 popups, what conditions mean, p95", "ms", atMost: 100),
        value("server: 5000 popups, a key, p95", "ms", atMost: 250),
        value("server: 5000 popups, completion, p95", "ms", atMost: 5),
        value("server: 5000 popups, what conditions mean, p95", "ms", atMost: 100),
        value("server: memory after 10,000 keys, of 1,000", "times", atMost: 1.1),
    ]
    let rows = (conditions + rest + processes + server).compactMap { $0 }.map(\.row)
    return aligned([["goal", "is", "at most", "of", ""]] + rows)
}

private struct Goal {
    let row: [String]

    init(name: String, against: String, value: Double, _ limit: Double) {
        row = [name, shown(value), shown(limit), against, value <= limit ? "reached" : "missed"]
    }
}
