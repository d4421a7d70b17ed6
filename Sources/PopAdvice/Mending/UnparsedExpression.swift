internal import PopCEL
internal import PopSource

/// All mistakes in a string that is not in the language, with its probable meaning.
struct UnparsedExpression {
    let bytes: [UInt8]
    let map: TextMap
    let limits: CELLimits
    let environment: Environment?
    private let expected: CELType?
    private let mends: [SyntaxRepair]

    init(_ source: UnparsedSource) {
        bytes = source.bytes
        map = source.map
        limits = source.limits
        environment = source.environment
        expected = source.expected
        mends = SyntaxRepairer(bytes, environment: environment).mends()
    }

    /// `error` is what reading the text first stumbled over.
    func findings(first error: SyntaxError) -> Diagnostics {
        guard bytes.count <= CELLimits.mendedLength else {
            return Diagnostics([Diagnostic(error, map: map)])
        }
        let changes = mends.map { $0.readings[0].changes }.inOrder
        let mended = bytes.applying(changes)
        if !mends.isEmpty,
            let tree = try? parse(mended, map: map.replacing(changes, length: bytes.count))
        {
            let rest = checked(tree, beside: changes)
            if rest.isEmpty { return Diagnostics(offers(isComplete: true)) }
            let others = Diagnostics(rest.list.map { noted($0, as: mended) })
            return completed(mended, besides: others)
                ?? Diagnostics(cautious(offers(isComplete: false)) + others.list)
        }
        if let closed = closed(error) ?? quoted(error) { return closed }
        return Recovery(self, mends: mends, mended: mended, changes: changes).findings(first: error)
    }

    func parse(_ bytes: [UInt8], map: TextMap) throws(SyntaxError) -> SyntaxTree {
        do throws(SyntaxError) {
            return try Parser.parse(bytes, map: map, limits: limits, expandsMacros: true)
        } catch {
            throw error.explained(in: bytes)
        }
    }

    /// Returns the errors of a tree that can be read, each with its own fix and the changes that
    /// made the tree readable.
    func checked(_ tree: SyntaxTree, beside changes: [SyntaxRepair.Change]) -> Diagnostics {
        guard let environment else { return Diagnostics() }
        var slots = SlotTable()
        let compiled = environment.compile(
            Expression(tree: tree), expecting: expected, slots: &slots)
        let own = map.rewriting(bytes, changes: changes).edits
        let isSafe = mends.allSatisfy { $0.isSafe }
        // Possible failures are reported only once the string can be read.
        return Diagnostics(
            compiled.diagnostics.list.filter { $0.level == .error }.map { finding in
                var finding = finding
                if isInside(finding, own: own) { finding.removeAdvice() }
                for index in finding.fixes.indices {
                    let edits = finding.fixes[index].edits
                    let isApart = own.allSatisfy { edit in
                        !edits.contains { $0.range.bytes.overlaps(edit.range.bytes) }
                    }
                    if isApart, !own.isEmpty {
                        finding.fixes[index].edits += own
                        finding.fixes[index].title += ", and fix the rest"
                    }
                    if !isSafe { finding.fixes[index].isSafe = false }
                }
                return finding
            })
    }
}

extension UnparsedExpression {
    /// Returns true if a diagnostic is about a part of the text that a fix inserts, which has no
    /// place in the file.
    private func isInside(_ finding: Diagnostic, own: [Diagnostic.Edit]) -> Bool {
        // A string that has to be put in quotes is written as a whole, whatever is changed in it.
        if map.quoting == .plain, own.count == 1, own[0].range == map.range(0..<bytes.count),
            let first = own[0].replacement.first, first == "\"" || first == "'"
        {
            return false
        }
        return finding.fixes.flatMap { $0.edits }.contains { edit in
            own.contains {
                $0.range == edit.range
                    && LooseLexer.tokens(of: Array($0.replacement.utf8)).count > 1
            }
        }
    }
}

extension Diagnostic {
    /// Keeps the message, without the suggested text.
    fileprivate mutating func removeAdvice() {
        fixes = []
        help.removeAll { $0.contains(": `") }
    }
}

// MARK: Other errors of the same text

extension UnparsedExpression {
    /// The maximum number of changes that are tried until a string compiles.
    private static let mostCompletions = 20
    private static let fixingAll = "fix this and all other mistakes in the expression"
    private static let fixingSyntax = "fix only the syntax of the expression (other errors remain)"

