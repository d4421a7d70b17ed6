import Foundation
import PopReports
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The strings of an SVG, with the room that they take in a common fixed-width font.
final class Drawing: NSObject, XMLParserDelegate {
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

    /// Expects that all strings are inside, and that those on one line don't overlap.
    func expectRoom() {
        for text in texts {
            #expect(text.x >= 0 && text.end <= width, "\(text)")
            #expect(text.y <= height)
        }
        for (line, texts) in Dictionary(grouping: texts, by: \.y) {
            let sorted = texts.sorted { $0.x < $1.x }
            for (left, right) in zip(sorted, sorted.dropFirst()) {
                #expect(left.end <= right.x, "\(line): \(left.text) | \(right.text)")
            }
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
            let classes = (attributes["class"] ?? "").split(separator: " ")
            texts.append(
                Text(
                    x: number("x") ?? 0, y: number("y") ?? 0,
                    size: classes.contains("heading") ? 16 : 12,
                    isCentred: classes.contains("middle")))
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
