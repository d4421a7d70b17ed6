internal import PopFleet
internal import PopReports
internal import PopScheduler
internal import PopSource

extension BacktestReport {
    /// The beginning of the page.
    public static let htmlMark = title.source

    private static let title: HTML = "<title>Backtest</title>"

    /// A page of its own, which loads nothing: the numbers, and a plot of the days of each popup.
    public var html: String { page.source }

    private var page: HTML {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        \(Self.title)
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'">
        <style>\(Self.style)</style>
        <h1>Backtest</h1>
        <p>\(summary). \(fatigue)</p>
        \(remarks.map { "<p>\($0)</p>" as HTML }.joined(separator: "\n"))
        \(Self.table(popupTable))
        \(plots)
        \(sections.map { Self.written($0) }.joined(separator: "\n"))
        </html>

        """
    }

    private static let style: HTML = """
        body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;\
        color:#1a1a1a;background:#fff;overflow-wrap:anywhere}.wide{overflow-x:auto}\
        table{border-collapse:collapse;margin:1rem 0;width:100%}\
        th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc;\
        overflow-wrap:normal}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;\
        white-space:nowrap}figure{margin:1rem 0}rect{fill:#2a6fbb}\
        svg{display:block;width:100%;height:5rem;border-bottom:1px solid #888}\
        .scale{display:flex;justify-content:space-between;font-size:.85rem;\
        border-bottom:1px dashed #ccc}.scale.dates{border:0}summary{font-size:.85rem}\
        @media(prefers-color-scheme:dark){body{color:#eee;background:#161616}\
        th,td,.scale{border-color:#444}rect{fill:#7ab0ee}}
        """

    private static func written(_ section: Section) -> HTML {
        let rest = section.rest.map { "<p>\($0)</p>" as HTML }
        return "<h2>\(section.title)</h2>\(table(section))\(rest.joined())"
    }

    /// Columns whose cells are numbers end at one place.
    private static func table(_ section: Section) -> HTML {
        // Rules without popups have a head and no rows.
        let columns = ([section.head] + section.rows).map { $0.count }.max() ?? 0
        let isNumber = (0..<columns).map { column in
            column > 0 && section.rows.allSatisfy { column >= $0.count || isNumeric($0[column]) }
        }
        func row(_ cells: [String], _ name: HTML) -> HTML {
            let written = cells.enumerated().map { column, cell -> HTML in
                let attribute: HTML = isNumber[column] ? " class=\"n\"" : ""
                return "<\(name)\(attribute)>\(cell)</\(name)>"
            }
            return "<tr>\(written.joined())</tr>"
        }
        let head = section.head.isEmpty ? [] : [row(section.head, "th")]
        let rows = head + section.rows.map { row($0, "td") }
        return "<div class=\"wide\"><table>\(rows.joined(separator: "\n"))</table></div>"
    }

    /// Returns true for numbers, durations and the mark for a missing number.
    private static func isNumeric(_ cell: String) -> Bool {
        cell == "-" || cell.first?.isNumber == true && !cell.contains("(")
            || cell.hasPrefix("+") || cell.hasPrefix("-")
    }
}
