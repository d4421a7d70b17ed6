internal import PopSource

/// A break without width, behind which GitHub and GitLab do not find the rest of a name, a number
/// or an address.
let invisibleBreak = "&#8203;"

/// What a character of a text is in Markdown, whatever stands around it.
private let alwaysMarkup = Set("\\`*_{}[]<>#!|~&@$%^".unicodeScalars)
/// What begins a list, a heading, a table, or a command of GitLab where it begins a line.
private let markupAtStart = Set("-+=:/.)".unicodeScalars)

/// A text as Markdown that shows it and does nothing else. Linear.
///
/// Backslashes hold for Markdown itself. GitHub and GitLab then look for mentions, references,
/// addresses and emoji in what it shows; an invisible break comes into these.
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

/// With blanks in place of tabs and line breaks. Several at the beginning would be an indentation,
/// which makes lines of code.
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

/// Code as a span: longer backticks than any in it, and a blank where one would meet them.
func span(of code: String, inTable: Bool) -> String {
    let shown = shownAsCode(code)
    if shown.isEmpty { return "" }
    let scalars = shown.unicodeScalars
    // Readers disagree about a backslash in front of a bar, which ends a cell or not.
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

/// Lines of code between fences that are longer than any in them.
func fenced(_ code: String) -> String {
    var lines = code.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let longest = longestRun(of: "`", in: code.unicodeScalars)
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence] + lines.map { shownAsCode(String($0)) } + [fence]).joined(separator: "\n")
}

/// What is code has no escapes: only what a terminal would obey is shown otherwise, line breaks
/// too.
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
    /// What ends a line for some reader or other.
    var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

// MARK: what is found in a text that is shown

/// Where a text has what GitHub and GitLab make links of.
private struct References {
    /// In front of these characters comes a break.
    private(set) var places: Set<Int> = []
    /// These characters are escaped, too.
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

    /// `www`, the id of a commit, and `GH-1`.
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
            // Six digits are none.
            places.formUnion(stride(from: word.lowerBound + 6, to: word.upperBound, by: 6))
        }
    }

    /// `http://` and `:tada:`.
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
        // Times and places in files have numbers; these two are emoji.
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

    /// In ASCII, as the patterns of names and addresses have it.
    fileprivate var isWordCharacter: Bool {
        isDigit || self == "_" || (value | 0x20) &- 0x61 < 26 && value < 0x80
    }
}
