internal import PopCEL
internal import PopExplanations
package import PopReports
internal import PopScheduler
package import PopSource

extension PopupReport {
    /// Returns the answer in the first lines, then everything that it is based on.
    package func text(_ places: inout SourcePlaces, style: TextStyle) -> String {
        var lines = answer.enumerated().flatMap { index, line in
            let indent = index == 0 ? "" : "  "
            let rows = wrapped(
                escapedForTerminal(line), to: pageWidth - indent.count - 2, keepsCode: true)
            return rows.enumerated().map { row, text in
                indent + (row == 0 ? "" : "  ") + (index == 0 ? style.bold(text) : text)
            }
        }
        lines += ["", "  " + style.dim("rule") + "  " + places.text(of: rule.range)]
        if let zone {
            lines.append(
                "  " + style.dim("zone") + "  \(escapedForTerminal(zone)), the time zone of the"
                    + " device (`--zone`)"
            )
        }
        for report in conditions {
            let name = report.role?.rawValue ?? "condition"
            lines += ["", "  \(style.dim(name))  \(places.text(of: report.range))"]
            let tree = report.tree(marksDeciding: report.range == deciding?.range)
            lines += tree.map { "    " + escapedForTerminal($0) }
        }
        if !ranking.isEmpty {
            let isMarked = shownRanks.contains { $0.popup == explanation.popup }
            let mark = isMarked ? "; `>` marks `\(escapedForTerminal(explanation.popup))`" : ""
            lines += [
                "", "  \(style.dim("ranking"))  of the popups on `\(explanation.scheduler)`\(mark)",
            ]
            lines += rankingTable.lines
            let leftOut = ranking.count - shownRanks.count
            if leftOut > 0 { lines.append("    … and \(leftOut) more") }
        }
        if changes.count > 1 {
            let effect = needed.holder == nil ? "lets it show" : "is enough"
            lines += ["", "  \(style.dim("changes"))  each of these also \(effect)"]
            lines += changes.dropFirst().map { "    " + escapedForTerminal($0.text) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var rankingTable: TextTable {
        var table = TextTable(indent: 4)
        table.add(" ", "position", "popup", "priority", "reason")
        for rank in shownRanks {
            let priority = PopupRule.text(ofPriority: rank.priority)
            table.add(
                rank.popup == explanation.popup ? ">" : " ", rank.place.map { "\($0)" } ?? "shows",
                rank.popup, "\(priority)", rank.reason?.rawValue ?? "")
        }
        return table
    }

    /// The first entries of the ranking, and the popup itself wherever it ranks.
    private var shownRanks: [Rank] {
        ranking.enumerated().filter {
            $0.offset < PrintLimits.ranks || $0.element.popup == explanation.popup
        }.map(\.element)
    }

    /// Returns JSON for programs.
    package func json(_ places: inout SourcePlaces) -> JSON {
        var conditions: [JSON] = []
        for report in self.conditions { conditions.append(json(of: report, places: &places)) }
        return .object([
            "popup": .string(explanation.popup),
            "shows": .bool(explanation.reason == nil && explanation.task != nil),
            "reason": explanation.reason.map { .string($0.rawValue) },
            "answer": .array(answer.map { .string($0) }),
            "rule": places.json(of: rule.range), "scheduler": .string(explanation.scheduler),
            "zone": zone.map { .string($0) },
            "until": explanation.until.map { .string("\($0)") },
            "conditions": .array(conditions),
            "ranking": .array(
                shownRanks.map { rank in
                    .object([
                        "popup": .string(rank.popup), "priority": .int(rank.priority),
                        "place": rank.place.map { .int($0) },
                        "reason": rank.reason.map { .string($0.rawValue) },
                    ])
                }),
            "ranksLeftOut": ranking.count > shownRanks.count
                ? .int(ranking.count - shownRanks.count) : nil,
            "changes": .array(changes.map { $0.json }),
            "changesAreSmallest": changes.isEmpty ? nil : .bool(needed.isSmallest),
            "past": needed.past.isEmpty ? nil : needed.pastJSON,
        ])
    }

    private func json(of report: ConditionReport, places: inout SourcePlaces) -> JSON {
        let isDeciding = report.range == deciding?.range
        let outline = PartOutline(report, marksDeciding: isDeciding)
        return .object([
            "role": report.role.map { .string($0.rawValue) },
            "place": places.json(of: report.range), "result": .string(report.truth.phrase),
            "deciding": .bool(isDeciding), "root": outline.root?.json,
            "partsLeftOut": outline.leftOutJSON,
        ])
    }
}

extension PartOutline {
    fileprivate var leftOutJSON: JSON? { leftOut > 0 ? .int(leftOut) : nil }
}

extension ShownPart {
    fileprivate var json: JSON {
        .object([
            "text": .string(part.lineText), "value": .string(part.wholeResultText),
            "needed": .bool(part.wasNeeded), "decides": decides ? .bool(true) : nil,
            "partsElsewhere": opening == .here ? nil : .bool(true),
            "parts": inside.isEmpty ? nil : .array(inside.map(\.json)),
        ])
    }
}

extension Explanation.Part {
    /// The result of the part, for a program.
    fileprivate var wholeResultText: String {
        guard case .success(let value)? = result else { return resultText }
        return value.text(atMost: PrintLimits.wholeValue)
    }
}

extension NeededChanges {
    fileprivate var pastJSON: JSON {
        .object(
            past.map { name, value in
                JSON.Member(
                    key: name,
                    value: value.map { .string($0.text(atMost: PrintLimits.wholeValue)) } ?? .null)
            })
    }
}

extension ContextChange {
    fileprivate var json: JSON {
        let keys = context.sorted { $0.key < $1.key }.map { key, value in
            JSON.Member(
                key: key,
                value: value.map { .string($0.text(atMost: PrintLimits.wholeValue)) } ?? .null)
        }
        let fields = payload.sorted { $0.key < $1.key }.map { name, value in
            JSON.Member(
                key: "event.\(name)", value: .string(value.text(atMost: PrintLimits.wholeValue)))
        }
        return .object(keys + fields)
    }
}

extension SourcePlaces {
    fileprivate mutating func json(of range: SourceRange) -> JSON {
        let place = place(of: range)
        return .object([
            "file": .string(place.path), "line": .int(place.line), "column": .int(place.column),
        ])
    }
}

extension [PopupReport] {
    /// One line per popup, scheduler by scheduler: the reason, and what decided.
    package var table: String {
        let lanes = Dictionary(grouping: self, by: \.explanation.scheduler)
        let names = reduce(into: [String]()) { names, report in
            if !names.contains(report.explanation.scheduler) {
                names.append(report.explanation.scheduler)
            }
        }
        return names.map { name in
            var table = TextTable(indent: 2)
            for report in lanes[name] ?? [] {
                let explanation = report.explanation
                let why = report.deciding.map { $0.decision } ?? report.details.first ?? ""
                table.add(
                    explanation.popup, explanation.reason?.rawValue ?? explanation.state.word, why)
            }
            return ([name] + table.lines).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}

extension PopupExplanation.State {
    fileprivate var word: String {
        switch self {
        case .absent, .waiting: ""
        case .chosen: "chosen"
        case .presenting: "presenting"
        case .showing: "shows"
        case .dismissing: "dismissing"
        }
    }
}

extension PopupReport {
    /// A flow chart for Mermaid: the popup, its conditions and their parts, each with its value.
    package var mermaid: String {
        var chart = Chart()
        let root = chart.add(
            "\(rule.id)\n\(explanation.reason?.rawValue ?? "shows")", style: "popup")
        for report in conditions {
            let name = report.role?.rawValue ?? "condition"
            let isDeciding = report.range == deciding?.range
            let node = chart.add(
                "\(name)\n\(report.truth.phrase)", style: report.truth == .yes ? "yes" : "no")
            chart.connect(root, to: node, isDeciding: isDeciding)
            let outline = PartOutline(report, marksDeciding: isDeciding)
            if let part = outline.root { chart.add(part, below: node) }
            if let rest = outline.rest {
                chart.connect(node, to: chart.add(rest, style: "unneeded"), isDeciding: false)
            }
            chart.names = [:]
        }
        return chart.text
    }
}

/// The lines of a flow chart.
private struct Chart {
    private var lines = ["flowchart TD"]
    private var count = 0
    /// The nodes of named conditions, which other parts point to as well.
    var names: [String: String] = [:]

    mutating func add(_ text: String, style: String) -> String {
        let name = "n\(count)"
        count += 1
        lines.append("    \(name)[\"\(escapedForMermaid(text))\"]:::\(style)")
        return name
    }

    mutating func connect(_ from: String, to: String, isDeciding: Bool) {
        lines.append("    \(from) \(isDeciding ? "==>" : "-->") \(to)")
    }

    mutating func add(_ shown: ShownPart, below parent: String) {
        let part = shown.part
        if shown.isNamed, let node = names[part.text] {
            return connect(parent, to: node, isDeciding: shown.isOnPath)
        }
        let style: String
        switch part.result {
        case _ where !part.wasNeeded: style = "unneeded"
        case .success(.bool(let isTrue))?: style = isTrue ? "yes" : "no"
        case .failure?: style = "no"
        case nil, .success: style = "value"
        }
        let node = add("\(bounded(part.lineText))\n\(part.resultText)", style: style)
        connect(parent, to: node, isDeciding: shown.isOnPath)
        if shown.isNamed, shown.opening == .here { names[part.text] = node }
        for inner in shown.inside { add(inner, below: node) }
    }

    var text: String {
        let styles = """
                classDef popup font-weight:bold
                classDef yes fill:#e3f5e6,stroke:#2e7d32,color:#000
                classDef no fill:#fde3e1,stroke:#b3261e,color:#000
                classDef value fill:#fff,stroke:#777,color:#000
                classDef unneeded fill:#f3f3f3,stroke:#bbb,color:#777
            """
        return (lines + [styles]).joined(separator: "\n") + "\n"
    }
}

/// Returns a string escaped for the quotes of a label; line breaks become `<br>`.
func escapedForMermaid(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "\n": result += "<br>"
        case "\"": result += "#quot;"
        case "#": result += "#35;"
        case "<": result += "#lt;"
        case ">": result += "#gt;"
        case "&": result += "#amp;"
        case "`": result += "#96;"
        default: result += escapedForTerminal(String(character))
        }
    }
    return result
}
