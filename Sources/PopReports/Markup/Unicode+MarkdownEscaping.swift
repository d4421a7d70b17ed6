internal import PopSource

/// A break without width: across it, GitHub and GitLab don't recognize a name, a number or an
/// address.
let invisibleBreak = "&#8203;"

/// The characters that are always escaped in Markdown, whatever is around them.
private let alwaysMarkup = Set("\\`*_{}[]<>#!|~&@$%^".unicodeScalars)
/// The characters that begin a list, a heading, a table, or a command of GitLab at the start of a
/// line.
private let markupAtStart = Set("-+=:/.)".unicodeScalars)

/// Returns a string as Markdown that shows it and has no other effect. Linear.
///
/// Backslashes are enough for Markdown itself. GitHub and GitLab also look for mentions,
/// references, addresses and emoji in the rendered text; an invisible break is inserted into these.
func escaped(_ text: String, atStartOfLine: Bool) -> String {
    let scalars = onOneLine(text, atStartOfLine: atStartOfLine)
    var output = ""
    let breaks = References(in: scalars)
    var isStart = true
    var isNumber = false
    for (place, scalar) in scalars.enumerated() {
        if breaks.places.contains(place) { output += invisibleBreak }
        if scalar.mustBeEscaped {
            for part in escapedForTerminal(scalar).unicodeScalars {
                if alwaysMarkup.contains(part) { output += "\\" }
                output.unicodeScalars.append(part)
            }
        } else {
            let isSpecial =
                alwaysMarkup.contains(scalar) || breaks.escaped.contains(place)
                || markupAtStart.contains(scalar) && (isStart || isNumber)
            if isSpecial { output += "\\" }
            output.unicodeScalars.append(scalar)
        }
        isNumber = ("0"..."9").contains(scalar) && (isStart || isNumber)
        isStart = isStart && scalar == " "
    }
    return output
}

/// Returns the string with blanks in place of tabs and line breaks. Several blanks at the start
/// would be an indentation, which makes a block of code.
private func onOneLine(_ text: String, atStartOfLine: Bool) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
        let isBlank = scalar.isLineBreak || scalar == "\t" || scalar == " "
        let isSecondHalf = last == "\r" && scalar == "\n"
        let isIndentation = isBlank && (scalars.isEmpty ? atStartOfLine : scalars == [" "])
        if !isSecondHalf, !isIndentation { scalars.append(isBlank ? " " : scalar) }
        last = scalar
    }
    return scalars
}

/// Returns code as a span: between longer backticks than any in it, with a blank where two would
/// meet.
func span(of code: String, inTable: Bool) -> String {
    let shown = shownAsCode(code)
    if shown.isEmpty { return "" }
    let scalars = shown.unicodeScalars
    // Renderers disagree about a backslash before a bar: some end the cell there.
    if inTable, zip(scalars, scalars.dropFirst()).contains(where: { $0 == "\\" && $1 == "|" }) {
        return escaped(shown, atStartOfLine: false)
    }
    let backticks = String(repeating: "`", count: longestRun(of: "`", in: scalars) + 1)
    let (first, last) = (scalars.first, scalars.last)
    let isBlank = scalars.allSatisfy { $0 == " " }
    let needsBlanks = first == "`" || last == "`" || first == " " && last == " " && !isBlank
    let blank = needsBlanks ? " " : ""
    var inside = ""
    for scalar in scalars {
        if inTable, scalar == "|" { inside += "\\" }
        inside.unicodeScalars.append(scalar)
    }
    return backticks + blank + inside + blank + backticks
}

/// Returns lines of code between fences that are longer than any in them.
func fenced(_ code: String) -> String {
    var lines = code.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let longest = longestRun(of: "`", in: code.unicodeScalars)
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence] + lines.map { shownAsCode(String($0)) } + [fence]).joined(separator: "\n")
}

