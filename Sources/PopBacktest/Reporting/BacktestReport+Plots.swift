internal import PopFleet
internal import PopReports

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
