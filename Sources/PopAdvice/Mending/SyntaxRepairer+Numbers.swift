internal import PopCEL
internal import PopSource

/// The operator that compares a point in time, by the operator that compares the time since then.
private let turned = [">": "<", ">=": "<=", "<": ">", "<=": ">="]

// Numbers in common notations of natural and other languages.
extension SyntaxRepairer {
    func number(at index: Int) -> Found? {
        let token = tokens[index]
        if let length = lengthOfTime(at: index) { return length }
        if let percent = percent(at: index) { return percent }
        if let comma = decimalComma(at: index) { return comma }
        if let amount = currency(at: index) { return amount }
        if let date = date(token) { return (date, index + 1) }
        if let version = version(at: index) { return (version, index + 1) }
        let digits = token.text.filter { $0 != "_" && $0 != "," && $0 != "." }
        if token.text.contains("_") || token.text.count(where: { $0 == "." || $0 == "," }) > 1 {
            let mend = SyntaxRepair(
                token.range, message: "a number cannot have separators",
                label: "not a valid number",
                help: "write the number without separators",
                changes: [(token.range, unseparated(token.text))])
            return (mend, index + 1)
        }
        guard token.text.contains(",") else { return nil }
        let decimal = token.text.replacing(",", with: ".")
        let mend = SyntaxRepair(
            token.range, message: "a number cannot have a `,`", label: "not a valid number",
            readings: [
                .init(help: "if the `,` separates thousands", changes: [(token.range, digits)]),
                .init(help: "if the `,` is the decimal point", changes: [(token.range, decimal)]),
            ])
        return (mend, index + 1)
    }

