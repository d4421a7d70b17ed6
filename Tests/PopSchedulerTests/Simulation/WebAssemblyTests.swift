import Foundation
import PopReplay
import Testing

/// The random steps of `SimulationTests`, by the scheduler as WebAssembly.
///
/// `make test-wasm` sets the path of the engine and the number of steps.
struct WebAssemblyTests {
    private static let engine = ProcessInfo.processInfo.environment["POPRULES_WASM_ENGINE"]

    @Test(.enabled(if: engine != nil, "no engine: make test-wasm"), arguments: 0..<2)
    func `the scheduler as WebAssembly gives the same answers as the scheduler`(part: Int) throws {
        let node = try Node(engine: #require(Self.engine))
        let first = SimulationTests.firstSeed
        for seed in stride(from: first + part, to: first + SimulationTests.runs, by: 2) {
            for run in Play.runs(seed: UInt64(seed), SimulationTests.inputs(UInt64(seed))) {
                let request = run.request
                let answer = try node.answer(request)
                guard answer != replay(request) else { continue }
                Issue.record(
                    """
                    seed \(seed): \(String(decoding: request, as: UTF8.self))
                    \(String(decoding: answer, as: UTF8.self))
                    \(String(decoding: replay(request), as: UTF8.self))
                    """)
                return
            }
        }
    }
}

/// A process that answers requests by an engine as WebAssembly.
private final class Node {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()
    private var rest = Data()

    init(engine: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Web/tests/answers.mjs")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["node", script.standardized.path, engine]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// A line for a line, which it ends with.
    func answer(_ request: [UInt8]) throws -> [UInt8] {
        try requests.fileHandleForWriting.write(contentsOf: Data(request + [UInt8(ascii: "\n")]))
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[...end]
                rest = Data(rest[rest.index(after: end)...])
                return Array(line)
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { return Array(rest) }
            rest += more
        }
    }
}
