internal import PopReports
internal import PopSource

extension CoverageReport {
    /// Returns a self-contained page: the shares, then every file with its lines marked.
    package func html(_ places: inout SourcePlaces) -> String { page(&places).source }

    private func page(_ places: inout SourcePlaces) -> HTML {
        let rows = Kind.allCases.map { Self.row($0.title, share: share(of: $0)) }
        let files = placed(&places).map { file in
            Self.section(
                file.path, lines: Self.lines(of: places.sources[file.file]), items: file.items)
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Coverage of the rules</title>
            <style>\(Self.style)</style>
            <h1>Coverage of the rules</h1>
            <table>
            <tr><th>kind</th><th>covered</th><th>share</th></tr>
            \((rows + [Self.row("total", share: total)]).joined(separator: "\n"))
            </table>
            \(files.joined(separator: "\n"))
            </html>

            """
    }

    private static let style: HTML = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;\
        color:#1a1a1a;background:#fff}\
        table{border-collapse:collapse}td,th{text-align:left;padding:.2em 1.5em .2em 0}\
        pre{font:13px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid #ddd}\
        pre span{display:block;padding:0 .5em}\
        .all{background:#e3f5e6}.some{background:#fff4cf}.none{background:#fde3e1}\
        i{font-style:normal;color:#7a1f17}\
        @media(prefers-color-scheme:dark){body{color:#eee;background:#151515}\
        .all{background:#12351a}.some{background:#413507}.none{background:#4a1612}i{color:#ffb4ab}}
        """

    private static func row(_ name: String, share: Share) -> HTML {
        "<tr><td>\(name)</td><td>\(share.seen) of \(share.total)</td><td>\(share.text)</td></tr>"
    }

    private static func lines(of file: SourceFile) -> [String] {
        let index = LineIndex(file)
        return (1...index.lineCount).map { line in
            file.text(in: SourceRange(file: file.id, index.bytes(ofLine: line)))
        }
    }

    private static func section(
        _ path: String, lines: [String], items: [(line: Int, item: Item)]
    ) -> HTML {
        let byLine = Dictionary(grouping: items, by: \.line)
        let digits = String(lines.count).count
        let rows = lines.enumerated().map { position, text -> HTML in
            let number = String(position + 1)
            let padding = String(repeating: " ", count: digits - number.count)
            let line: HTML = "\(padding)\(number)  \(text)"
            guard let items = byLine[position + 1]?.map(\.item) else {
                return "<span>\(line)</span>"
            }
            let missing = items.filter { $0.count == 0 }
            let mark = missing.isEmpty ? "all" : missing.count < items.count ? "some" : "none"
            let remark: HTML =
                missing.isEmpty
                ? "" : "  <i>not covered: \(missing.map(\.phrase).joined(separator: ", "))</i>"
            return "<span class=\"\(mark)\">\(line)\(remark)</span>"
        }
        return "<h2>\(path)</h2>\n<pre>\(rows.joined(separator: "\n"))</pre>"
    }
}

extension CoverageReport.Item {
    fileprivate var phrase: String { outcome.map { "\(text) is \($0)" } ?? text }
}
