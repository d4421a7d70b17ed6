import Foundation
import Measuring

// Benchmarks POPRULES OUTPUT   measures everything, prints a table and writes it as JSON.
// Benchmarks only GROUP        measures conditions, matching, loading, linking or scheduling.
// Benchmarks only server POPRULES    measures the language server of the program POPRULES.
// Benchmarks only scheduling SIZE…   measures scheduling with SIZE popups.
// Benchmarks guard             runs the counted cases under callgrind.
// Benchmarks peak              loads once and prints the peak of memory.

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "peak": try printPeak()
case "guard": try runGuarded()
case "only":
    let figures = try measureGroup(words.count > 1 ? words[1] : "", words.dropFirst(2))
    print(table(figures) + "\n\n" + goals(figures))
case .some(let poprules) where words.count == 2:
    let figures =
        try measureConditions() + measureMatching() + measureLoading() + measureLinking()
        + measureElsewhere("YamsReference") + measureScheduling() + measureMemoryOfLoading()
        + measureProcesses(poprules: poprules) + measureServer(poprules: poprules)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    try encoder.encode(figures).write(to: URL(filePath: words[1]))
    print(table(figures))
    print("\n" + goals(figures))
    if !figures.contains(where: { $0.name == "matches: RE2" }) {
        print("\nRE2 was not measured: libre2-dev was not there when the benchmarks were built.")
    }
default:
    print("usage: Benchmarks POPRULES OUTPUT | only GROUP [SIZE…] | guard | peak")
    exit(2)
}

func measureGroup(_ name: String, _ sizes: ArraySlice<String>) throws -> [Figure] {
    switch name {
    case "loading": measureLoading()
    case "linking": measureLinking()
    case "matching": try measureMatching()
    case "scheduling" where !sizes.isEmpty: try measureScheduling(sizes.compactMap { Int($0) })
    case "scheduling": try measureScheduling()
    case "server": try measureServer(poprules: sizes.first ?? "poprules")
    default: try measureConditions()
    }
}
