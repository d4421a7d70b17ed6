// A load test of an engine: calls from many threads at the same time, and more inputs than an app
// ever has.
//
// Usage: EngineLoad threads CALLS | EngineLoad memory INPUTS | EngineLoad latency POPUPS
// Prints the requirements that don't hold; if there are any, it exits with 1.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
    print("usage: EngineLoad threads CALLS | memory INPUTS | latency POPUPS")
    exit(2)
}
let problems: [String]
switch arguments[1] {
case "threads": problems = try await ThreadLoad.problems(callsPerThread: count)
case "memory": problems = try await MemoryLoad.problems(inputs: count)
case "latency":
    await LatencyLoad.measure(popups: count)
    problems = []
default: problems = ["there is no load named \(arguments[1])"]
}
for problem in problems { print(problem) }
exit(problems.isEmpty ? 0 : 1)
