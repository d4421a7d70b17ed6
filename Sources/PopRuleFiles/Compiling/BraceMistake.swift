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
            finding.help = ["use two braces on each side, such as `{{user.name}}`"]
        }
        return finding
    }
}
