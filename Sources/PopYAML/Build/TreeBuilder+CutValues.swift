internal import PopSource

/// Unquoted values that YAML splits without an error from libyaml.
extension TreeBuilder {
    /// Reports entries in braces, or items in brackets, that a `,` inside an expression has
    /// created.
    mutating func reportCutValues(_ frame: Frame) {
        let isMapping = records[Int(frame.node)].kind == .mapping
        guard isMapping else { return reportCutItems(frame) }
        var run: CutRun?
        var previousValue: UInt32?
        for position in stride(from: frame.firstChild, to: pending.count - 1, by: 2) {
            let key = pending[position]
            let value = pending[position + 1]
            guard isKeyAlone(key, value: value) else {
                report(run)
                (run, previousValue) = (nil, value)
                continue
            }
            // Only now: hardly any value needs this.
            run = run ?? previousValue.flatMap { self.run(from: $0) }
            previousValue = nil
            if add(key, to: &run) {
                run?.pieces.append(value)
            } else if let colon = innerColon(key) {
                reportMissingSpace(key, colon: colon)
                records[Int(value)].flags.insert(.isBroken)
            }
        }
        report(run)
    }

    private mutating func reportCutItems(_ frame: Frame) {
        var run: CutRun?
        for position in frame.firstChild..<pending.count where !add(pending[position], to: &run) {
            report(run)
            run = self.run(from: pending[position])
        }
        report(run)
    }

    /// The pieces of a value that a `,` inside of its parentheses has split.
    private struct CutRun {
        var pieces: [UInt32]
        /// The number of parentheses that are open after the pieces.
        var depth: Int
        /// The number of pieces that belong to the value; 1 until a piece closes a parenthesis.
        var length = 1
    }

    /// Returns the run that the value starts, if it leaves a parenthesis open.
    private func run(from value: UInt32) -> CutRun? {
        let depth = balance(value)
        return depth > 0 ? CutRun(pieces: [value], depth: depth) : nil
    }

    /// Adds a node to a run; returns true if it is the next piece.
    private func add(_ node: UInt32, to run: inout CutRun?) -> Bool {
        guard let open = run, open.depth > 0, records[Int(node)].kind == .scalar else {
            return false
        }
        let closed = closes(node)
        if closed == 0, innerColon(node) != nil { return false }
        run?.pieces.append(node)
        run?.depth += balance(node)
        if closed > 0 { run?.length = open.pieces.count + 1 }
        return true
    }

    private mutating func report(_ run: CutRun?) {
        guard let run, run.length > 1 else { return }
        reportCut(from: run.pieces[0], to: run.pieces[run.length - 1])
        // The last piece of a map is a key, and the node after it is its missing value.
        for piece in run.pieces.prefix(run.length + 1) {
            records[Int(piece)].flags.insert(.isBroken)
        }
    }

    /// Reports `a ? b : c` or `a == "b: c"` where a map is possible: YAML reads it as a map with
    /// the key `a ? b`.
    mutating func reportCutAtColon(_ frame: Frame) {
        guard pending.count == frame.firstChild + 2 else { return }
        let key = records[Int(pending[frame.firstChild])]
        let value = records[Int(pending[frame.firstChild + 1])]
        guard key.kind == .scalar, key.style == .plain, value.kind == .scalar,
            !key.flags.contains(.isDecoded), value.start >= key.end,
            contains([0x20, UInt8(ascii: "?"), 0x20], record: key) || hasOddQuotes(key)
        else { return }
        let place = Int(key.start)..<Int(max(value.end, key.end))
        report(
            .cutAtColon(at: range(place), edit: QuoteEdits.edit(place, of: bytes, file: file)))
        records[Int(frame.node)].kind = .scalar
        records[Int(frame.node)].setAside()
    }

