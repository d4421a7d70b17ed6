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

extension BacktestReport {
    /// One bar of a plot: the days that it is for, and the impressions on them.
    private struct Bar {
        var days: ClosedRange<Int>
        var count: Int

        var dates: String {
            days.count == 1
                ? dayText(days.lowerBound)
                : "\(dayText(days.lowerBound)) to \(dayText(days.upperBound))"
        }
    }

    /// The maximum number of bars that remain distinguishable: beyond it, each bar covers several
    /// days.
    private static let mostBars = 120

    /// A plot for each popup that showed, of the days that lie together.
    var plots: HTML {
        let near = daysTogether.near
        guard let first = near.first, let last = near.last else { return "" }
        let figures = lines.filter { $0.total.shown > 0 }.map { line in
            figure(line, bars: bars(of: line.place, first: first, last: last))
        }
        if figures.isEmpty { return "" }
        return "<h2>Impressions by day</h2>\n\(figures.joined(separator: "\n"))"
    }

    private func bars(of popup: Int, first: Int, last: Int) -> [Bar] {
        let length = (last - first) / Self.mostBars + 1
        return stride(from: first, through: last, by: length).map { start in
            let days = start...min(start + length - 1, last)
            return Bar(
                days: days,
                count: days.reduce(0) { $0 + (tally.days[$1]?.popups[popup]?.shown ?? 0) })
        }
    }

    /// Draws the plot; its highest bar has the full height, and shows the count.
    private func figure(_ line: Line, bars: [Bar]) -> HTML {
        let most = max(bars.map { $0.count }.max() ?? 0, 1)
        let width = bars.map { $0.days.count }.max() ?? 1
        let rects = bars.enumerated().filter { $0.element.count > 0 }.map { place, bar -> HTML in
            let height = max(Double(bar.count) / Double(most) * 100, 1)
            return """
                <rect x="\(place * 10)" y="\(tenths(100 - height))" width="9" \
                height="\(tenths(height))"><title>\(bar.dates): \(numberText(bar.count))\
                </title></rect>
                """
        }
        let unit = width == 1 ? "per day" : "in \(width) days"
        let dates = [bars.first?.days.lowerBound, bars.last?.days.upperBound].compactMap { $0 }
            .map { "<span>\(dayText($0))</span>" as HTML }
        return """
            <figure><figcaption><b>\(line.id)</b></figcaption>\
            <div class="scale"><span>at most \(numberText(most)) \(unit)</span></div>\
            <svg viewBox="0 0 \(bars.count * 10) 100" preserveAspectRatio="none" role="img" \
            aria-label="impressions of \(line.id), at most \(numberText(most)) \(unit)">\
            \(rects.joined())</svg><div class="scale dates">\(dates.joined())</div>\
            \(numbers(bars))</figure>
            """
    }

    /// Returns the same numbers for readers who do not see bars.
    private func numbers(_ bars: [Bar]) -> HTML {
        let rows = bars.filter { $0.count > 0 }.map { bar -> HTML in
            "<tr><td>\(bar.dates)</td><td class=\"n\">\(numberText(bar.count))</td></tr>"
        }
        return """
            <details><summary>numbers</summary><div class="wide"><table>\
            <tr><th>day</th><th class="n">shown</th></tr>\(rows.joined())</table></div>\
            </details>
            """
    }

    private func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