    /// Returns all diagnostics, the first of which offers a string that compiles; nil if no
    /// unambiguous one is known.
    private func completed(_ mended: [UInt8], besides rest: Diagnostics) -> Diagnostics? {
        guard mends.allSatisfy({ $0.readings.count == 1 }), let (text, isSafe) = compiling(mended)
        else { return nil }
        let rewriting = map.rewriting(
            bytes, changes: [(range: 0..<bytes.count, replacement: text)])
        let areSafe = isSafe && mends.allSatisfy { $0.isSafe }
        var findings = mends.map { mend in
            var finding = finding(mend)
            finding.help = [mend.readings[0].help]
            return finding
        }
        findings += rest.list.map { finding in
            var finding = finding
            finding.help = finding.help.map(Self.withoutWhole)
            return finding
        }
        for index in findings.indices {
            var shown = findings[index]
            shown.fixes = []
            shown.offer(Self.fixingAll, rewriting: rewriting, isSafe: areSafe)
            // Once is enough to be read.
            findings[index].fixes = shown.fixes
            if index == 0 { findings[index].help = shown.help }
        }
        return Diagnostics(findings)
    }

    /// Returns a diagnostic with a note on the text that it is about, which isn't in the file.
    private func noted(_ finding: Diagnostic, as mended: [UInt8]) -> Diagnostic {
        guard mended.count <= 120, !mended.contains(UInt8(ascii: "\n")) else { return finding }
        var finding = finding
        finding.notes.append(
            "poprules checked the expression with a corrected syntax:"
                + " `\(String(decoding: mended, as: UTF8.self))`")
        return finding
    }

    /// Returns a help without the text that it shows, because a part of it is fixed; names stay.
    private static func withoutWhole(_ help: String) -> String {
        guard let colon = help.firstRange(of: ": `"), help[colon.upperBound...].contains(" ")
        else { return help }
        return String(help[..<colon.lowerBound])
    }

    /// Returns a string that compiles, made by applying the advice on each mistake, and whether all
    /// of these changes are safe; nil if a mistake has several meanings.
    private func compiling(_ bytes: [UInt8]) -> (text: String, isSafe: Bool)? {
        guard let environment else { return nil }
        var (bytes, isSafe) = (bytes, true)
        for _ in 0..<Self.mostCompletions {
            let map = TextMap(file: FileID(index: 0), offset: 0, length: bytes.count)
            guard let tree = try? parse(bytes, map: map) else { return nil }
            var slots = SlotTable()
            let errors = environment.compile(
                Expression(tree: tree), expecting: expected, slots: &slots
            ).diagnostics.list.filter { $0.level == .error }
            if errors.isEmpty { return (String(decoding: bytes, as: UTF8.self), isSafe) }
            guard let fix = errors.lazy.filter({ $0.fixes.count == 1 }).first?.fixes[0] else {
                return nil
            }
            isSafe = isSafe && fix.isSafe
            let changes = fix.edits.map { (range: $0.range.bytes, replacement: $0.replacement) }
                .sorted { $0.range.lowerBound < $1.range.lowerBound }
            bytes = bytes.applying(changes)
        }
        return nil
    }

    /// Returns the diagnostics for a string that can be read but does not compile after all fixes:
    /// none of the fixes is applied automatically.
    private func cautious(_ offers: [Diagnostic]) -> [Diagnostic] {
        offers.map { offer in
            var offer = offer
            for index in offer.fixes.indices { offer.fixes[index].isSafe = false }
            return offer
        }
    }
}

// MARK: Offers

extension UnparsedExpression {
    /// One diagnostic for each mistake; each fix makes the whole readable.
    private func offers(isComplete: Bool) -> [Diagnostic] {
        let isSafe = mends.allSatisfy { $0.isSafe }
        return mends.indices.map { index in
            var finding = finding(mends[index])
            if mends.count == 1, !mends[index].isOffered {
                finding.help = mends[index].readings.map { $0.help }
                return finding
            }
            for reading in mends[index].readings {
                let changes = mends.indices.map {
                    $0 == index ? reading.changes : mends[$0].readings[0].changes
                }
                let rewriting = map.rewriting(bytes, changes: changes.inOrder)
                if mends.count == 1 {
                    finding.offer(reading.help, rewriting: rewriting, isSafe: isSafe)
                } else {
                    // Several meanings need their code, which the first mistake shows.
                    if mends[index].readings.count == 1 { finding.help.append(reading.help) }
                    finding.fixes.append(
                        .init(
                            "\(reading.help), and fix the rest", edits: rewriting.edits,
                            isSafe: isSafe))
                }
            }
            if index == 0, mends.count > 1 {
                offerWhole(to: &finding, isSafe: isSafe, isComplete: isComplete)
            }
            return finding
        }
    }

