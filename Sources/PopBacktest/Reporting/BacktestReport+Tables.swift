internal import PopFleet
internal import PopScheduler

extension BacktestReport {
    /// Rows for human readers, in any format.
    struct Section {
        var title: String
        var head: [String]
        var rows: [[String]]
        /// Indicates whether the columns can't be understood without their names.
        var needsHead = false
        /// The lines below the rows.
        var rest: [String] = []
    }

    /// A row for each popup.
    var popupTable: Section {
        Section(
            title: "Popups",
            head: [
                "popup", "eligible", "shown", "users", "reach", "median time to first view",
                "suppressed",
            ],
            rows: lines.map { line in
                [
                    line.id, numberText(line.total.eligible), numberText(line.total.shown),
                    numberText(line.total.firstUsers), percentText(reach(line)),
                    timeToShow(line.place) ?? "-", numberText(line.total.kept.total),
                ]
            })
    }

    /// All other sections that have rows.
    var sections: [Section] {
        [reasons, exposures, goals, overlapping, compared].compactMap { $0 }
            .filter { !$0.rows.isEmpty }
    }

    private var reasons: Section {
        let rows = lines.filter { !$0.total.kept.counts.isEmpty }.map { line in
            let reasons = line.total.kept.sorted.map { reason, count in
                "\(reason.rawValue) \(numberText(count))"
            }
            return [line.id, reasons.joined(separator: ", ")]
        }
        return Section(title: "Suppressed, by reason", head: ["popup", "reasons"], rows: rows)
    }

    private var exposures: Section {
        let rows = lines.flatMap { line in
            line.total.exposures.sorted { $0.key < $1.key }.map { arm, count in
                let users = line.total.firstExposures[arm] ?? 0
                return [line.id, arm, "\(numberText(count)) (\(usersText(users)))"]
            }
        }
        return Section(title: "Exposures", head: ["popup", "arm", "exposures"], rows: rows)
    }

    private var goals: Section {
        let rows = lines.flatMap { line in
            line.total.goals.sorted { $0.key < $1.key }.flatMap { goal, counts in
                counts.sorted { $0.key < $1.key }.map { arm, count in
                    [line.id, goal, arm.isEmpty ? "-" : arm, numberText(count)]
                }
            }
        }
        return Section(title: "Goals", head: ["popup", "goal", "arm", "times"], rows: rows)
    }

    /// The maximum number of pairs in text for human readers; data has all pairs.
    private static let mostOverlaps = 10

    private var overlapping: Section {
        let pairs = overlaps
        let more = pairs.count - Self.mostOverlaps
        return Section(
            title: "Seen by the same users", head: ["popup", "popup", "users"],
            rows: pairs.prefix(Self.mostOverlaps).map { [$0.one, $0.other, usersText($0.users)] },
            rest: (more > 0 ? ["and \(countText(more, "more pair"))"] : [])
                + [beyondPairs].compactMap(\.self))
    }

    private var beyondPairs: String? {
        guard tally.usersBeyondPairs > 0 else { return nil }
        let most = FleetLimits.standard.popupsInPairs
        return
            "\(usersText(tally.usersBeyondPairs)) saw more than \(most) popups: only pairs of the"
            + " first \(most) are counted for each"
    }

    private var compared: Section? {
        guard let comparison else { return nil }
        let rows = comparison.popups.sorted { $0.key < $1.key }
            .filter { !$0.value.isUnchanged }
            .map { id, popup in
                [
                    id, examples(popup.gained, popup.gainers), examples(popup.lost, popup.losers),
                    numberText(popup.kept), numberText(popup.more), numberText(popup.fewer),
                    (popup.impressions > 0 ? "+" : "") + numberText(popup.impressions),
                ]
            }
        let title = "Compared with the old rules"
        if rows.isEmpty {
            let words = "every user sees the same popups, equally often"
            return Section(title: title, head: [], rows: [[words]])
        }
        return Section(
            title: title,
            head: [
                "popup", "users gained", "users lost", "users of both", "more often", "less often",
                "impressions",
            ],
            rows: rows, needsHead: true)
    }

    private func examples(_ count: Int, _ users: [String]) -> String {
        let names = users.prefix(3).joined(separator: ", ")
        return numberText(count) + (names.isEmpty ? "" : " (\(names)\(count > 3 ? ", …" : ""))")
    }
}