    private mutating func reportCut(from first: UInt32, to last: UInt32) {
        let place = Int(records[Int(first)].start)..<Int(records[Int(last)].end)
        let names = shownText(bytes, at: place).wholeMatch(of: #/\(([\w.]+(?:, *[\w.]+)*)\)/#)
        let quoted = QuoteEdits.edit(place, of: bytes, file: file)
        report(
            names.map { .listInParentheses(String($0.output.1), at: range(place), quoted: quoted) }
                ?? .cutAtComma(at: range(place), edit: quoted))
    }

    private mutating func reportMissingSpace(_ key: UInt32, colon: Int) {
        let place = Int(records[Int(key)].start)..<Int(records[Int(key)].end)
        let gap = range(colon + 1..<colon + 1)
        let name = shownText(bytes, at: place.lowerBound..<colon)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if bytes[place.lowerBound..<colon].allSatisfy(digits.contains),
            colon + 1 < place.upperBound, digits.contains(bytes[colon + 1])
        {
            report(.timeAsKey(shownText(bytes, at: place), at: range(place)))
            records[Int(key)].flags.insert(.isBroken)
            return
        }
        report(
            .missingSpace(
                name, at: range(place), edit: Diagnostic.Edit(gap, replacement: " ")))
        records[Int(key)].flags.insert(.isBroken)
    }

    private func isKeyAlone(_ key: UInt32, value: UInt32) -> Bool {
        let key = records[Int(key)]
        let value = records[Int(value)]
        return key.kind == .scalar && key.count > 0
            && value.kind == .scalar && value.count == 0 && value.style == .plain
            && value.start == value.end && !hasColon(behind: Int(key.end), before: Int(value.start))
    }

    private func hasColon(behind lower: Int, before upper: Int) -> Bool {
        lower < upper && bytes[lower..<upper].contains(UInt8(ascii: ":"))
    }

    /// Returns the first `:` in a plain key such as `a:1`; nil if the key may be a web address.
    private func innerColon(_ key: UInt32) -> Int? {
        let place = Int(records[Int(key)].start)..<Int(records[Int(key)].end)
        guard let colon = bytes[place].firstIndex(of: UInt8(ascii: ":")), colon > place.lowerBound,
            bytes[place.lowerBound..<colon].allSatisfy({
                isAnchorCharacter($0) || $0 == UInt8(ascii: ".")
            }), colon + 1 < place.upperBound, bytes[colon + 1] != UInt8(ascii: "/")
        else { return nil }
        return colon
    }

    /// Returns the number of parentheses, or brackets of a type, that a node opens without closing
    /// them.
    private func balance(_ node: UInt32) -> Int {
        let parentheses = balance(node, more: "(", less: ")")
        return parentheses == 0 ? balanceOfTypes(node) : parentheses
    }

    /// Returns the number of parentheses that a node closes without opening them.
    private func closes(_ node: UInt32) -> Int {
        let record = records[Int(node)]
        guard record.kind == .scalar, record.style == .plain else { return 0 }
        var (depth, lowest) = (0, 0)
        for byte in bytes[Int(record.start)..<Int(record.end)] {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            lowest = min(lowest, depth)
        }
        return max(-lowest, -balanceOfTypes(node))
    }

    /// Returns the balance of `map<string` and `int>`, which aren't comparisons.
    private func balanceOfTypes(_ node: UInt32) -> Int {
        let record = records[Int(node)]
        guard record.kind == .scalar, record.end - record.start < 64,
            bytes[Int(record.start)..<Int(record.end)].allSatisfy({
                isAnchorCharacter($0) || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
            })
        else { return 0 }
        return balance(node, more: "<", less: ">")
    }

    /// Returns the difference between the counts of two characters in a plain scalar.
    private func balance(
        _ node: UInt32, more: Unicode.Scalar, less: Unicode.Scalar
    ) -> Int {
        let record = records[Int(node)]
        guard record.kind == .scalar, record.style == .plain else { return 0 }
        var balance = 0
        for offset in Int(record.start)..<Int(record.end) {
            if bytes[offset] == UInt8(ascii: more) { balance += 1 }
            if bytes[offset] == UInt8(ascii: less) { balance -= 1 }
        }
        return balance
    }

    private func hasOddQuotes(_ record: NodeRecord) -> Bool {
        let text = bytes[Int(record.start)..<Int(record.end)]
        return !text.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
    }

    private func contains(_ wanted: [UInt8], record: NodeRecord) -> Bool {
        let text = bytes[Int(record.start)..<Int(record.end)]
        guard text.count >= wanted.count else { return false }
        return (text.startIndex...text.endIndex - wanted.count).contains {
            text[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}

extension Diagnostic {
    fileprivate static func cutAtComma(at range: SourceRange, edit: Edit?) -> Self {
        cut(
            "this value must be put in quotes", label: "YAML ends the value at the `,`", at: range,
            edit: edit)
    }

    fileprivate static func listInParentheses(
        _ names: String, at range: SourceRange, quoted: Edit?
    ) -> Self {
        var found = Diagnostic(
            .yamlUnquotedExpression, message: "a list needs brackets, not parentheses", at: range,
            label: "YAML ends the value at the `,`",
            help: ["use brackets for a list: `[\(names)]`"],
            fixes: [
                Fix(
                    "write a list", edits: [Edit(range, replacement: "[\(names)]")], isSafe: false)
            ])
        if let quoted {
            found.help.append("if you mean a string: `\(quoted.replacement)`")
            found.fixes.append(Fix("put the value in quotes", edits: [quoted], isSafe: false))
        }
        return found
    }

    fileprivate static func cutAtColon(at range: SourceRange, edit: Edit?) -> Self {
        cut(
            "this value must be put in quotes",
            label: "YAML reads the `:` in this value as the end of a key", at: range, edit: edit)
    }

    private static func cut(
        _ message: String, label: String, at range: SourceRange, edit: Edit?
    ) -> Self {
        var found = Diagnostic(.yamlUnquotedExpression, message: message, at: range, label: label)
        if let edit {
            found.help.append(QuoteEdits.help(edit))
            found.fixes.append(Fix("put the value in quotes", edits: [edit], isSafe: true))
        }
        return found
    }
}
