internal import PopSource
internal import PopYAML

extension Format<Bool> {
    package static var bool: Self {
        Format(.bool) { node, decoder in
            if case .bool(let value)? = node.coreValue { return value }
            return decoder.mismatch(.bool, at: node)
        }
    }
}

extension Format<String> {
    /// A string, kept unchanged.
    package static var text: Self {
        Format(.text) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(.text, at: node)
            }
            return text
        }
    }

    /// The name of something that is declared elsewhere; its existence is checked when files are
    /// linked.
    package static func reference(to kind: String) -> Self {
        Format(.reference(kind)) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(.reference(kind), at: node)
            }
            return text
        }
    }
}

extension Format<Int> {
    /// An integer within bounds.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Format(.integer(range)) { node, decoder in
            let value: Int?
            switch node.coreValue {
            case .int(let number)?: value = Int(exactly: number)
            case .unsigned?, .hugeInteger?: value = nil
            case .float(let number)? where number.isWhole(beyond: range):
                value = Int(exactly: number)
            case nil, .null, .bool, .float, .string:
                return decoder.mismatch(
                    .integer(range), at: node, readings: countReadings(node, within: range))
            }
            guard let value, range.contains(value) else {
                decoder.report(
                    .outside(range, value: value, subject: decoder.subjectOfValue, at: node))
                return nil
            }
            return value
        }
    }
}

/// Returns the meaning of a count in words: `once`, `2x`, `3 times`.
private func countReadings(_ node: YAMLNode, within range: ClosedRange<Int>) -> [Reading] {
    guard let text = node.scalar?.text.lowercased(), text.utf8.count <= longestReading else {
        return []
    }
    let words = ["once": 1, "one": 1, "twice": 2, "two": 2, "thrice": 3, "three": 3]
    let number = text.wholeMatch(of: #/(\d{1,7}) *(?:x|×|times?)/#).flatMap { Int($0.output.1) }
    guard let count = words[text] ?? number, range.contains(count) else { return [] }
    return [Reading("\(count)", isExact: false)]
}

extension Double {
    /// Returns true if it has no fraction and is not in the range.
    fileprivate func isWhole(beyond range: ClosedRange<Int>) -> Bool {
        guard rounded() == self else { return false }
        return Int(exactly: self).map { !range.contains($0) } ?? true
    }
}

extension Format<Int> {
    /// The version of a file format; the reader of the file decides which versions it knows.
    package static func version(_ known: Int) -> Self {
        let number = Format.integer(1...Int.max)
        return Format(.integer(known...known)) { node, decoder in
            decoder.read(number, at: node)?.value
        }
    }
}

extension Format<Double> {
    /// A number within bounds, with or without decimals.
    package static func number(_ range: ClosedRange<Double>) -> Self {
        Format(.number(range)) { node, decoder in
            let value: Double
            switch node.coreValue {
            case .int(let whole)?: value = Double(whole)
            case .unsigned(let whole)?: value = Double(whole)
            case .hugeInteger?: value = node.text.flatMap { Double($0) } ?? .infinity
            case .float(let decimal)? where !decimal.isNaN: value = decimal
            case nil, .null, .bool, .float, .string:
                let isInRange = node.scalar.flatMap { Double($0.text) }.map(range.contains)
                let help = ["write a number from 0 to 100, such as `20` for 20 percent"]
                return decoder.mismatch(
                    .number(range), at: node, readings: numberReadings(node, within: range),
                    help: range == 0...100 && isInRange != true ? help : [])
            }
            guard range.contains(value) else {
                decoder.report(
                    .outside(range, value: value, subject: decoder.subjectOfValue, at: node))
                return nil
            }
            return value
        }
    }
}

/// Returns the meaning of a number with a sign or a word after it: `20%`, `20 percent`, `1_000`.
private func numberReadings(_ node: YAMLNode, within range: ClosedRange<Double>) -> [Reading] {
    guard let text = node.scalar?.text.lowercased(), text.utf8.count <= longestReading else {
        return []
    }
    let number = text.replacing("%", with: "").replacing("percent", with: "")
        .replacing("pct", with: "").filter { $0 != " " }
    let point = number.replacing(",", with: ".")
    guard let meant = [number, point].first(where: { Double($0) != nil }), meant != text,
        Double(meant).map(range.contains) == true
    else { return [] }
    return [Reading(meant)]
}

extension Format
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the words of an enumeration.
    package static func word(_: Value.Type, help: [String] = []) -> Self {
        let values = Array(Value.allCases)
        let words = values.map(\.rawValue)
        let list = WordList(words)
        return Format(.word(words)) { node, decoder in
            if let index = list.index(of: node) { return values[index] }
            let isNear = node.scalar.map { !similarNames(to: $0.text, among: words).isEmpty }
            return decoder.noSuchWord(node, words: words, help: isNear == true ? [] : help)
        }
    }
}

extension Decoder {
    /// Reports that a node isn't one of the words that its key takes, and returns nil.
    mutating func noSuchWord<Value>(
        _ node: YAMLNode, words: [String], meant: String? = nil, help: [String] = []
    ) -> Value? {
        reportNoSuchWord(node, words: words, meant: meant, help: help)
        return nil
    }

    private mutating func reportNoSuchWord(
        _ node: YAMLNode, words: [String], meant: String?, help: [String]
    ) {
        guard let text = node.scalar?.text else {
            return reportMismatch(.word(words), at: node, help: help)
        }
        if let comment = gluedComment(node) { return report(comment) }
        var diagnostic = Diagnostic(
            .schemaEnum,
            message: "\(subjectOfValue) must be \(alternatives(words)), but is `\(text.shortened)`",
            at: node.range, label: "not one of these words", help: help)
        let similar = similarNames(to: text, among: words)
        if let meant {
            diagnostic.help = ["use `\(meant)` instead"] + help
            diagnostic.fixes = [.rename(node.range, to: meant)]
            return report(diagnostic)
        }
        if !similar.isEmpty { diagnostic.label = "similar to \(alternatives(similar))" }
        if similar.count == 1 { diagnostic.fixes = [.rename(node.range, to: similar[0])] }
        report(diagnostic)
    }
}

extension Diagnostic {
    fileprivate static func outside<Bound: Comparable>(
        _ range: ClosedRange<Bound>, value: Bound?, subject: String, at node: YAMLNode
    ) -> Self {
        let isBelow = value.map { $0 < range.lowerBound } ?? node.nameForMessages.hasPrefix("-")
        let bound = "\(isBelow ? range.lowerBound : range.upperBound)"
        let text = bound.hasSuffix(".0") ? String(bound.dropLast(2)) : bound
        return Diagnostic(
            .schemaRange,
            message: "\(subject) must be at \(isBelow ? "least" : "most") \(text),"
                + " but is \(node.nameForMessages)", at: node.range,
            label: isBelow ? "too small" : "too large")
    }
}
