/// The number of columns of all printed text, except for lines of files.
package let pageWidth = 80

/// Returns a string in lines of at most `width` columns, broken at blanks if there are any; at
/// least one line.
///
/// Code in backticks stays on one line if `keepsCode` is set, so that it can be copied. Linear in
/// the string.
package func wrapped(_ text: String, to width: Int, keepsCode: Bool = false) -> [String] {
    if text.isPrintableASCII, text.utf8.count <= width { return [text] }
    var lines: [String] = []
    var line = ""
    var columns = 0
    for word in words(of: text, keepsCode: keepsCode) {
        let wordColumns = TerminalText(word).width
        if columns == 0 {
            line = word
            columns = wordColumns
        } else if columns + 1 + wordColumns <= width {
            line += " \(word)"
            columns += 1 + wordColumns
        } else {
            lines.append(line)
            line = word
            columns = wordColumns
        }
    }
    return lines + [line]
}

/// Returns the words between blanks; with `keepsCode`, blanks within backticks don't separate
/// words.
private func words(of text: String, keepsCode: Bool) -> [String] {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    guard keepsCode else { return parts }
    var words: [String] = []
    var isInCode = false
    for part in parts {
        if isInCode { words[words.count - 1] += " \(part)" } else { words.append(part) }
        if !part.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) {
            isInCode.toggle()
        }
    }
    return words
}
