internal import PopSource
internal import PopYAML

/// The one layout, as `poprules fmt` gives it.
enum Formatting {
    /// Returns the edits of whole lines; only those that touch the range, if one is given.
    static func json(_ site: RequestContext, lines wanted: Range<Int>?) -> JSON {
        let source = SourceFile(path: site.path, bytes: site.bytes)
        guard let new = YAMLDocument.formatted(source).value, new != site.bytes else {
            return .array([])
        }
        return .array(
            edits(from: site, to: new)
                .filter { edit in
                    wanted.map {
                        edit.range.lowerBound <= $0.upperBound
                            && $0.lowerBound <= edit.range.upperBound
                    } ?? true
                }
                .map {
                    .object(["range": site.lines.json($0.range), "newText": .string($0.text)])
                })
    }

    /// Lines stay lines, but empty ones may go: each line that is not empty has its counterpart.
    private static func edits(from site: RequestContext, to new: [UInt8]) -> [TextEdit] {
        let lines = TextLines(new, encoding: .utf8)
        let isEmpty: (ArraySlice<UInt8>) -> Bool = { $0.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
        let old = (0..<site.lines.count).map { site.lines.bytes(ofLine: $0) }
        let fresh = (0..<lines.count).map { lines.bytes(ofLine: $0) }
        let oldFull = old.filter { !isEmpty(site.bytes[$0]) }
        let newFull = fresh.filter { !isEmpty(new[$0]) }
        guard oldFull.count == newFull.count, !oldFull.isEmpty else {
            return [site.replacement(by: new)]
        }
        var edits: [TextEdit] = []
        func add(_ range: Range<Int>, _ part: Range<Int>) {
            guard !site.bytes[range].elementsEqual(new[part]) else { return }
            edits.append(
                TextEdit(
                    path: site.path, range: range,
                    text: String(decoding: new[part], as: UTF8.self)))
        }
        var (oldEnd, newEnd) = (0, 0)
        for (range, part) in zip(oldFull, newFull) {
            add(oldEnd..<range.lowerBound, newEnd..<part.lowerBound)
            add(range, part)
            (oldEnd, newEnd) = (range.upperBound, part.upperBound)
        }
        add(oldEnd..<site.bytes.count, newEnd..<new.count)
        return edits
    }

    /// Indents the line after a key without a value, and removes blanks. Tabs, which YAML refuses
    /// there, become spaces.
    static func indent(_ site: RequestContext) -> JSON {
        let line = site.lines.line(at: site.offset)
        guard line > 0 else { return .array([]) }
        let previous = site.lines.bytes(ofLine: line - 1)
        let rest = site.bytes[previous].reversed().prefix { $0 == 0x20 }.count
        let whole = previous.lowerBound..<previous.upperBound - rest
        let text = String(decoding: site.bytes[whole], as: UTF8.self)
        let trimmed = text.drop { $0 == " " }
        guard trimmed.hasSuffix(":"), !trimmed.hasPrefix("#") else { return .array([]) }
        var edits: [JSON] = []
        func replace(_ range: Range<Int>, by text: String) {
            edits.append(
                .object(["range": site.lines.json(range), "newText": .string(text)]))
        }
        if rest > 0 { replace(whole.upperBound..<previous.upperBound, by: "") }
        var margin = text.count - trimmed.count
        if trimmed.hasPrefix("- ") { margin += 2 }
        let own = site.lines.bytes(ofLine: line)
        let blanks = site.bytes[own].prefix { $0 == 0x20 || $0 == 0x09 }
        if blanks.count < margin + 2 || blanks.contains(0x09) {
            replace(
                own.lowerBound..<own.lowerBound + blanks.count,
                by: String(repeating: " ", count: margin + 2))
        }
        return .array(edits)
    }
}
