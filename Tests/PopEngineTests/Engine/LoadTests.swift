import Foundation
import Testing

@testable import EngineLoad

@Suite struct `An engine under load` {
    /// `make test-threads` runs the same under ThreadSanitizer.
    @Test
    func `no event is lost or doubled, a screen shows one popup, and every task ends once`()
        async throws
    {
        #expect(try await ThreadLoad.problems(callsPerThread: 600) == [])
    }

    /// In a process of its own, whose memory is its own; `make test-memory` takes ten million
    /// inputs.
    @Test func `the engine keeps its memory size whatever the number of inputs`() throws {
        let process = Process()
        process.executableURL = EngineLoadProgram.url
        process.arguments = ["memory", "100000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}

/// The program, next to the tests, where the package builds it.
private enum EngineLoadProgram {
    private final class Marker {}

    static var url: URL {
        #if os(macOS)
            let folder = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
        #else
            let folder = Bundle.main.bundleURL
        #endif
        return folder.appending(path: "EngineLoad")
    }
}
