import Dispatch
import PopSource
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The processor time and memory that a command may use for the size of its input.
///
/// Commands count their work and stop at the limits of `AnalysisLimits`, `FleetLimits` and others,
/// which report exactly what they left out. These limits are for work that nobody counts: they
/// depend on the computer, so they are far above what a command needs.
struct ProcessLimits: Equatable {
    /// The maximum processor time of all threads, in seconds.
    var seconds: Double
    /// The maximum memory, in bytes.
    var memory: Int

    /// The number of bytes of input for which the least limits apply.
    static let smallInput = 1 << 20
    /// The processor time for a small input, in seconds.
    static let leastSeconds = 9.0
    /// The additional processor time for each further MiB of input, in seconds.
    static let secondsPerMiB = 30.0
    /// The memory for a small input, in bytes.
    static let leastMemory = 896 << 20
    /// The additional memory for each further byte of input, in bytes.
    static let memoryPerByte = 128
    /// The factor by which debug builds may be slower.
    static let factorOfDebugBuilds = 20.0

    /// The environment variable with the processor time in seconds for any input; 0 is no limit.
    static let variable = "POPRULES_TIME_LIMIT"
    /// The maximum value of the variable, in seconds.
    private static let mostSeconds = 1e9

    /// Computes the limits for an input of a number of bytes; with a processor time that the user
    /// chose, this time is the only limit.
    init(inputBytes: Int, chosenSeconds: Double? = nil) {
        let more = max(inputBytes - Self.smallInput, 0)
        seconds =
            chosenSeconds
            ?? Self.leastSeconds + Double(more) / Double(Self.smallInput) * Self.secondsPerMiB
        let (further, isTooLarge) = more.multipliedReportingOverflow(by: Self.memoryPerByte)
        memory =
            chosenSeconds != nil || isTooLarge ? .max : Self.sum(Self.leastMemory, further)
    }

    /// Returns the sum of two numbers; the largest number if the sum is larger.
    static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? .max : sum
    }

    /// Reads the processor time that the user chose, in seconds; nil if there is no text.
    static func chosenSeconds(in text: String?) throws -> Double? {
        guard let text, !text.isEmpty else { return nil }
        guard let seconds = Double(text), (0...mostSeconds).contains(seconds) else {
            throw UsageFailure(
                message: "the environment variable \(variable) is `\(text)`, but must be a number"
                    + " of seconds, such as 60; with 0, there is no limit")
        }
        return seconds
    }

    /// Returns the reason to stop a process with this use; nil if it may go on.
    func excess(of use: ProcessUse) -> String? {
        if use.seconds > seconds {
            let text = seconds < 1 ? "\(seconds)" : "\(Int(seconds.rounded()))"
            let unit = text == "1" ? "second" : "seconds"
            return "it used more than \(text) \(unit) of processor time"
        }
        return use.memory > memory ? "it used more than \(memory >> 20) MiB of memory" : nil
    }
}

/// The processor time and memory of this process.
struct ProcessUse: Equatable {
    /// The processor time of all threads, in seconds.
    var seconds: Double
    /// The memory, in bytes.
    var memory: Int

    init(seconds: Double, memory: Int) {
        self.seconds = seconds
        self.memory = memory
    }

    /// Reads the use of this process until now.
    init() {
        var usage = rusage()
        #if os(Linux)
            let isKnown = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
        #else
            let isKnown = unsafe getrusage(RUSAGE_SELF, &usage) == 0
        #endif
        let times = [usage.ru_utime, usage.ru_stime]
        seconds =
            isKnown ? times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 } : 0
        #if os(Linux)
            // `getrusage` knows only the peak, which may come from the process that started this
            // one. The second number is that of the pages in memory.
            let file = try? Descriptor(reading: "/proc/self/statm")
            defer { file?.end() }
            let text = try? file?.bytes(atMost: 256)
            let fields = String(decoding: text ?? [], as: UTF8.self).split(separator: " ")
            memory = (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
        #else
            memory = isKnown ? usage.ru_maxrss : 0
        #endif
    }
}

