/// Returns the results of a run as a table of text.
public func table(_ figures: [Figure]) -> String {
    let rows = figures.map { row in
        [row.name, row.unit.rawValue, shown(row.median), shown(row.p90), String(row.iterations)]
    }
    return aligned([["name", "unit", "median", "p90", "iterations"]] + rows)
}

/// Columns of a common width, the first one to the left and the others to the right.
public func aligned(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in
        rows.map { $0[column].count }.max() ?? 0
    }
    let lines = rows.map { row in
        let cells = zip(row, widths).enumerated().map { position, cell in
            let space = String(repeating: " ", count: cell.1 - cell.0.count)
            return position == 0 ? cell.0 + space : space + cell.0
        }
        return "| " + cells.joined(separator: " | ") + " |"
    }
    let line = widths.enumerated().map { position, width in
        String(repeating: "-", count: width + 1) + (position == 0 ? "-" : ":")
    }
    let rule = "|" + line.joined(separator: "|") + "|"
    return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
}

/// Returns a number with three significant digits.
public func shown(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    let scale = [1.0, 10, 100][digits]
    let rounded = (value * scale).rounded() / scale
    return digits == 0 ? String(Int(rounded)) : String(rounded)
}
