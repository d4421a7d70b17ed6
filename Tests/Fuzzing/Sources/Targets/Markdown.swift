import PopReports
import PopSource

extension FuzzTarget {
    /// Any text in Markdown: nothing of it is markup, no code ends before its end, and no message
    /// loses a character.
    static let markdown = FuzzTarget(
        name: "markdown",
        body: .direct { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            try checkText(text)
            try checkCode(text)
            let message = Markdown.message(text)
            let shown = message.plain.unicodeScalars.filter { $0 != "`" }
            try require(
                shown.elementsEqual(text.unicodeScalars.filter { $0 != "`" }),
                "a message shows \(message.plain)")
            let cells: [Markdown] = [.text(text), .code(text), message]
            let table = Markdown.table(["a", "b", "c"], rows: [cells]).source
            try require(bars(in: table) == 12, "a table of three columns is \(table)")
            try require(
                Markdown.lines(text).source.split(separator: "\n").allSatisfy { line in
                    line.first.map { !"-+=:/.) #>".contains($0) } ?? true
                }, "a line begins a block: \(Markdown.lines(text).source)")
        })

    private static func checkText(_ text: String) throws(Violation) {
        let source = Markdown.text(text).source
        var rest = source.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\" {
                let next = rest.popFirst()
                try require(next?.isASCII == true, "a backslash at the end of \(source)")
            } else if scalar == "&" {
                try require(rest.starts(with: "#8203;".unicodeScalars), "an entity in \(source)")
                rest = rest.dropFirst(6)
            } else {
                try require(
                    !"`*_{}[]<>#!|~@$%^\n\r".unicodeScalars.contains(scalar),
                    "\(scalar) is markup in \(source)")
            }
        }
    }

    /// The code must not contain the fence around it.
    private static func checkCode(_ text: String) throws(Violation) {
        for (source, least) in [(Markdown.code(text).source, 1), (Markdown.block(text).source, 3)] {
            guard !source.isEmpty else { continue }
            let runs = Array(source.utf8).split { $0 != UInt8(ascii: "`") }.map { $0.count }
            let fence = runs.first ?? 0
            try require(
                fence >= least && runs.last == fence && runs.filter { $0 >= fence }.count == 2,
                "code is \(source)")
        }
    }

    /// The bars without a backslash before them, which divide cells.
    private static func bars(in table: String) -> Int {
        var count = 0
        var backslashes = 0
        for scalar in table.unicodeScalars {
            if scalar == "|", backslashes.isMultiple(of: 2) { count += 1 }
            backslashes = scalar == "\\" ? backslashes + 1 : 0
        }
        return count
    }
}
