internal import PopCEL
internal import PopSource

/// Reads the parts between `&&` and `||` each by itself, so that a part that cannot be read does
/// not hide what is wrong with the others.
struct Recovery {
    private let text: UnreadText
    private let mends: [Mend]
    private let mended: [UInt8]
    private let changes: [Mend.Change]
    private let map: TextMap

    init(_ text: UnreadText, mends: [Mend], mended: [UInt8], changes: [Mend.Change]) {
        self.text = text
        self.mends = mends
        self.mended = mended
        self.changes = changes
        map = text.map.replacing(changes, length: text.bytes.count)
    }

    func findings(first error: SyntaxError) -> Diagnostics {
        let parts = parts
        let first = Diagnostics([earliest(in: nil, error)])
        guard parts.count > 1 else { return first }
        var findings = Diagnostics()
        var unread: [Mend.Change] = []
        for (index, part) in parts.enumerated() {
            if mended[part].allSatisfy({ $0 == UInt8(ascii: " ") }) {
                if index == parts.count - 1 { findings.report(contentsOf: first) }
                unread.append((part, " true "))
                continue
            }
            // Blanks keep the offsets as they are.
            var alone = [UInt8](repeating: UInt8(ascii: " "), count: mended.count)
            alone.replaceSubrange(part, with: mended[part])
            do throws(SyntaxError) {
                _ = try text.parse(alone, map: map)
                for mend in mends(in: part) { findings.report(partly(mend)) }
            } catch {
                findings.report(
                    earliest(in: part, index < parts.count - 1 ? error.beforeOperator : error))
                unread.append((part, " true "))
            }
        }
        // The mistake is between the parts.
        if unread.isEmpty || findings.isEmpty { return first }
        for finding in findingsBeside(unread) { findings.report(finding) }
        return findings
    }

    /// Returns the errors of the parts that can be read; `true` replaces the others.
    private func findingsBeside(_ unread: [Mend.Change]) -> [Diagnostic] {
        let left = map.replacing(unread, length: mended.count)
        guard let tree = try? text.parse(mended.applying(unread), map: left) else { return [] }
        return text.checked(tree, beside: []).list.map { finding in
            var finding = finding
            // Such code would contain `true` in place of the parts that can't be read.
            finding.help.removeAll { $0.contains(" true ") }
            return finding
        }
    }

    /// The parts between `&&` and `||` outside of brackets.
    private var parts: [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        var depth = 0
        for token in LooseLexer.tokens(of: mended) where token.kind == .symbol {
            if ["(", "[", "{"].contains(token.text) { depth += 1 }
            if [")", "]", "}"].contains(token.text) { depth -= 1 }
            guard depth == 0, token.text == "&&" || token.text == "||" else { continue }
            parts.append(start..<token.range.lowerBound)
            start = token.range.upperBound
        }
        return parts + [start..<mended.count]
    }

    private func mends(in part: Range<Int>?) -> [Mend] {
        guard let part else { return mends }
        let place = map.range(part)
        return mends.filter { mend in
            let range = text.map.range(mend.range)
            return range.lower < place.upper && place.lower < range.upper
        }
    }

    /// Returns the first mistake of a part: the others may follow from it.
    private func earliest(in part: Range<Int>?, _ error: SyntaxError) -> Diagnostic {
        let place = part == nil ? text.map.range(error.range) : map.range(error.range)
        if let mend = mends(in: part).first, text.map.range(mend.range).lower <= place.lower {
            return partly(mend)
        }
        var finding = Diagnostic(error, map: part == nil ? text.map : map)
        finding.range = place
        return finding
    }

    /// Returns the diagnostic of a fix that does not make the whole readable.
    private func partly(_ mend: Mend) -> Diagnostic {
        var finding = text.finding(mend)
        finding.help = mend.readings.map { $0.help }
        return finding
    }
}

extension SyntaxError {
    /// The error of a part that an operator follows, so that it isn't the end of the whole.
    fileprivate var beforeOperator: SyntaxError {
        guard let missingAtEnd else { return self }
        return SyntaxError(
            message: "expected \(missingAtEnd) before the next `&&` or `||`",
            range: range, label: label, help: help, check: check)
    }
}