/// Ends this process if it exceeds its limits.
final class ProcessGuard: Sendable {
    /// The guard of this process.
    static let shared = ProcessGuard()

    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct State {
        /// The processor time that the user chose, in seconds.
        var chosenSeconds: Double?
        /// The input that isn't a file of the command line, in bytes.
        var otherInput = 0
        /// The memory that the user allows, in bytes.
        var allowedMemory = 0
        /// The number of bytes of the files of the command line, once it is needed.
        var files: Int?
    }

    private let state = LockedValue(State())

    /// Begins to watch the process.
    func begin() throws {
        let chosen = try ProcessLimits.chosenSeconds(
            in: ProcessInfo.processInfo.environment[ProcessLimits.variable])
        guard chosen != 0 else { return }
        // `uninterrupted` defers this signal until a file is complete.
        signal(SIGXCPU) { _ in _exit(ExitStatus.inconclusive) }
        state.withLock { $0.chosenSeconds = chosen }
        checkLater()
    }

    private func checkLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [self] in
            if let excess = excess() { end(because: excess) } else { checkLater() }
        }
    }

    /// Sets the size of input that isn't a file of the command line, such as standard input.
    func countInput(bytes: Int) { state.withLock { $0.otherInput = bytes } }

    /// Raises the limit of memory by what the user allows.
    func allow(memory: Int) { state.withLock { $0.allowedMemory = memory } }

    /// Returns the reason to end this process; nil if it may go on.
    private func excess() -> String? {
        let use = ProcessUse()
        // The sizes of the files matter only to a process beyond the limits of small input.
        guard limits(inputBytes: 0).excess(of: use) != nil else { return nil }
        let (other, known) = state.withLock { ($0.otherInput, $0.files) }
        let files = known ?? InputSize.ofCommandLine()
        state.withLock { $0.files = files }
        return limits(inputBytes: files + other).excess(of: use)
    }

    private func end(because excess: String) {
        let seconds = max(60, Int((ProcessUse().seconds * 10).rounded()))
        let isChosen = state.withLock { $0.chosenSeconds != nil }
        let usual = isChosen ? "" : ", which is far more than usual"
        let reason: String =
            "stopped without a result because \(excess)\(usual); if your"
            + " rules, tests or logs need more, set the environment variable"
            + " \(ProcessLimits.variable), for example to \(seconds) seconds with"
            + " `\(ProcessLimits.variable)=\(seconds)`"
        Terminal.complain(lines: "poprules: \(reason)")
        kill(getpid(), SIGXCPU)
    }

    private func limits(inputBytes: Int) -> ProcessLimits {
        let state = state.withLock { $0 }
        var limits = ProcessLimits(inputBytes: inputBytes, chosenSeconds: state.chosenSeconds)
        #if DEBUG
            if state.chosenSeconds == nil { limits.seconds *= ProcessLimits.factorOfDebugBuilds }
            limits.memory = ProcessLimits.sum(limits.memory, limits.memory)
        #endif
        limits.memory = ProcessLimits.sum(limits.memory, state.allowedMemory)
        return limits
    }
}

/// The size of the files that the command line names.
enum InputSize {
    /// The maximum number of files of folders that are counted.
    private static let mostFiles = 100_000

    static func ofCommandLine() -> Int {
        of(CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") } + ["rules"])
    }

    /// Returns the number of bytes of some files, and of the YAML files of some folders.
    static func of(_ paths: [String]) -> Int {
        var (bytes, count) = (0, 0)
        for path in Set(paths) {
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
            let yaml = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            for file in yaml.map({ "\(path)/\($0)" }) + [path] {
                count += 1
                guard count <= mostFiles else { return bytes }
                bytes += FileIdentity(file)?.bytes ?? 0
            }
        }
        return bytes
    }
}

/// A command that, with some options, runs until the user stops it.
protocol RunsUntilStopped {
    var runsUntilStopped: Bool { get }
}
