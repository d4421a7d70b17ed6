import PopScheduler
import PopSource
import PopStories
import Testing

/// Finding E: the picture of a test must be useful.
@Suite struct `The picture of a scenario` {
    @Test func `has a title, every popup with its ending, and a text alternative`() throws {
        let picture = TimelinePicture.draw(
            try story("popups: { a: { hide_after: 1s }, b: {} }", "[{ after: 2s }]", name: "a & b"))
        let texts = try Drawing(picture).texts.map(\.text)
        #expect(texts.first == "a & b")
        #expect(texts.contains("starts 2026-11-20T09:00:00Z, no expectations"))
        #expect(texts.contains("1s, its display time is over"))
        #expect(
            picture.contains("<title>1s, its display time is over (`hide_after`)</title>"))
        #expect(texts.contains("1s, still shown"))
        #expect(texts.contains("still on the screen"))
        #expect(
            texts.contains(
                "a is dismissed after 1s: its display time is over (`hide_after`) (TIMED_OUT)"))
        #expect(picture.contains("<title>a &amp; b</title>"))
        #expect(picture.contains("<desc>a shows from 0s to 1s; b shows from 1s to the end</desc>"))
        #expect(picture.contains("@media(prefers-color-scheme:dark)"))
    }

    @Test func `marks where the axis is not to scale`() throws {
        let rules = "popups: { a: {}, b: {} }"
        let equal = TimelinePicture.draw(
            try story(rules, "[{ after: 2s, close: a }, { after: 2s, close: b }]"))
        #expect(!equal.contains("≈"))
        let bent = TimelinePicture.draw(
            try story(rules, "[{ after: 2s, close: a }, { after: 3d, close: b }]"))
        #expect(bent.contains(">≈ 2s<") || bent.contains(">≈ 3d<"))
        #expect(bent.contains(">not to scale<"))
    }

    @Test func `distinguishes endings by a sign and words, not only by color`() throws {
        let picture = TimelinePicture.draw(
            try story(
                """
                popups:
                  a: { hide_after: 3s }
                  b: {}
                  c: { switch: discard }
                  d: { trigger: manual, priority: high }
                """,
                "[{ after: 6s, close: b }, { after: 3s, enqueue: d }, { after: 3s, dismiss: d }]"))
        let texts = try Drawing(picture).texts.map(\.text)
        for name in [
            "its display time is over", "the user closed it", "gave way to another popup",
            "the app or a rule dismissed it",
        ] {
            #expect(texts.contains(name))
        }
        for sign in ["◔", "×", "↓", "■"] { #expect(texts.contains(sign)) }
        #expect(Set(picture.matches(of: /class="shows (\w+)"/).map(\.1)).count == 4)
    }

    @Test func `marks the time at which an expectation is not met`() throws {
        let drawing = try Drawing(
            TimelinePicture.draw(
                try story(
                    "popups: { a: {} }", "[{ after: 1s, expect: { showing: { main: none } } }]")))
        #expect(drawing.texts.count { $0.text == "✗" } == 3)
        #expect(drawing.texts.contains { $0.text == "expected nothing: `main` shows `a` at 1s" })
    }

    @Test func `has room for all its labels, whatever they are`() throws {
        let long = String(repeating: "a_name_that_is_rather_long_", count: 4)
        let drawing = try Drawing(
            TimelinePicture.draw(
                try story(
                    """
                    context: { k: { type: string, default: "" } }
                    schedulers: { \(long): {} }
                    popups: { \(long): { scheduler: \(long), hide_after: 1s }, b: {} }
                    """,
                    """
                    [{ after: 1s }, { after: 400d }, { after: 1ms, set: { k: \
                    \(String(repeating: "歩", count: 900)) }, \
                    expect: { showing: { main: none } } }]
                    """, name: String(repeating: "x", count: 900))))
        drawing.expectRoom()
    }

    @Test func `has one scale for all times if there is room for it`() throws {
        let drawing = try Drawing(
            TimelinePicture.draw(
                try story(
                    "popups: { a: {}, b: {} }",
                    "[{ after: 2s, close: a }, { after: 4s, close: b }]")))
        let places = ["0s", "2s", "6s"].compactMap { time in
            drawing.texts.first { $0.text == time }?.x
        }
        try #require(places.count == 3)
        #expect(abs((places[2] - places[1]) - 2 * (places[1] - places[0])) <= 2)
        #expect(!drawing.texts.contains { $0.text == "not to scale" })
    }

    @Test func `has a bounded number of times and popups and counts the others`() throws {
        let popups = (0..<200).map { "  p\($0): { hide_after: 1s }" }
        let picture = TimelinePicture.draw(
            try story("popups:\n" + popups.joined(separator: "\n"), "[{ after: 300s }]"))
        let drawing = try Drawing(picture)
        #expect(drawing.texts.contains { $0.text == "142 later times are listed in the text only" })
        #expect(drawing.width < 20_000)
    }
}
