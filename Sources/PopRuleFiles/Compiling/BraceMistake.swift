internal import PopScheduler
internal import PopSource
internal import PopYAML

/// A placeholder with too many braces, or one that is not closed.
struct BraceMistake {
    enum Kind { case tooManyBraces, unclosed }

    let kind: Kind
    /// The byte range of the mistake, with its braces.
    let place: Range<Int>
    let name: String
    /// The intended placeholder, such as `{{user.name}}`; nil if that is not certain enough.
    let meant: String?
    /// True if this is a mistake only when `name` is a known name: `{{ ` may be a part of any
    /// string.
    var isLoose = false

    /// Returns the mistakes of a string, from left to right. Linear.
    static func all(in text: [UInt8]) -> [BraceMistake] {
        let closed = Placeholder.all(in: text)
        var found = unclosed(in: text, closed)
        // A brace after a placeholder may close one before it, as in JSON.
        var depth = 0
        var start = 0
        for placeholder in closed {
            for byte in text[start..<placeholder.whole.lowerBound] {
                if byte == open { depth += 1 } else if byte == close, depth > 0 { depth -= 1 }
            }
            start = placeholder.whole.upperBound
            if let mistake = BraceMistake(in: placeholder, of: text, closing: depth) {
                found.append(mistake)
            }
        }
        return found.sorted { $0.place.lowerBound < $1.place.lowerBound }
    }

    /// Nil for a placeholder with the right braces; up to `depth` braces after it may close braces
    /// that were open before.
    private init?(in placeholder: Placeholder, of text: [UInt8], closing depth: Int) {
        let inner = text[placeholder.name].drop { $0 == open || $0 == blank }
        var end = placeholder.whole.upperBound
        let isOpenTooOften = text[placeholder.name].first == open
        while end < text.count, text[end] == close { end += 1 }
        let isClosedTooOften = end - placeholder.whole.upperBound > depth
        guard isOpenTooOften || isClosedTooOften else { return nil }
        kind = .tooManyBraces
        place = placeholder.whole.lowerBound..<end
        name = String(decoding: inner, as: UTF8.self)
        let fallback = placeholder.fallback.map { String(decoding: text[$0], as: UTF8.self) }
        meant = "{{\(name)\(fallback.map { " | \($0)" } ?? "")}}"
    }

    private init(unclosed place: Range<Int>, name: String, meant: String?) {
        (kind, self.place, self.name, self.meant) = (.unclosed, place, name, meant)
    }

    /// Returns the names that follow opening braces and have no end before the next placeholder
    /// begins.
    private static func unclosed(in text: [UInt8], _ closed: [Placeholder]) -> [BraceMistake] {
        var found: [BraceMistake] = []
        var closed = closed[...]
        var index = 0
        while index + 1 < text.count {
            guard text[index] == open, text[index + 1] == open else {
                index += 1
                continue
            }
            if let next = closed.first, next.whole.lowerBound == index {
                closed.removeFirst()
                index = next.whole.upperBound
                continue
            }
            let start = text[(index + 2)...].firstIndex { $0 != blank } ?? text.count
            let end = text[start...].firstIndex { !isPartOfName($0) } ?? text.count
            // A name with one closing brace is reported as the syntax of another language.
            if start < end, end == text.count || text[end] != close {
                let name = String(decoding: text[start..<end], as: UTF8.self)
                let rest = text[end...].first { $0 != blank }
                var mistake = BraceMistake(
                    unclosed: index..<end, name: name,
                    meant: rest == UInt8(ascii: "|") ? nil : "{{\(name)}}")
                mistake.isLoose = start > index + 2
                found.append(mistake)
            }
            index = max(end, index + 2)
        }
        return found
    }
}

private let open = UInt8(ascii: "{")
private let close = UInt8(ascii: "}")
private let blank = UInt8(ascii: " ")

private func isPartOfName(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "_")
}

