internal import PopCEL

// Units after numbers that are compared with number keys.
extension Mender {
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
            Mend.Reading(help: $0.help, changes: [(place, $0.number)])
        }
        guard !readings.isEmpty else { return nil }
        let mend = Mend(
            place, message: "`\(key)` is a number without a unit", label: "a number with a unit",
            readings: readings)
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
                    "convert to \(own.name), which `\(key)` counts"
                        + (meaning.isEmpty ? "" : ", if you mean \(meaning)"),
                    text(length / own.milliseconds)
                )
            }
        }
        let factor = factors[word.lowercased()].map {
            ("if `\(word)` means \(text($0))", text(number * $0))
        }
        // A capital M hardly means minutes after a plain number.
        let counted = word == "M" ? [] : counts(lengths.first?.length, unit: word)
        return [factor].compactMap { $0 } + counted
    }

    /// The duration counted in its own unit and in the next smaller one: finer units are unlikely.
    private static func counts(
        _ length: Double?, unit word: String
    ) -> [(help: String, number: String)] {
        guard let length, let one = lengths(of: 1, word).first?.length,
            let own = all.firstIndex(where: { $0.milliseconds == one })
        else { return [] }
        return all[own...].prefix(own == 1 ? 1 : 2).map {
            ("if the key counts \($0.name)", text(length / $0.milliseconds))
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
