import Foundation
import Testing

/// The built program in a pseudo-terminal, which python3 makes.
@Suite(.enabled(if: PlaySession.hasPython, "python3 is needed for a pseudo-terminal"))
struct `A session of play` {
    private static let rules = """
        poprules: 1
        context:
          app.screen: { type: string, values: [splash, map], default: splash }
        events:
          paid: { total: double }
        popups:
          welcome:
            when: app.screen == "map"
            content: { title: Hello there }
          receipt:
            trigger: { event: paid, where: event.total > 50.0 }
            delay: 1h
            content: { title: "Thank you for {{event.total}}" }
        """

    private static let untouched = "settings as before\nmodes as before\n"

    @Test func `shows a popup when a key admits it, and closes it`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "1 welcome  its condition is not met"], ["type", ":set app.screen=map\r"],
                ["see", "│ Hello there"], ["gone", "1 welcome"], ["type", "c"],
                ["gone", "Hello there"], ["see", "welcome is dismissed: the user closed it"],
                ["type", "\t"], ["see", "* app.screen  \"map\""], ["type", "q"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test func `sends events, fills in their payload and moves the clock`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "welcome"], ["type", ":send paid {total: 80.0}\r"], ["see", "2 receipt"],
                ["type", "h"], ["see", "│ Thank you for 80.0"], ["see", "skipped 1h"],
                ["type", ":quit\r"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test func `shows nothing new while it is suspended`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "welcome"], ["type", "s"], ["see", "SUSPENDED"],
                ["type", ":set app.screen=map\r"], ["gone", "CONDITION_FALSE"],
                ["see", "1 welcome  the scheduler is suspended"], ["type", "s"],
                ["see", "│ Hello there"], ["type", "\u{3}"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test func `loads edited rules, and keeps the last valid rules if they are invalid`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "welcome"], ["write", "rules.yaml", Self.rules + "\n    priorty: 3\n"],
                ["see", "rules have errors: rules.yaml:14:5: "],
                ["type", ":set app.screen=map\r"], ["see", "Hello there"], ["type", "1"],
                ["gone", "Hello there"],
                ["write", "rules.yaml", Self.rules + "\n  news:\n    content: { title: New }\n"],
                ["gone", "rules have errors"], ["type", ":enqueue news\r"], ["see", "│ New"],
                ["type", "q"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test func `fits the terminal when its size changes`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "[q]uit"], ["resize", 30, 10], ["see", "play needs 40x12"],
                ["resize", 60, 20], ["see", "[q]uit"], ["type", "?"],
                ["see", "set KEY=VALUE"], ["resize", 120, 40], ["see", "help, quit"],
                ["type", "q"], ["gone", "set KEY=VALUE"], ["see", "1 welcome"],
                ["type", "q"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `restores the terminal when a signal ends it`(number: Int32) throws {
        let output = try PlaySession.play(
            rules: Self.rules, [["see", "[q]uit"], ["signal", Int(number)]])
        #expect(output == "exit \(128 + number)\n" + Self.untouched)
    }

    @Test func `reports what is wrong with a line, and continues`() throws {
        let output = try PlaySession.play(
            rules: Self.rules,
            [
                ["see", "[q]uit"], ["type", ":dance\r"], ["see", "unknown command `dance`"],
                ["type", ":why receipt\r"], ["see", "priority"],
                ["type", "q"], ["see", "[q]uit"], ["type", ":half\u{1B}"],
                ["gone", "> half"], ["type", "q"],
            ])
        #expect(output == "exit 0\n" + Self.untouched)
    }

    @Test func `needs a terminal`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules.yaml")
        let outcome = try Program.shell("poprules play rules.yaml", in: folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output == "poprules: `play` needs a terminal\n")
    }
}

/// Plays sessions by `terminal.py`, which knows the steps.
private enum PlaySession {
    static let hasPython =
        (try? Program.shell(
            "python3 -c 'import pty, os; os.waitstatus_to_exitcode'",
            in: FileManager.default.temporaryDirectory))?.status == 0

    static func play(rules: String, _ steps: [[Any]]) throws -> String {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(rules, to: "rules.yaml")
        let json = try JSONSerialization.data(withJSONObject: steps)
        try folder.write(String(decoding: json, as: UTF8.self), to: "steps.json")
        let script = Repository.root.appending(path: "Tests/PopCommandTests/Play/terminal.py").path
        return try Program.shell(
            "python3 '\(script)' steps.json poprules play rules.yaml --color never",
            in: folder.url
        ).output
    }
}