extension RuleCompiler {
    /// Looks for `{{{user.name}}}`, and for `{{user.name` that is not closed.
    mutating func checkBraces(in node: YAMLNode, isName: (String) -> Bool) {
        guard let text = node.utf8 else { return }
        let mistakes = BraceMistake.all(in: Array(text))
        guard !mistakes.isEmpty, let map = node.textMap else { return }
        for mistake in mistakes where !mistake.isLoose || isName(mistake.name) {
            let shown = String(
                decoding: text.dropFirst(mistake.place.lowerBound)
                    .prefix(mistake.place.count), as: UTF8.self)
            decoder.report(
                mistake.finding(
                    shown, isKnown: isName(mistake.name), at: map.range(mistake.place)))
        }
    }
}

extension BraceMistake {
    fileprivate func finding(_ shown: String, isKnown: Bool, at range: SourceRange) -> Diagnostic {
        var finding: Diagnostic
        switch kind {
        case .tooManyBraces:
            finding = Diagnostic(
                .contentUnknownPlaceholder,
                message: "`\(shown.shortened)` has too many braces", at: range,
                label: "a placeholder has two braces on each side")
        case .unclosed:
            finding = Diagnostic(
                .contentUnknownPlaceholder, message: "`\(shown.shortened)` is shown as written",
                at: range, label: "not closed with `}}`",
                help: ["end the placeholder with `}}`"])
        }
        if let meant, isKnown {
            finding.help = ["write the placeholder as `\(meant)`"]
            finding.fixes = [.rename(range, to: meant)]
        } else if kind == .tooManyBraces {
            finding.help = ["use two braces on each side, such as `\(meant ?? "{{user.name}}")`"]
        }
        return finding
    }
}

/// The parts of a string that begin with braces and continue as a name may, from left to right. A
/// name in single braces may have blanks around it, and a fallback.
struct BracedNames: Sequence, IteratorProtocol {
    private let text: ArraySlice<UInt8>
    private var index: Int

    struct Element {
        /// With its braces, and with a `$` before them.
        var whole: Range<Int>
        var name: Range<Int>
        /// The fallback between single braces, such as `{name | you}`, without blanks around it.
        var fallback: Range<Int>?
        /// True if the braces differ from those of placeholders.
        var isForeign: Bool
    }

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    mutating func next() -> Element? {
        while let open = text[index...].firstIndex(of: UInt8(ascii: "{")) {
            let first = end(of: UInt8(ascii: "{"), from: open)
            let isSingle = first - open == 1
            let start = isSingle ? end(of: blank, from: first) : first
            let name = start..<endOfName(from: start)
            let inner = isSingle ? end(of: blank, from: name.upperBound) : name.upperBound
            let fallback = isSingle ? self.fallback(from: inner) : nil
            let inside = fallback.map { end(of: blank, from: $0.upperBound) } ?? inner
            let last = end(of: UInt8(ascii: "}"), from: inside)
            index = Swift.max(last, first)
            if name.isEmpty || last == inside { continue }
            let hasSign = open > text.startIndex && text[open - 1] == UInt8(ascii: "$")
            // Two or more braces on each side are a placeholder of ours, if with too many braces.
            return Element(
                whole: (hasSign ? open - 1 : open)..<last, name: name, fallback: fallback,
                isForeign: hasSign || first - open < 2 || last - inside < 2)
        }
        return nil
    }

    /// Returns the text after a `|` that a brace ends, without blanks around it.
    private func fallback(from bar: Int) -> Range<Int>? {
        guard bar < text.endIndex, text[bar] == UInt8(ascii: "|") else { return nil }
        let start = end(of: blank, from: bar + 1)
        let brace = text[start...].firstIndex { $0 == UInt8(ascii: "{") || $0 == close }
        guard let brace, text[brace] == close else { return nil }
        var last = brace
        while last > start, text[last - 1] == blank { last -= 1 }
        return start < last ? start..<last : nil
    }

    private func end(of byte: UInt8, from start: Int) -> Int {
        text[start...].firstIndex { $0 != byte } ?? text.endIndex
    }

    private func endOfName(from start: Int) -> Int {
        text[start...].firstIndex { byte in
            let letter = byte | 0x20
            return !(letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
                && !(byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "_")
        } ?? text.endIndex
    }
}

/// A placeholder as other languages write it, such as `%user.name%`, `[[user.name]]` and
/// `<%= user.name %>`, or a tag such as `{% if … %}`.
struct ForeignPlaceholder {
    let place: Range<Int>
    private let shown: String
    /// Nil in a tag, for which there is nothing.
    private let name: String?

