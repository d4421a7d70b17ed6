import PopCEL

extension FuzzTarget {
    /// A pattern and, after the first line break, a string: the table and the simulation must
    /// agree.
    static let regex = FuzzTarget(
        name: "regex",
        body: .direct { bytes in
            let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            let pattern = String(decoding: parts[0], as: UTF8.self)
            let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
            let table: RegularExpression
            do throws(RegularExpressionError) {
                table = try RegularExpression(pattern)
            } catch {
                return try require(
                    error.range.upperBound <= pattern.utf8.count, "`\(pattern)`: outside")
            }
            var limits = CELLimits.standard
            limits.regexTableEntries = 0
            let simulation = try RegularExpression(pattern, limits: limits)
            let found = table.isMatch(text)
            try require(found == simulation.isMatch(text), "`\(pattern)` on `\(text)`")
            let anywhere = try? RegularExpression("(?:\(pattern))|", limits: limits)
            try require(anywhere?.isMatch(text) != false, "`\(pattern)` or nothing matches nothing")
        })
}
