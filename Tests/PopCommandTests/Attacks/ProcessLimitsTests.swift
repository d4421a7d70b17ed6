import Foundation
import Testing

@testable import PopCommand

@Suite struct `The limits of a command` {
    /// Far more work than fits into the time between two checks of the limits.
    private static let manyPopups =
        "poprules: 1\npopups:\n"
        + (0..<4_000).map { "  p\($0): { trigger: e\($0), when: context.a\($0) > \($0) }\n" }
        .joined()

    private func run(
        _ command: String, _ body: (TemporaryFolder, (status: Int32, output: String)) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.manyPopups, to: "rules/rules.yaml")
        try body(folder, Program.shell(command, in: folder.url))
    }

    @Test func `a command that needs too much processor time ends with 4 and says so`() throws {
        try run("POPRULES_TIME_LIMIT=0.001 poprules validate rules -f json -o findings.json") {
            folder, ended in
            #expect(ended.status == 4)
            #expect(
                ended.output.hasPrefix(
                    "poprules: stopped without a result because it used more than 0.001 seconds of"
                        + " processor time"), "\(ended.output)")
            #expect(ended.output.hasSuffix("`POPRULES_TIME_LIMIT=60`\n"), "\(ended.output)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(files == ["rules"], "no part of a file is left")
        }
    }

    @Test(arguments: ["0", "1000", ""])
    func `a command ends as usual within the processor time that the user allows`(
        seconds: String
    ) throws {
        try run("POPRULES_TIME_LIMIT=\(seconds) poprules list rules --format json | tail -c 2") {
            _, ended in
            #expect(ended.output.hasSuffix("}\n"), "\(ended.output.suffix(200))")
        }
    }

    @Test(arguments: ["soon", "-1", "nan", "1e999", "60s"])
    func `a processor time that is not a number of seconds is refused`(text: String) throws {
        try run("POPRULES_TIME_LIMIT=\(text) poprules validate rules") { _, ended in
            #expect(ended.status == 2)
            #expect(
                ended.output == "poprules: the environment variable POPRULES_TIME_LIMIT is"
                    + " `\(text)`, but must be a number of seconds, such as 60; with 0, there is"
                    + " no limit\n")
        }
    }

    @Test func `less than ten seconds and one GiB are enough for an input below one MiB`() {
        let limits = ProcessLimits(inputBytes: 1 << 20)
        #expect(limits == ProcessLimits(inputBytes: 0))
        #expect(limits.excess(of: ProcessUse(seconds: 8.9, memory: 800 << 20)) == nil)
        #expect(limits.excess(of: ProcessUse(seconds: 9.1, memory: 0)) != nil)
        #expect(limits.excess(of: ProcessUse(seconds: 0, memory: 900 << 20)) != nil)
    }

    @Test func `the limits grow with the input, up to the largest number`() {
        let limits = ProcessLimits(inputBytes: 11 << 20)
        #expect(limits.seconds == 309)
        #expect(limits.memory == (896 + 1_280) << 20)
        #expect(ProcessLimits(inputBytes: .max).memory == .max)
        let chosen = ProcessLimits(inputBytes: 0, chosenSeconds: 60)
        #expect(chosen.seconds == 60 && chosen.memory == .max)
    }

    @Test func `the size of the input is that of files, and of YAML files in folders`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("12345", to: "rules/a.yaml")
        try folder.write("123", to: "rules/deep/b.yml")
        try folder.write("1234567", to: "rules/large.bin")
        try folder.write("12", to: "events.jsonl")
        let paths = ["rules", "events.jsonl", "events.jsonl", "nothing"]
        #expect(InputSize.of(paths.map { "\(folder.url.path)/\($0)" }) == 10)
    }
}
