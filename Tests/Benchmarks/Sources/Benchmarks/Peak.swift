import Foundation
import Measuring
import PopRuleFiles
import PopScheduler
import RuleText

/// Loads once, in a separate process, and prints by how much the memory grew at its peak.
func printPeak() throws {
    let sources = sources([ruleText(popups: 10_000)])
    let size = Double(sources.files[0].bytes.count)
    let before = peak()
    use(RuleSet.check(sources))
    let grown = (peak() - before) / size
    let figure = Figure("memory: loading 10,000, file sizes", .times, exactly: grown)
    FileHandle.standardOutput.write(try JSONEncoder().encode([figure]))
}

/// The most bytes that the process held so far.
private func peak() -> Double {
    #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return Double(usage.ru_maxrss)
    #else
        // Not `getrusage`: its peak includes that of the process that started this one.
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0) * 1_024
    #endif
}