/// Returns code without Markdown escapes, which code can't have: only characters that a terminal
/// would interpret, including line breaks, are replaced.
private func shownAsCode(_ code: String) -> String {
    var shown = ""
    for scalar in code.unicodeScalars {
        shown += scalar == "\t" ? "    " : escapedForTerminal(scalar)
    }
    return shown
}

private func longestRun(of scalar: Unicode.Scalar, in text: String.UnicodeScalarView) -> Int {
    var (longest, length) = (0, 0)
    for other in text {
        length = other == scalar ? length + 1 : 0
        longest = max(longest, length)
    }
    return longest
}

extension Unicode.Scalar {
    /// True if the character ends a line for any renderer.
    var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

// MARK: References in rendered text

/// The places of a text that GitHub and GitLab turn into links.
private struct References {
    /// The characters before which a break is inserted.
    private(set) var places: Set<Int> = []
    /// The characters that are also escaped.
    private(set) var escaped: Set<Int> = []

    private let text: [Unicode.Scalar]

    init(in text: [Unicode.Scalar]) {
        self.text = text
        var word = 0
        var place = 0
        while place < text.count {
            let scalar = text[place]
            if !scalar.isWordCharacter {
                look(atWord: word..<place)
                word = place + 1
            }
            let next = place + 1 < text.count ? text[place + 1] : nil
            switch scalar {
            case "@" where next != " ": places.insert(place + 1)
            case "#" where next?.isDigit == true: places.insert(place + 1)
            case "[" where next == "[" || next == "+" || next == "-": places.insert(place + 1)
            case "{" where next == "+" || next == "-": places.insert(place + 1)
            case ":": look(atColon: place)
            default: break
            }
            place += 1
        }
        look(atWord: word..<text.count)
    }

    /// Handles `www`, the id of a commit, and `GH-1`.
    private mutating func look(atWord word: Range<Int>) {
        func isLetter(_ place: Int, _ lower: Unicode.Scalar) -> Bool {
            text[place].value | 0x20 == lower.value
        }
        let next = word.upperBound
        if word.count >= 3, word.suffix(3).allSatisfy({ isLetter($0, "w") }), next < text.count,
            text[next] == "."
        {
            escaped.insert(next)
            places.insert(next + 1)
        }
        if word.count >= 2, isLetter(next - 2, "g"), isLetter(next - 1, "h"), next + 1 < text.count,
            text[next] == "-", text[next + 1].isDigit
        {
            places.insert(next + 1)
        }
        if (7...40).contains(word.count), text[word].allSatisfy(\.isHexDigit),
            text[word].contains(where: \.isDigit), !text[word].allSatisfy(\.isDigit)
        {
            // Six digits aren't the id of a commit.
            places.formUnion(stride(from: word.lowerBound + 6, to: word.upperBound, by: 6))
        }
    }

    /// Handles `http://` and `:tada:`.
    private mutating func look(atColon colon: Int) {
        let rest = text[(colon + 1)...]
        if colon > 0, text[colon - 1].isWordCharacter, rest.starts(with: "//".unicodeScalars) {
            escaped.insert(colon)
            places.insert(colon + 1)
            return
        }
        let longestName = 64
        let name = rest.prefix(longestName).prefix {
            $0.isWordCharacter || $0 == "+" || $0 == "-"
        }
        // Times and places in files contain numbers; these two are emoji.
        let isNumber = name.allSatisfy(\.isDigit)
        let isEmoji = ["100", "1234"].contains { name.elementsEqual($0.unicodeScalars) }
        if !isNumber || isEmoji, name.endIndex < text.count, text[name.endIndex] == ":" {
            escaped.insert(colon)
            places.insert(colon + 1)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isHexDigit: Bool { isDigit || ("a"..."f").contains(self) }

    /// True for letters, digits and `_` in ASCII, as in the patterns of names and addresses.
    fileprivate var isWordCharacter: Bool {
        isDigit || self == "_" || (value | 0x20) &- 0x61 < 26 && value < 0x80
    }
}
