internal import PopSource

/// A text in which values with syntax errors are overwritten one after the other, so that the rest
/// can be read.
///
/// Overwriting doesn't change any length: every offset keeps its place in the file.
struct RepairedText {
    private(set) var text: CheckedText
    /// The starts of the values that have been overwritten.
    private(set) var broken: Set<Int> = []
    /// The ranges that have been overwritten, to distinguish new mistakes from those that
    /// overwriting causes.
    private var overwritten: [Range<Int>] = []
    private var hasTabs = false
    private var hasConflict = false
    private var repairs = 0

    /// True if anything has been overwritten.
    var isRepaired: Bool { repairs > 0 }

    init(_ text: CheckedText) { self.text = text }

    /// Reports the error and overwrites its cause; returns false if the rest can't be read.
    mutating func repair(
        _ error: YAMLSyntaxError, limits: YAMLLimits, into diagnostics: inout Diagnostics
    ) -> Bool {
        if error.problem == .exhausted {
            diagnostics.report(
                .exhausted(at: SourceRange(file: text.file, error.offset..<error.offset)))
            return false
        }
        let mistake = MistakeFinder(bytes: text.bytes, file: text.file, error: error).find()
        let isConsequence = isConsequence(of: error, mistake)
        if !isConsequence { diagnostics.report(mistake.diagnostic) }
        repairs += 1
        guard repairs <= limits.repairs, repairs * text.bytes.count <= limits.repairWork else {
            return false
        }
        // A line that was indented with tabs fits nowhere; its neighbors aren't at fault.
        let isShifted = isConsequence && hasTabs
        if !isShifted, overwrite(mistake.repair) { return true }
        if isShifted { excuseKey(above: error.offset) }
        // The part that was overwritten before still causes errors: the whole line is removed.
        return overwrite(.blank(SourceLine(text.bytes, at: error.offset).range))
            || overwrite(.blank(SourceLine(text.bytes, at: error.contextOffset).range))
    }

    /// Marks the value of a key as broken if its lines are removed because tabs shifted them.
    private mutating func excuseKey(above offset: Int) {
        guard let key = SourceLine(text.bytes, at: offset).previous, key.value.isEmpty,
            let colon = key.colon
        else { return }
        broken.insert(colon + 1)
    }

    /// Returns true if a value that has been reported and overwritten causes the error.
    private mutating func isConsequence(of error: YAMLSyntaxError, _ mistake: YAMLMistake) -> Bool {
        let range = mistake.diagnostic.range
        if mistake.isConflict {
            if hasConflict { return true }
            hasConflict = true
        }
        let line = SourceLine(text.bytes, at: error.offset).range
        if hasTabs, overwritten.contains(where: { $0.overlaps(line) }) { return true }
        return overwritten.contains { old in
            old.overlaps(range.bytes) || old.contains(error.offset)
                || mistake.diagnostic.secondary.contains { old.overlaps($0.range.bytes) }
        }
    }

    /// Overwrites a part; returns false if that changes nothing.
    private mutating func overwrite(_ repair: YAMLMistake.Repair) -> Bool {
        switch repair {
        case .value(let range):
            broken.insert(range.lowerBound)
            return fill(range, with: UInt8(ascii: "x"), keepingSpaces: true)
        case .blank(let range):
            return fill(range, with: UInt8(ascii: " "), keepingSpaces: false)
        case .comma(let offset):
            let isChanged = text.bytes[offset] != UInt8(ascii: ",")
            text.bytes[offset] = UInt8(ascii: ",")
            overwritten.append(offset..<offset + 1)
            return isChanged
        case .tabs(let runs):
            var isChanged = false
            hasTabs = true
            overwritten += runs
            for run in runs {
                for offset in run where text.bytes[offset] == UInt8(ascii: "\t") {
                    text.bytes[offset] = UInt8(ascii: " ")
                    isChanged = true
                }
            }
            return isChanged
        }
    }

    private mutating func fill(_ range: Range<Int>, with byte: UInt8, keepingSpaces: Bool) -> Bool {
        var isChanged = false
        for offset in range {
            let old = text.bytes[offset]
            if old == UInt8(ascii: "\n") || old == UInt8(ascii: "\r") { continue }
            let new = keepingSpaces && isBlank(old) ? UInt8(ascii: " ") : byte
            isChanged = isChanged || new != old
            text.bytes[offset] = new
        }
        overwritten.append(range)
        return isChanged
    }
}

extension Diagnostic {
    fileprivate static func exhausted(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "lists and maps are nested too deeply", at: range,
            label: "not read from here on", help: ["nest fewer lists and maps"])
    }
}
