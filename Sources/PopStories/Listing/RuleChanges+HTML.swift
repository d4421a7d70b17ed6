package import PopAnalysis
internal import PopExplanations
internal import PopReports

extension RuleChanges {
    /// A self-contained page without scripts: a section for each popup, and for the parts that
    /// popups share.
    package var html: String { page.source }

    private var page: HTML {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; style-src 'unsafe-inline'">
        <title>Rule changes and affected users</title>
        <style>\(Self.style)</style>
        <h1>Rule changes and affected users</h1>
        \((notes + entries.map { $0.html }).joined(separator: "\n"))
        </html>

        """
    }

    private var notes: [HTML] {
        var notes: [HTML] = []
        if isSame { notes.append("<p>No behavior changes.</p>") }
        if !isDecided {
            notes.append(
                "<p class=\"open\">The effect of some changes could not be determined.</p>")
        }
        return notes
    }

    private static let style: HTML = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;\
        color:#1a1a1a;background:#fff;overflow-wrap:anywhere}\
        h2{font-size:1.1em;margin:1.5em 0 .3em}h2 small{font-weight:normal;padding:.1em .6em;\
        border-radius:1em;margin-left:.5em}\
        .added small{background:#d5f0da}.removed small{background:#fbdcd9}\
        .changed small{background:#e6e9ef}\
        table{border-collapse:collapse;width:100%}\
        th{width:9em;font-weight:600}td,th{text-align:left;vertical-align:top;padding:.2em 1em .2em 0;\
        border-top:1px solid #ddd}\
        ul{margin:.1em 0;padding-left:1.2em}code{font:13px ui-monospace,monospace}\
        .open{background:#fff4cf;padding:.4em .8em}\
        @media(prefers-color-scheme:dark){body{color:#eee;background:#151515}\
        .added small{background:#12451f}.removed small{background:#5a1a15}\
        .changed small{background:#333a47}td,th{border-color:#333}.open{background:#413507}}
        """
}

extension RuleChanges.Entry {
    fileprivate var html: HTML {
        let rows = lines.map { line -> HTML in
            let items = line.details.map { "<li>\(markedUp($0))</li>" as HTML }
            let list: HTML = items.isEmpty ? "" : "<ul>\(items.joined())</ul>"
            return "<tr><th>\(markedUp(line.key))</th><td>\(markedUp(line.text))\(list)</td></tr>"
        }
        let table: HTML = rows.isEmpty ? "" : "\n<table>\n\(rows.joined(separator: "\n"))\n</table>"
        return """
            <section class="\(kind.rawValue)">
            <h2>\(markedUp(name)) <small>\(kind.rawValue)</small></h2>\(table)
            </section>
            """
    }
}

/// Returns a string of the rules for a page: it contains no markup, and parts in backticks are
/// code.
private func markedUp(_ text: String) -> HTML { HTML(message: bounded(text)) }
