internal import PopFleet
internal import PopScheduler

extension BacktestReport {
    /// A page of its own, which loads nothing: the numbers, and a plot of the days of each popup.
    public var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'">
        <title>Backtest</title>
        <style>\(Self.style)</style>
        <h1>Backtest</h1>
        <p>\(numberText(tally.events)) events of \(usersText(tally.users)), \
        \(days.first.map { dayText($0) } ?? "") to \(days.last.map { dayText($0) } ?? "") \
        (\(Self.escaped(zone))). Of a hundred weeks of users 99 have at most \
        \(tally.shownPerWeek(atMostIn: 0.99)) popups.</p>
        \(reading.lines.map { "<p>\(Self.escaped($0))</p>" }.joined())
        \(popupTable)
        \(list("Kept away, by reason", of: reasonRows))
        \(list("Exposures", of: exposureRows))
        \(list("Goals", of: goalRows))
        \(list("Seen by the same users", of: overlapRows))
        \(list("Against the old rules", of: comparisonRows))
        </html>

        """
    }

    private static let style = """
        body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;\
        color:#1a1a1a;background:#fff}table{border-collapse:collapse;margin:1rem 0;width:100%}\
        th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc}\
        td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}rect{fill:#2a6fbb}\
        @media(prefers-color-scheme:dark){body{color:#eee;background:#161616}\
        th,td{border-color:#444}rect{fill:#7ab0ee}}
        """

    private var popupTable: String {
        let head = ["Popup", "Eligible", "Shown", "Users", "Reach", "Half within", "Days"]
        let rows = lines.map { line in
            let cells = [
                numberText(line.total.eligible), numberText(line.total.shown),
                numberText(line.total.firstUsers), percentText(reach(line)),
                timeToShow(line.place) ?? "–",
            ]
            return "<tr><td>\(Self.escaped(line.id))</td>"
                + cells.map { "<td class=\"n\">\($0)</td>" }.joined()
                + "<td>\(plot(line.place))</td></tr>"
        }
        let names = head.enumerated().map { place, name in
            "<th\(1...5 ~= place ? " class=\"n\"" : "")>\(name)</th>"
        }
        return "<table><tr>\(names.joined())</tr>\(rows.joined(separator: "\n"))</table>"
    }

    /// A bar for each day, the highest as high as the plot.
    private func plot(_ place: Int) -> String {
        guard let first = days.first, let last = days.last else { return "" }
        let shown = (first...last).map { tally.days[$0]?.popups[place]?.shown ?? 0 }
        let most = max(shown.max() ?? 0, 1)
        let width = max(1, 240 / shown.count)
        let bars = shown.enumerated().filter { $0.element > 0 }.map { day, count in
            let height = max(1, count * 32 / most)
            return "<rect x=\"\(day * width)\" y=\"\(32 - height)\" width=\"\(max(1, width - 1))\""
                + " height=\"\(height)\"><title>\(dayText(first + day)): \(numberText(count))"
                + "</title></rect>"
        }
        return "<svg width=\"\(shown.count * width)\" height=\"32\" role=\"img\" aria-label=\""
            + "impressions by day, at most \(numberText(most))\">\(bars.joined())</svg>"
    }

    private func list(_ title: String, of rows: [[String]]) -> String {
        if rows.isEmpty { return "" }
        let body = rows.map { row in
            "<tr>" + row.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<h2>\(title)</h2><table>\(body.joined(separator: "\n"))</table>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