    /// `01.06.2027`: day, month and year, as no number has its thousands parted.
    private func date(_ token: LooseToken) -> SyntaxRepair? {
        let parts = token.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].count == 4, parts[0].count <= 2, parts[1].count <= 2,
            let day = Int(parts[0]), let month = Int(parts[1]), (1...31).contains(day),
            (1...12).contains(month)
        else { return nil }
        let text = [String(parts[2]), twoDigits(month), twoDigits(day)].joined(separator: "-")
        return SyntaxRepair(
            token.range, message: "a date cannot be written as a number",
            label: "not a valid number",
            help: "use `timestamp(\"\(text)T00:00:00Z\")` for the date (midnight in UTC)",
            changes: [(token.range, "timestamp(\"\(text)T00:00:00Z\")")])
    }

    /// `2.1.0`: what has points in it that part no thousands is a version.
    private func version(at index: Int) -> SyntaxRepair? {
        let text = tokens[index].text
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, text.allSatisfy({ $0.isNumber || $0 == "." }),
            !parts.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        let hasOrder = token(index - 1).map { turned[$0.text] != nil } ?? false
        let isVersion = token(index - 2).map { type(of: $0) == .version } ?? false
        let name = token(index - 2).flatMap { $0.kind == .word ? "`\($0.text)`" : nil } ?? "the key"
        let order =
            environment?.knowsDays == true
            ? "put the version in quotes, and declare \(name) with `type: version`, so that `2.10`"
                + " is later than `2.9`"
            : "declare a number for what you compare, because strings have no version order;"
                + " to compare strings"
        return SyntaxRepair(
            tokens[index].range, message: "a version cannot be written as a number",
            label: "not a valid number",
            help: isVersion
                ? "call `version` with the version in quotes"
                : hasOrder ? order : "write a version as a string",
            changes: [
                (tokens[index].range, isVersion ? "version(\"\(text)\")" : "\"\(text)\"")
            ],
            isSafe: !hasOrder)
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// `3,5` outside of brackets.
    private func decimalComma(at index: Int) -> Found? {
        guard let comma = token(index + 1), comma.isSymbol(","), let fraction = token(index + 2),
            fraction.kind == .number, touches(index, index + 1), touches(index + 1, index + 2)
        else { return nil }
        let depth = tokens[..<index].reduce(0) { depth, token in
            guard token.kind == .symbol else { return depth }
            return depth + ("([{".contains(token.text) ? 1 : ")]}".contains(token.text) ? -1 : 0)
        }
        guard depth == 0 else { return nil }
        let range = tokens[index].range.lowerBound..<fraction.range.upperBound
        // The number before the comma has points between its thousands.
        let whole = tokens[index].text.filter { $0 != "." }
        let mend = SyntaxRepair(
            range, message: "a number cannot have a `,`", label: "read as two numbers",
            help: "use `.` as the decimal point",
            changes: [(tokens[index].range.lowerBound..<comma.range.upperBound, "\(whole).")])
        return (mend, index + 3)
    }

    /// Returns a number without thousands separators. If it contains both `.` and `,`, the last one
    /// begins the fraction.
    private func unseparated(_ text: String) -> String {
        let plain = text.filter { $0 != "_" }
        let signs = plain.filter { $0 == "." || $0 == "," }
        guard let last = signs.last, signs.count(where: { $0 == last }) == 1 || signs.count == 1,
            let point = plain.lastIndex(of: last)
        else { return plain.filter { $0 != "." && $0 != "," } }
        let whole = plain[..<point].filter { $0 != "." && $0 != "," }
        return "\(whole).\(plain[plain.index(after: point)...])"
    }

    /// `50€` and `49.99 EUR`.
    private func currency(at index: Int) -> Found? {
        guard let sign = token(index + 1) else { return nil }
        let text = sign.text.lowercased()
        let isUnit = sign.kind == .word && ForeignSigns.units.contains(text)
        guard isUnit || ForeignSigns.currencies.contains(text) else { return nil }
        let gap = tokens[index].range.upperBound..<sign.range.upperBound
        let kind = isUnit ? "unit" : "currency sign"
        let mend = SyntaxRepair(
            sign.range, message: "a number cannot have a \(kind)", label: "remove the \(kind)",
            help: "write only the number", changes: [(gap, "")])
        return (mend, index + 2)
    }

    /// `€50`.
    func currency(before index: Int) -> Found? {
        guard ForeignSigns.currencies.contains(tokens[index].text.lowercased()),
            let number = token(index + 1), number.kind == .number, !endsOperand(index - 1)
        else { return nil }
        let sign = tokens[index].range
        let mend = SyntaxRepair(
            sign, message: "a number cannot have a currency sign",
            label: "remove the currency sign",
            help: "write only the number",
            changes: [(sign.lowerBound..<number.range.lowerBound, "")])
        return (mend, index + 1)
    }

    private func percent(at index: Int) -> Found? {
        guard isPercent(index + 1), let sign = token(index + 1),
            let number = Double(tokens[index].text)
        else { return nil }
        let range = tokens[index].range.lowerBound..<sign.range.upperBound
        let share = number / 100
        if let share = shareOfOne(share, at: index) {
            let mend = SyntaxRepair(
                range, message: "a number cannot have a `%`", label: "`%` calculates a remainder",
                help:
                    "use a fraction from 0 to 1, because `\(tokens[index - 2].text)` goes up to 1",
                changes: [(range, share)], isSafe: false)
            return (mend, index + 2)
        }
        let mend = SyntaxRepair(
            range, message: "a number cannot have a `%`", label: "`%` calculates a remainder",
            readings: [
                .init(help: "if the value goes up to 100", changes: [(sign.range, "")]),
                .init(help: "if the value goes up to 1", changes: [(range, "\(share)")]),
            ])
        return (mend, index + 2)
    }

    /// Returns true if a `%` follows a number and isn't the remainder operator, because no operand
    /// follows.
    func isPercent(_ index: Int) -> Bool {
        guard token(index)?.isSymbol("%") == true, token(index - 1)?.kind == .number else {
            return false
        }
        return isConnective(index + 1) || operandEnd(index + 1) == nil
    }

    /// Returns true for a word that joins two conditions, unless a key has that name.
    private func isConnective(_ index: Int) -> Bool {
        guard let word = token(index), word.kind == .word,
            environment?.variable(named: word.text) == nil
        else { return false }
        return ["and", "or", "und", "oder"].contains(word.text.lowercased())
    }

    /// Returns the share unchanged, if the key that it is compared with goes from 0 to 1.
    private func shareOfOne(_ share: Double, at index: Int) -> String? {
        guard index >= 2, let sign = token(index - 1), sign.kind == .symbol,
            let variable = environment?.variable(named: tokens[index - 2].text),
            variable.maximum == .double(1)
        else { return nil }
        return "\(share)"
    }

    /// `more than 30 days ago`: what is longer ago was before that moment.
    func comparison(
        _ words: Range<Int>, ours: String, withPast repeated: [SyntaxRepair.Change]
    ) -> Found? {
        guard let time = moment(ago: words.upperBound), let turned = turned[ours] else {
            return nil
        }
        let isLonger = ours.hasPrefix(">")
        let mend = SyntaxRepair(
            range(words), message: "there is no operator `\(written(words))`",
            label: "use `\(turned)`",
            help: "use `\(turned)` to check for a time \(isLonger ? "before" : "after")"
                + " `\(written(time.tokens))`",
            changes: repeated + [(range(words), turned), (range(time.tokens), time.text)])
        return (mend, time.tokens.upperBound)
    }

    /// `order.placed within 7 days`, and `user.joined in the last 7 days`: how long ago an event
    /// was sent or a moment was.
    func recentness(at index: Int) -> Found? {
        let phrases = [
            ["within", "the", "last"], ["in", "the", "last"], ["within", "last"],
            ["in", "last"], ["within"],
        ]
        let words = phrases.first { words in
            words.indices.allSatisfy { token(index + $0)?.isWord(words[$0]) == true }
        }
        guard let words, tokens[index - 1].kind == .word,
            let length = length(at: index + words.count)
        else { return nil }
        let name = tokens[index - 1]
        let past: String
        if type(of: name) == .timestamp {
            past = "now - \(name.text)"
        } else if isEvent(name.text) {
            past = "since(\"\(name.text)\")"
        } else {
            return nil
        }
        let phrase = index..<index + words.count
        let whole = index - 1..<phrase.upperBound + 2
        let mend = SyntaxRepair(
            range(phrase), message: message(phrase), label: "not an operator",
            help: "compare the time that has passed with a duration",
            changes: [(range(whole), "\(past) <= duration(\"\(length)\")")], isSafe: false)
        return (mend, whole.upperBound)
    }

    private func isEvent(_ name: String) -> Bool { environment?.isEvent(name) ?? false }

    /// `2 weeks ago`, as a moment.
    private func moment(ago index: Int) -> (tokens: Range<Int>, text: String)? {
        guard let length = length(at: index), token(index + 2)?.isWord("ago") == true else {
            return nil
        }
        return (index..<index + 3, "now - duration(\"\(length)\")")
    }

    /// Returns the meaning of a number and a unit; nil if it is ambiguous.
    private func length(at index: Int) -> String? {
        let lengths = lengths(at: index)
        return lengths.count == 1 ? lengths[0].length : nil
    }

    private func lengths(at index: Int) -> [(meaning: String, length: String)] {
        guard let number = token(index), number.kind == .number, let unit = token(index + 1),
            unit.kind == .word
        else { return [] }
        return DurationText.readings(
            of: number.text + unit.text, knowsDays: environment?.knowsDays ?? false)
    }

    /// `> 30 days ago`: later than that moment, or longer ago.
    private func comparedPast(at index: Int) -> Found? {
        guard let time = moment(ago: index), let sign = token(index - 1), sign.kind == .symbol,
            let turned = turned[sign.text]
        else { return nil }
        let isGreater = sign.text.hasPrefix(">")
        let change = (range(time.tokens), time.text)
        let past = written(time.tokens)
        let (before, after) = (
            "if you mean a time before `\(past)`", "if you mean a time after `\(past)`"
        )
        let mend = SyntaxRepair(
            range(time.tokens), message: "a duration must be written as `duration(…)`",
            label: "not a value in a condition",
            readings: [
                .init(help: isGreater ? after : before, changes: [change]),
                .init(
                    help: isGreater ? before : after, changes: [(sign.range, turned), change]),
            ])
        return (mend, time.tokens.upperBound)
    }

    /// `last_shown > 7d`: what is compared with a length is the time since the moment.
    private func comparedMoment(at index: Int, _ length: String) -> Found? {
        guard let sign = token(index - 1), sign.kind == .symbol, let opposite = turned[sign.text],
            index > 1
        else { return nil }
        let first = operandStart(index - 2)
        // A part of a sum isn't a time by itself.
        guard first == 0 || isLogical(first - 1) || tokens[first - 1].isSymbol("("),
            type(of: tokens[first]) == .timestamp || tokens[first].isWord("last_event")
                || tokens[first].isWord("last_acted")
        else { return nil }
        let whole = range(first..<index + 2)
        let distances = MomentDistance.all(
            of: written(first..<index - 1), sign: sign.text, opposite: opposite,
            length: "duration(\"\(length)\")")
        let mend = SyntaxRepair(
            whole, message: "cannot compare a time with a duration",
            label: "left of `\(sign.text)` is a time, right is a duration",
            readings: distances.map { .init(help: $0.help, changes: [(whole, $0.text)]) })
        return (mend, index + 2)
    }

    /// `last_event("order.paid") < now - 14d`, which fails for an event that was never sent.
    private func comparedEvent(at index: Int, _ length: String) -> Found? {
        guard environment?.slotFunctions["since"] != nil, index > 3,
            token(index - 1)?.isSymbol("-") == true, token(index - 2)?.isWord("now") == true,
            let sign = token(index - 3), sign.kind == .symbol, let opposite = turned[sign.text],
            token(index - 4)?.isSymbol(")") == true
        else { return nil }
        let first = operandStart(index - 4)
        let isWhole = token(index + 2).map { isLogical(index + 2) || $0.isSymbol(")") } ?? true
        guard tokens[first].isWord("last_event"), first + 2 < index - 4, isWhole,
            first == 0 || isLogical(first - 1) || tokens[first - 1].isSymbol("(")
        else { return nil }
        let event = written(first + 2..<index - 4)
        let since = "since(\(event)) \(opposite) duration(\"\(length)\")"
        let whole = range(first..<index + 2)
        let sent = "event_count(\(event)) > 0 && \(since)"
        let isAlone = first == 0 && index + 2 == tokens.count
        let isRecent = opposite.hasPrefix("<")
        let readings: [SyntaxRepair.Reading] =
            isRecent
            ? [
                .init(
                    help: "use `since` to check how long ago an event was sent",
                    changes: [(whole, since)])
            ]
            : [
                .init(
                    help: "use `since`; if the event must have been sent at least once",
                    changes: [(whole, isAlone ? sent : "(\(sent))")]),
                .init(
                    help: "use `since`; if the event may also never have been sent",
                    changes: [(whole, since)]),
            ]
        let mend = SyntaxRepair(
            range(index..<index + 2),
            message: "a duration must be written as `duration(…)`",
            label: "not a value in a condition", readings: readings)
        return (mend, index + 2)
    }

    /// `1M`.
    private func monthsOrMinutes(at index: Int) -> Found? {
        let place = range(index..<index + 2)
        let mend = SyntaxRepair(
            place, message: "a duration must be written as `duration(…)`",
            label: "not a value in a condition",
            readings: lengths(at: index).map {
                .init(
                    help: "if you mean \($0.meaning)",
                    changes: [(place, "duration(\"\($0.length)\")")])
            })
        return (mend, index + 2)
    }

    /// `duration(2h)`: the call is there, and only the quotes are missing.
    private func argumentOfDuration(at index: Int, _ length: String) -> Found? {
        guard token(index - 1)?.isSymbol("(") == true, token(index - 2)?.isWord("duration") == true,
            token(index + 2)?.isSymbol(")") == true
        else { return nil }
        let place = range(index..<index + 2)
        let mend = SyntaxRepair(
            place, message: "a duration must be in quotes", label: "not in quotes",
            help: "put a duration in quotes", changes: [(place, "\"\(length)\"")])
        return (mend, index + 2)
    }

    /// `30d`, `3 days`, `2 weeks ago`.
    private func lengthOfTime(at index: Int) -> Found? {
        if let plain = plainNumber(at: index) { return plain }
        if lengths(at: index).isEmpty { return nil }
        guard let length = length(at: index) else { return monthsOrMinutes(at: index) }
        if let compared = comparedPast(at: index) ?? comparedMoment(at: index, length) {
            return compared
        }
        if let quoted = argumentOfDuration(at: index, length) { return quoted }
        if let event = comparedEvent(at: index, length) { return event }
        let isPast = moment(ago: index) != nil
        let end = tokens[isPast ? index + 2 : index + 1].range.upperBound
        let range = tokens[index].range.lowerBound..<end
        let ours = "\(isPast ? "now - " : "")duration(\"\(length)\")"
        let mend = SyntaxRepair(
            range, message: "a duration must be written as `duration(…)`",
            label: "not a value in a condition",
            help: "use `duration(\"\(length)\")` for a duration",
            changes: [(range, ours)])
        return (mend, index + (isPast ? 3 : 2))
    }
}

