internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopScheduler
internal import PopSource

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
