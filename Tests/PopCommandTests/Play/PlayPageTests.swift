import PopCEL
import PopSource
import Testing

@testable import PopCommand

@Suite struct `The page of play` {
    private var state: PlayState {
        var state = PlayState(title: "poprules play rules")
        state.areas = [
            PlayState.Area(
                scheduler: "main",
                shown: PlayState.Shown(
                    popup: "welcome", template: "sheet", content: ["Hello", "Nice to see you"]),
                waiting: [PlayState.Waiting(popup: "tour", reason: "OCCUPIED")]),
            PlayState.Area(scheduler: "toast"),
        ]
        state.context = [("app.screen", "\"map\"")]
        state.note("shown welcome")
        state.message = "set app.screen=map"
        return state
    }

    @Test func `has the areas, the queue, the context and what happened`() {
        let expected = """
            poprules play rules   1970-01-01T00:00:00Z
            ── 1 main ─────────────────────────────────── │ ── waiting ─────────────────────
            ┌ welcome (sheet) ──────────────────────────┐ │ main:
            │ Hello                                     │ │ 1 tour                  OCCUPIED
            │ Nice to see you                           │ │
            └───────────────────────────────────────────┘ │
                                                          │
                                                          │
                                                          │
            ── 2 toast ────────────────────────────────── │
                                                          │
                                                          │
                                                          │
                                                          │ ── context ─────────────────────
                                                          │ app.screen                 "map"
                                                          │
            ── what happened ──────────────────────────── │
            shown welcome                                 │
                                                          │
                                                          │
                                                          │
                                                          │
            set app.screen=map
            [:]order [c]lose [s]uspend clock +[t]10s +[m]1m +[h]1h +[d]1d [?]help [q]uit
            """
        let lines = PlayPage(state).lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        #expect(lines.joined(separator: "\n") == expected)
    }

    @Test func `says which schedulers are suspended, or that all are`() {
        var state = state
        state.suspended = ["toast"]
        #expect(PlayPage(state).lines[0].contains("SUSPENDED toast"))
        state.suspended = ["main", "toast"]
        #expect(PlayPage(state).lines[0].contains("SUSPENDED "))
        #expect(!PlayPage(state).lines[0].contains("SUSPENDED main"))
        state.suspended = []
        #expect(!PlayPage(state).lines[0].contains("SUSPENDED"))
    }

    @Test(arguments: [(80, 24), (81, 25), (200, 60), (80, 1000), (1000, 24), (79, 24), (5, 1)])
    func `is as wide and as high as the terminal`(columns: Int, rows: Int) {
        var state = state
        (state.columns, state.rows) = (columns, rows)
        for (help, count) in [(false, 0), (true, 0), (false, 40)] {
            state.isHelpShown = help
            state.areas += (0..<count).map { PlayState.Area(scheduler: "lane\($0)") }
            let lines = PlayPage(state).lines
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { TerminalText($0).width == columns })
        }
    }

    @Test func `obeys nothing that comes from files`() {
        var state = state
        let evil = "\u{1B}[2J\u{7}\u{202E}\r\n"
        state.title += evil
        state.message = evil
        state.rulesError = evil
        state.note(evil)
        state.context.append((evil, evil))
        state.line = .typing(evil)
        state.areas[0].scheduler = evil
        state.areas[0].waiting = [PlayState.Waiting(popup: evil, reason: evil)]
        state.areas[0].shown = PlayState.Shown(popup: evil, template: evil, content: [evil])
        for line in PlayPage(state).lines {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    @Test func `says how much of a long list is not shown`() {
        var state = state
        state.areas[0].waiting = (1...40).map {
            PlayState.Waiting(popup: "popup\($0)", reason: "OCCUPIED")
        }
        #expect(PlayPage(state).lines.contains { $0.contains("… 31 more") })
    }

    @Test func `shows the end of a line that is being typed, and the cursor behind it`() {
        var state = state
        state.line = .typing("set a=1")
        #expect(PlayPage(state).lines.last?.hasPrefix("> set a=1 ") == true)
        #expect(PlayPage(state).cursorColumn == 10)
        state.line = .typing(String(repeating: "x", count: 200) + "end")
        #expect(PlayPage(state).lines.last?.contains("xend ") == true)
        #expect(PlayPage(state).cursorColumn == 80)
    }

    @Test func `keeps what happened to a length`() {
        var state = state
        for number in 1...1000 { state.note("\(number)") }
        #expect(state.log.count == PlayState.longestLog)
        #expect(state.log.last == "1000")
    }

    @Test func `is drawn in colour only when asked to`() {
        #expect(!PlayPage(state).lines.joined().contains("\u{1B}"))
        #expect(PlayPage(state, style: .colour).lines.joined().contains("\u{1B}["))
    }
}

@Suite struct `A frame` {
    @Test func `writes only the lines that differ`() {
        var frame = TerminalFrame()
        #expect(frame.update(to: ["a", "b"], cursorColumn: nil).contains("\u{1B}[2J"))
        #expect(frame.update(to: ["a", "b"], cursorColumn: nil).isEmpty)
        let text = frame.update(to: ["a", "c"], cursorColumn: nil)
        #expect(text == "\u{1B}[?25l\u{1B}[2;1H\u{1B}[2Kc")
        #expect(frame.update(to: ["a", "c"], cursorColumn: 2).hasSuffix("\u{1B}[2;2H\u{1B}[?25h"))
    }
}