// Units after numbers that are compared with number keys.
extension SyntaxRepairer {
    /// Returns the fix for `launches > 3 days` and `coins > 1k` if the key is a number: the unit
    /// isn't dropped, because the number means nothing without it.
    func plainNumber(at index: Int) -> Found? {
        guard let sign = token(index - 1), sign.kind == .symbol,
            ["<", ">", "<=", ">=", "=", "==", "!="].contains(sign.text),
            let type = type(of: token(index - 2)), [.int, .uint, .double].contains(type),
            let number = Double(tokens[index].text), let unit = token(index + 1),
            unit.kind == .word
        else { return nil }
        let key = tokens[index - 2].text
        let place = range(index..<index + 2)
        let readings = CountedUnit.readings(of: number, unit.text, countedIn: key).map {
            SyntaxRepair.Reading(help: $0.help, changes: [(place, $0.number)])
        }
        guard !readings.isEmpty else { return nil }
        let mend = SyntaxRepair(
            place, message: "a number compared with `\(key)` cannot have a unit",
            label: "a number with a unit", readings: readings)
        return (mend, index + 2)
    }
}

/// A unit that the numbers of a key may count.
private struct CountedUnit {
    let name: String
    let milliseconds: Double

    private static let all = [
        CountedUnit(name: "weeks", milliseconds: 604_800_000),
        CountedUnit(name: "days", milliseconds: 86_400_000),
        CountedUnit(name: "hours", milliseconds: 3_600_000),
        CountedUnit(name: "minutes", milliseconds: 60_000),
        CountedUnit(name: "seconds", milliseconds: 1_000),
        CountedUnit(name: "milliseconds", milliseconds: 1),
    ]

