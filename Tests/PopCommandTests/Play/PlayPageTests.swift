import PopCEL
import PopReports
import PopSource
import Testing

@testable import PopCommand

/// Finding E: what `play` draws can be used.
@Suite struct `The screen of play` {
    private var state: PlayState {
        var state = PlayState(title: "poprules play rules")
        state.areas = [
            PlayState.Area(
                scheduler: "main",
                shown: PlayState.Shown(
                    popup: "welcome", template: "sheet", content: ["Hello", "Nice to see you"])),
            PlayState.Area(scheduler: "toast"),
        ]
        state.popups = [
            PlayState.Listed(popup: "tour", place: 1),
            PlayState.Listed(popup: "receipt", scheduler: "toast"),
        ]
        state.reasons = [
            "tour": "the screen is taken by another popup (SLOT_BUSY)",
            "receipt": "nothing has triggered it (NOT_TRIGGERED)",
        ]
        state.context = [
            PlayState.Key(name: "app.screen", value: "\"map\"", isChanged: true),
            PlayState.Key(name: "user.plan", value: "\"free\""),
        ]
        state.note("09:00:00  welcome shows")
        state.message = "set app.screen=map"
        return state
    }

    private func text(_ state: PlayState) -> String {
        PlayPage(state).lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    @Test func `shows the popup, one list and the log if it is narrow`() {
        var state = state
        (state.columns, state.rows) = (60, 20)
        #expect(
            text(state) == """
                1970-01-01T00:00:00Z   poprules play rules
                ┌ 1 main: welcome (sheet) ─────────────────────────────────┐
                │ Hello                                                    │
                │ Nice to see you                                          │
                └──────────────────────────────────────────────────────────┘
                ── 2 toast: nothing ────────────────────────────────────────
                ── [popups not on the screen] ──────────────────────────────
                1 tour     the screen is taken by another popup (SLOT_BUSY)
                – receipt  nothing has triggered it (NOT_TRIGGERED), on
                           toast




                ── log ─────────────────────────────────────────────────────
                09:00:00  welcome shows


                set app.screen=map
                [:]cmd [c]lose +[t]10s [h]1h [tab] [?]help [q]uit
                """)
    }