    /// The first placeholder of another language in a string that has a name which placeholders may
    /// have.
    init?(in bytes: ArraySlice<UInt8>, isName: (String) -> Bool) {
        // Few strings have these characters, and a search is slow.
        guard
            bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "[") })
                || bytes.contains(UInt8(ascii: "}")) && !bytes.contains(UInt8(ascii: "{"))
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let names = text.matches(of: enclosedName).map { ($0.range, String($0.output.1)) }
        let alone =
            text.contains("{")
            ? [] : text.matches(of: nameBeforeBraces).map { ($0.range, String($0.output.1)) }
        if let (range, name) = (names + alone).first(where: { isName($0.1) }) {
            self.init(range, in: text, name: name)
        } else if let tag = text.matches(of: tag).first(where: {
            $0.output.1.split { !$0.isLetter && !$0.isNumber && !"._".contains($0) }
                .contains { isName(String($0)) }
        }) {
            self.init(tag.range, in: text, name: nil)
        } else {
            return nil
        }
    }

    private init(_ range: Range<String.Index>, in text: String, name: String?) {
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        place = start..<start + text[range].utf8.count
        shown = String(text[range])
        self.name = name
    }

    func finding(at range: SourceRange) -> Diagnostic {
        var diagnostic = Diagnostic(
            .contentUnknownPlaceholder, message: "`\(shown.shortened)` is shown as written",
            at: range,
            label: "not a placeholder",
            help: [
                "write one popup for each case, with the condition in its `when`, because content"
                    + " cannot have conditions"
            ])
        if let name {
            diagnostic.help = ["write the placeholder as `{{\(name)}}`"]
            diagnostic.fixes = [.rename(range, to: "{{\(name)}}")]
        }
        return diagnostic
    }
}

private var enclosedName: Regex<(Substring, Substring)> {
    #/(?:<%[=-]? *|%|\[\[ *)([A-Za-z_][A-Za-z0-9_.]*)(?: *-?%>|%| *\]\])/#
}

private var nameBeforeBraces: Regex<(Substring, Substring)> {
    #/([A-Za-z_][A-Za-z0-9_.]*) *\}\}/#
}

private var tag: Regex<(Substring, Substring)> { #/\{%(.*?)%\}/# }

extension RuleCompiler {
    /// Looks for strings of a popup's content in curly quotes that are meant as YAML quotes. Curly
    /// quotes inside of a string are typography, and so are those inside of straight quotes.
    mutating func checkQuotes(of texts: [YAMLNode]) {
        for node in texts {
            guard let scalar = node.scalar, scalar.style == .plain, isInCurlyQuotes(scalar.text)
            else { continue }
            decoder.report(.curlyQuotes(scalar.text, at: node.range))
        }
    }
}

private func isInCurlyQuotes(_ text: String) -> Bool {
    let pairs: [(Character, Character)] = [("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}")]
    return pairs.contains { opening, closing in
        text.first == opening && text.last == closing && text.count { $0 == opening } == 1
    }
}

extension Diagnostic {
    fileprivate static func curlyQuotes(_ text: String, at range: SourceRange) -> Self {
        let inner = text.dropFirst().dropLast()
        let straight =
            inner.contains { "\"\\".contains($0) }
            ? "'\(inner.replacing("'", with: "''"))'" : "\"\(inner)\""
        var diagnostic = Diagnostic(
            .yamlConfusable, message: "the curly quotes around the value are part of the value",
            at: range,
            label: "users see these curly quotes",
            help: [
                "to show the value without curly quotes, write `\(straight.shortened)`; to show the"
                    + " curly quotes to users, put straight quotes around them"
            ],
            fixes: [
                Fix(
                    "write straight quotes", edits: [.init(range, replacement: straight)],
                    isSafe: false)
            ])
        // It may be meant.
        diagnostic.level = .info
        return diagnostic
    }
}
