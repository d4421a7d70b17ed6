import Foundation
import PopReports
import PopScheduler
import PopSource
import PopStories
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Finding E: the picture of a story can be used.
@Suite struct `The picture of a story` {
    @Test func `has a title, every popup with its ending, and the same in words`() throws {
        let picture = TimelinePicture.draw(
            try story("popups: { a: { hide_after: 1s }, b: {} }", "[{ after: 2s }]", name: "a & b"))
        let texts = try Drawing(picture).texts.map(\.text)
        #expect(texts.first == "a & b")
        #expect(texts.contains("begins 2026-11-20T09:00:00Z, nothing is expected"))
        #expect(texts.contains("1s, `hide_after` was over"))
        #expect(texts.contains("1s, still there"))
        #expect(texts.contains("still on the screen"))
        #expect(texts.contains("a goes after 1s: `hide_after` was over (TIMED_OUT)"))
        #expect(picture.contains("<title>a &amp; b</title>"))
    }

    @Test func `says where the axis is not to scale`() throws {
        let rules = "popups: { a: {}, b: {} }"
        let equal = TimelinePicture.draw(
            try story(rules, "[{ after: 2s, close: a }, { after: 2s, close: b }]"))
        #expect(!equal.contains("≈"))
        let bent = TimelinePicture.draw(
            try story(rules, "[{ after: 2s, close: a }, { after: 3d, close: b }]"))
        #expect(bent.contains(">≈ 2s<") || bent.contains(">≈ 3d<"))
        #expect(bent.contains(">not to scale<"))
    }

    @Test func `tells endings apart by a sign and words, not by a colour alone`() throws {
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
            "its time was over", "a person closed it", "gave way to a better one",
            "the app or a rule took it down",
        ] {
            #expect(texts.contains(name))
        }
        for sign in ["◔", "×", "↓", "■"] { #expect(texts.contains(sign)) }
        #expect(Set(picture.matches(of: /fill="(#[0-9a-f]{6})" stroke/).map(\.1)).count == 4)
    }

    @Test func `marks the moment at which an expectation is not met`() throws {
        let drawing = try Drawing(
            TimelinePicture.draw(
                try story(
                    "popups: { a: {} }", "[{ after: 1s, expect: { showing: { main: none } } }]")))
        #expect(drawing.texts.count { $0.text == "✗" } == 3)
        #expect(drawing.texts.contains { $0.text == "expected nothing: `main` shows `a` at 1s" })
    }

    @Test func `has room for all its texts, whatever they are`() throws {
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
        for text in drawing.texts {
            #expect(text.x >= 0 && text.end <= drawing.width, "\(text)")
            #expect(text.y <= drawing.height)
        }
        // Texts on one line do not run into each other.
        for (line, texts) in Dictionary(grouping: drawing.texts, by: \.y) {
            let sorted = texts.sorted { $0.x < $1.x }
            for (left, right) in zip(sorted, sorted.dropFirst()) {
                #expect(left.end <= right.x, "\(line): \(left.text) | \(right.text)")
            }
        }
    }

    @Test func `has a bounded number of moments and popups and counts the others`() throws {
        let popups = (0..<200).map { "  p\($0): { hide_after: 1s }" }
        let picture = TimelinePicture.draw(
            try story("popups:\n" + popups.joined(separator: "\n"), "[{ after: 300s }]"))
        let drawing = try Drawing(picture)
        #expect(drawing.texts.contains { $0.text == "142 later moments are told in words only" })
        #expect(drawing.width < 20_000)
    }
}

/// The texts of an SVG, with the room that a common fixed-width type takes.
private final class Drawing: NSObject, XMLParserDelegate {
    struct Text {
        var text = ""
        var x = 0.0
        var y = 0.0
        var size = 12.0
        var isCentred = false

        var end: Double { x + Double(TerminalText(text).width) * size * 0.602 }
    }

    private(set) var texts: [Text] = []
    private(set) var width = 0.0
    private(set) var height = 0.0
    private var isInText = false

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        try #require(parser.parse())
        texts = texts.map { text in
            guard text.isCentred else { return text }
            var text = text
            text.x -= (text.end - text.x) / 2
            return text
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        func number(_ name: String) -> Double? { attributes[name].flatMap { Double($0) } }
        switch name {
        case "svg": (width, height) = (number("width") ?? 0, number("height") ?? 0)
        case "text":
            isInText = true
            texts.append(
                Text(
                    x: number("x") ?? 0, y: number("y") ?? 0, size: number("font-size") ?? 12,
                    isCentred: attributes["text-anchor"] == "middle"))
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        if isInText { texts[texts.count - 1].text += characters }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if name == "text" { isInText = false }
    }
}