    @Test func `shows all lists next to the popup if it is wide`() {
        var state = state
        (state.columns, state.rows) = (120, 14)
        let text = text(state)
        for part in [
            "1 main: welcome", "1 tour", "– receipt", "* app.screen  \"map\"", "welcome shows",
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func `shows which schedulers are suspended, or that all are suspended`() {
        var state = state
        state.suspended = ["toast"]
        #expect(PlayPage(state).lines[0].contains("SUSPENDED toast"))
        state.suspended = ["main", "toast"]
        #expect(PlayPage(state).lines[0].contains("SUSPENDED "))
        #expect(!PlayPage(state).lines[0].contains("SUSPENDED main"))
        state.suspended = []
        #expect(!PlayPage(state).lines[0].contains("SUSPENDED"))
    }

    @Test(arguments: [
        (80, 24), (60, 20), (40, 12), (41, 13), (109, 12), (110, 12), (111, 25), (200, 60),
        (80, 1000), (1000, 24), (39, 24), (5, 1), (1, 1), (0, 0),
    ])
    func `is as wide and as high as the terminal`(columns: Int, rows: Int) {
        var state = state
        (state.columns, state.rows) = (columns, rows)
        let wide = String(repeating: "歩👍🏽e\u{301}", count: 300)
        for (count, name) in [(0, "a"), (40, "a"), (3, wide)] {
            state.areas += (0..<count).map { number in
                let shown = PlayState.Shown(popup: name, template: name, content: [name, name])
                return PlayState.Area(
                    scheduler: "\(name)\(number)", shown: number.isMultiple(of: 2) ? shown : nil)
            }
            state.popups += (0..<count).map { PlayState.Listed(popup: "\(name)\($0)") }
            state.context += (0..<count).map { PlayState.Key(name: "\(name)\($0)", value: name) }
            for _ in 0..<count { state.note(name) }
            state.message = name
            for pane in PlayState.Pane.allCases {
                state.pane = pane
                for reading in [nil, PlayState.Reading(texts: Array(repeating: name, count: 50))] {
                    state.reading = reading
                    let lines = PlayPage(state).lines
                    #expect(lines.count == rows)
                    #expect(lines.allSatisfy { TerminalText($0).width == columns })
                }
            }
        }
    }

    @Test func `executes nothing that comes from files`() {
        var state = state
        let evil = "\u{1B}[2J\u{7}\u{202E}\r\n"
        state.title += evil
        state.message = evil
        state.rulesError = evil
        state.note(evil)
        state.context.append(PlayState.Key(name: evil, value: evil))
        state.line = .typing(evil)
        state.areas[0].scheduler = evil
        state.popups = [PlayState.Listed(popup: evil, scheduler: evil)]
        state.reasons = [evil: evil]
        state.areas[0].shown = PlayState.Shown(popup: evil, template: evil, content: [evil])
        for columns in [60, 120] {
            state.columns = columns
            for line in PlayPage(state).lines {
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
            }
        }
    }

    @Test func `scrolls the active list and shows that there is more`() {
        var state = state
        state.popups = (1...40).map { (number: Int) in
            PlayState.Listed(popup: "popup\(number)", place: number)
        }
        #expect(text(state).contains("1 popup1"))
        #expect(text(state).contains("… more below"))
        state.scroll(by: 30)
        #expect(!text(state).contains("1 popup1 "))
        #expect(text(state).contains("31 popup31"))
        #expect(text(state).contains("30 above"))
        state.scroll(by: 1_000)
        #expect(text(state).contains("40 popup40"))
        state.scroll(by: -1_000)
        #expect(text(state).contains("1 popup1"))
    }

    @Test func `scrolls a text to its end and no further`() {
        var state = state
        state.reading = PlayState.Reading(texts: (1...100).map { "line \($0)" })
        #expect(text(state).contains("more lines below"))
        state.scroll(by: 1_000)
        #expect(text(state).contains("line 100"))
        #expect(text(state).contains("line 85"))
        state.scroll(by: -1)
        #expect(!text(state).contains("line 100"))
    }

    @Test func `shows the end of a line that is being typed, with the cursor after it`() {
        var state = state
        state.line = .typing("set a=1")
        #expect(PlayPage(state).lines.last?.hasPrefix("> set a=1 ") == true)
        #expect(PlayPage(state).cursorColumn == 10)
        state.line = .typing(String(repeating: "x", count: 200) + "end")
        #expect(PlayPage(state).lines.last?.contains("xend ") == true)
        #expect(PlayPage(state).cursorColumn == 80)
    }

    @Test func `limits the length of the log`() {
        var state = state
        for number in 1...1000 { state.note("\(number)") }
        #expect(state.log.count == PlayLimits.log)
        #expect(state.log.last == "1000")
    }

    @Test func `has colors only on request`() {
        #expect(!PlayPage(state).lines.joined().contains("\u{1B}"))
        #expect(PlayPage(state, style: .colour).lines.joined().contains("\u{1B}["))
    }

    @Test(arguments: [
        ("Paid {{event.amount}} by {{ user.name }}", "Paid 7.5 by Ann"),
        ("{{no.such}} {{event.amount", "{{no.such}} {{event.amount"), ("{{}}", "{{}}"), ("", ""),
        ("{{event.amount}}{{event.amount}}", "7.57.5"),
    ])
    func `fills placeholders that have a value`(text: String, expected: String) {
        let values: [String: Value] = ["event.amount": .double(7.5), "user.name": .string("Ann")]
        #expect(filled(text, values: values) == expected)
    }
}

@Suite struct `A screen update` {
    @Test func `contains only the lines that differ`() {
        var frame = TerminalFrame()
        #expect(frame.update(to: ["a", "b"], cursorColumn: nil).text.contains("\u{1B}[2J"))
        #expect(frame.update(to: ["a", "b"], cursorColumn: nil).text.isEmpty)
        let text = frame.update(to: ["a", "c"], cursorColumn: nil).text
        #expect(text == "\u{1B}[?25l\u{1B}[2;1H\u{1B}[2Kc")
        let moved = frame.update(to: ["a", "c"], cursorColumn: 2).text
        #expect(moved.hasSuffix("\u{1B}[2;2H\u{1B}[?25h"))
    }
}
