internal import PopSource

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
            help: ["write a separate popup for other users: content has no conditional tags"])
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
