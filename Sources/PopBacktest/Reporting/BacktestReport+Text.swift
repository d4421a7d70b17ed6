internal import PopFleet
internal import PopReports
internal import PopScheduler

extension BacktestReport {
    /// For people, safe for a terminal.
    public var text: String {
        var lines = [summary] + reading.lines
        if tally.cutShort > 0 {
            lines.append(
                "\(numberText(tally.cutShort)) sessions were cut short: timers in them never end")
        }
        lines += [""] + table(popupRows)
        lines += [fatigue]
        lines += section("kept away, by reason", rows: reasonRows)
        lines += section("exposures", rows: exposureRows)
        lines += section("goals", rows: goalRows)
        lines += section("seen by the same users", rows: overlapRows)
        lines += section("against the old rules", rows: comparisonRows)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        let range = days.first.map { first in
            ", \(dayText(first)) to \(dayText(days.last ?? first)) (\(zone))"
        }
        return "\(numberText(tally.events)) events of \(usersText(tally.users))"
            + (range ?? "")
    }

    private var fatigue: String {
        let most = tally.userWeeksShowing.count
        return "\nOf a hundred weeks of users 99 have at most"
            + " \(tally.shownPerWeek(atMostIn: 0.99)) popups; the most is \(most)."
    }

    private var popupRows: [[String]] {
        let head = ["popup", "eligible", "shown", "users", "reach", "half within", "kept away"]
        return [head]
            + lines.map { line in
                [
                    line.id, numberText(line.total.eligible), numberText(line.total.shown),
                    numberText(line.total.firstUsers), percentText(reach(line)),
                    timeToShow(line.place) ?? "-",
                    numberText(line.total.kept.total),
                ]
            }
    }

    var reasonRows: [[String]] {
        lines.filter { !$0.total.kept.counts.isEmpty }.map { line in
            let reasons = line.total.kept.sorted.map { reason, count in
                "\(reason.rawValue) \(numberText(count))"
            }
            return [line.id, reasons.joined(separator: ", ")]
        }
    }

    var exposureRows: [[String]] {
        lines.flatMap { line in
            line.total.exposures.sorted { $0.key < $1.key }.map { arm, count in
                let users = line.total.firstExposures[arm] ?? 0
                return [line.id, arm, "\(numberText(count)) (\(usersText(users)))"]
            }
        }
    }

    var goalRows: [[String]] {
        lines.flatMap { line in
            line.total.goals.sorted { $0.key < $1.key }.flatMap { goal, counts in
                counts.sorted { $0.key < $1.key }.map { arm, count in
                    [line.id, goal, arm.isEmpty ? "-" : arm, numberText(count)]
                }
            }
        }
    }

    var overlapRows: [[String]] {
        overlaps.prefix(Self.mostOverlaps).map { pair in
            [pair.one, pair.other, usersText(pair.users)]
        }
    }

    /// Of pairs, how many people are told of; programs are told of all.
    private static let mostOverlaps = 10

    var comparisonRows: [[String]] {
        guard let comparison else { return [] }
        let rows = comparison.popups.sorted { $0.key < $1.key }
            .filter { $0.value.gained + $0.value.lost > 0 || $0.value.impressions != 0 }
            .map { id, popup in
                [
                    id, examples(popup.gained, popup.gainers), examples(popup.lost, popup.losers),
                    numberText(popup.kept),
                    (popup.impressions > 0 ? "+" : "") + numberText(popup.impressions),
                ]
            }
        if rows.isEmpty { return [["no user sees another popup, and none more or less often"]] }
        return [["popup", "users gained", "users lost", "by both", "impressions"]] + rows
    }

    private func examples(_ count: Int, _ users: [String]) -> String {
        let names = users.prefix(3).joined(separator: ", ")
        return numberText(count) + (names.isEmpty ? "" : " (\(names)\(count > 3 ? ", …" : ""))")
    }

    private func section(_ title: String, rows: [[String]]) -> [String] {
        rows.isEmpty ? [] : ["", title] + table(rows).map { "  " + $0 }
    }

    /// Cells below each other; those that are numbers end at one place.
    private func table(_ rows: [[String]]) -> [String] {
        let cells = rows.map { $0.map { TerminalText($0) } }
        let columns = cells.map { $0.count }.max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return cells.map { row in
            let padded = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.width)
                if column > 0, cell.text.first?.isNumber == true, !cell.text.contains("(") {
                    return blanks + cell.text
                }
                return column == row.count - 1 ? cell.text : cell.text + blanks
            }
            return padded.joined(separator: "  ")
        }
    }
}