    /// Words for multiples of a thousand.
    private static let factors: [String: Double] = [
        "k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "mio": 1_000_000,
        "million": 1_000_000, "millions": 1_000_000, "bn": 1_000_000_000,
        "billion": 1_000_000_000,
    ]

    /// The numbers that may be meant, each with the words for what it counts.
    static func readings(
        of number: Double, _ word: String, countedIn key: String
    ) -> [(help: String, number: String)] {
        let lengths = lengths(of: number, word)
        if let own = unit(ofKey: key), !lengths.isEmpty {
            return lengths.map { meaning, length in
                (
                    "if `\(key)` is in \(own.name)"
                        + (meaning.isEmpty ? "" : ", and `\(word)` means \(meaning)"),
                    text(length / own.milliseconds)
                )
            }
        }
        let factor = factors[word.lowercased()].map {
            ("if `\(word)` means \(text($0))", text(number * $0))
        }
        // A capital M hardly means minutes after a plain number.
        let counted =
            word == "M" ? [] : counts(lengths.first?.length, unit: word, key: key)
        return [factor].compactMap { $0 } + counted
    }

    /// The duration counted in its own unit and in the next smaller one: finer units are unlikely.
    private static func counts(
        _ length: Double?, unit word: String, key: String
    ) -> [(help: String, number: String)] {
        guard let length, let one = lengths(of: 1, word).first?.length,
            let own = all.firstIndex(where: { $0.milliseconds == one })
        else { return [] }
        return all[own...].prefix(own == 1 ? 1 : 2).map {
            ("if `\(key)` is in \($0.name)", text(length / $0.milliseconds))
        }
    }

    /// In milliseconds, once for each meaning of the unit.
    private static func lengths(
        of number: Double, _ word: String
    ) -> [(meaning: String, length: Double)] {
        DurationText.readings(of: "1\(word)", knowsDays: true).compactMap { meaning, length in
            let digits = length.prefix { $0.isNumber }
            guard let count = Double(digits),
                let unit = all.first(where: { $0.hasSign(length.dropFirst(digits.count)) })
            else { return nil }
            return (meaning, number * count * unit.milliseconds)
        }
    }

    private func hasSign(_ sign: Substring) -> Bool {
        sign == "ms" ? name == "milliseconds" : name.hasPrefix(sign)
    }

    /// The unit that a name such as `workout.minutes` and `timeout_ms` ends with.
    private static func unit(ofKey key: String) -> CountedUnit? {
        guard let word = key.lowercased().split(whereSeparator: { $0 == "." || $0 == "_" }).last
        else { return nil }
        if word == "ms" || word == "millis" { return all.last }
        return all.first { $0.name == word || $0.name.dropLast() == word }
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
