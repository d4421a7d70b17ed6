import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopTestSupport
import Testing

@testable import PopReplay

@Suite struct `The C interface` {
    /// The library, in the folder that contains the bundle of the tests.
    private static let library = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "libPopForeign.so").path
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let isHere = python != nil && FileManager.default.fileExists(atPath: library)

    private func answer(_ request: [UInt8]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.python))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "replay.py")
        process.arguments = [script.path, Self.library]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(request))
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(answer)
    }

    @Test(.enabled(if: isHere, "there is no python3, or no shared library beside the tests"))
    func `gives another language the same answers as Swift`() throws {
        let start = Moment(instant: .zero, date: Timestamp(seconds: 1_793_000_000))
        var run = Replay(try .parse("popups: { a: { content: { title: Grüße } } }"), start: start)
        run.steps = [Replay.Step(.started, at: start)]
        run.explained = ["a"]
        let answer = try answer(run.request)
        #expect(answer == Array("0\n".utf8) + replay(run.request))
        #expect(String(decoding: answer, as: UTF8.self).contains(#""effect":"askWillShow""#))
        let refused = String(decoding: try self.answer([]), as: UTF8.self)
        #expect(refused.hasPrefix("3\nthe request cannot be read: "))
        #expect(String(decoding: replay([]), as: UTF8.self).contains(refused.dropFirst(2)))
    }
}