    /// Offers the string with all of its fixes, once for each meaning that it may have.
    private func offerWhole(to finding: inout Diagnostic, isSafe: Bool, isComplete: Bool) {
        let meanings = mends.map { $0.readings.count }.max() ?? 1
        finding.fixes = []
        for meaning in 0..<meanings {
            let chosen = mends.map { $0.readings[min(meaning, $0.readings.count - 1)] }
            let words = zip(mends, chosen).first { $0.0.readings.count > 1 }?.1.help
            let whole = map.rewriting(bytes, changes: chosen.map { $0.changes }.inOrder)
            var shown = finding
            shown.help = []
            let scope = isComplete ? Self.fixingAll : Self.fixingSyntax
            shown.offer(
                words.map { "\($0), and \(scope)" } ?? scope, rewriting: whole, isSafe: isSafe)
            finding.help += shown.help
            finding.fixes += shown.fixes.suffix(1)
        }
    }

    func finding(_ mend: SyntaxRepair) -> Diagnostic {
        Diagnostic(
            .conditionSyntax, message: mend.message, at: map.range(mend.range), label: mend.label)
    }

    /// Brackets that are missing at the end.
    private func closed(_ error: SyntaxError) -> Diagnostics? {
        guard mends.isEmpty, let missing = missingBrackets else { return nil }
        var finding = Diagnostic(error, map: map)
        finding.secondary = [.init("opened here", at: map.range(missing.opened))]
        return ended(with: missing.text, finding)
    }

    /// A quote that is missing at the end.
    private func quoted(_ error: SyntaxError) -> Diagnostics? {
        guard mends.isEmpty, error.message == SyntaxError.endlessText,
            let quote = bytes[error.range].first(where: { $0 == 0x22 || $0 == 0x27 })
        else { return nil }
        return ended(
            with: String(Character(Unicode.Scalar(quote))), Diagnostic(error, map: map))
    }

    /// Returns the diagnostic with a fix that appends the missing part, if the string can be read
    /// then.
    private func ended(with missing: String, _ finding: Diagnostic) -> Diagnostics? {
        let change = (bytes.count..<bytes.count, missing)
        let ended = map.replacing([change], length: bytes.count)
        guard let tree = try? parse(bytes + missing.utf8, map: ended) else { return nil }
        var finding = finding
        finding.help = []
        finding.offer(
            "add the missing `\(missing)`, perhaps at the end",
            rewriting: map.rewriting(bytes, changes: [change]),
            isSafe: false)
        var findings = Diagnostics([finding])
        findings.report(contentsOf: checked(tree, beside: [change]))
        return findings
    }

    private var missingBrackets: (text: String, opened: Range<Int>)? {
        var open: [LooseToken] = []
        for token in LooseLexer.tokens(of: bytes) where token.kind == .symbol {
            if ["(", "[", "{"].contains(token.text) { open.append(token) }
            if [")", "]", "}"].contains(token.text), open.popLast() == nil { return nil }
        }
        let closing = ["(": ")", "[": "]", "{": "}"]
        guard let last = open.last else { return nil }
        return (open.reversed().map { closing[$0.text, default: ""] }.joined(), last.range)
    }
}

extension [[SyntaxRepair.Change]] {
    /// The changes of several fixes from left to right. Insertions at one place stay in their
    /// order; but brackets that several fixes close there come first, those of later fixes inside.
    var inOrder: [SyntaxRepair.Change] {
        let keyed = indices.flatMap { mend in
            self[mend].indices.map { offset in
                let change = self[mend][offset]
                let isClosing = closes(mend, at: change.range)
                return (key: (isClosing ? -1 - mend : mend, offset), change: change)
            }
        }
        return keyed.sorted { left, right in
            let (one, other) = (left.change.range, right.change.range)
            if one == other { return left.key < right.key }
            return (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
        }.map { $0.change }
    }

    /// Returns true if all insertions of a fix at a place close brackets.
    private func closes(_ mend: Int, at place: Range<Int>) -> Bool {
        place.isEmpty
            && self[mend].allSatisfy { change in
                change.range != place || change.replacement.allSatisfy { ")]".contains($0) }
            }
    }
}

extension [UInt8] {
    /// The bytes with parts replaced; the changes are in order.
    func applying(_ changes: [SyntaxRepair.Change]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        for change in changes {
            result += self[offset..<Swift.max(offset, change.range.lowerBound)]
            result += change.replacement.utf8
            offset = Swift.max(offset, change.range.upperBound)
        }
        return result + self[offset...]
    }
}
