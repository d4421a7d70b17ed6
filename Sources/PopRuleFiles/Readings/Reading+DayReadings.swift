/// The days of the week as rules name them, from Monday.
package let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

private let longWeekdayNames = [
    ["monday", "montag"], ["tuesday", "dienstag"], ["wednesday", "mittwoch"],
    ["thursday", "donnerstag"], ["friday", "freitag"], ["saturday", "samstag"],
    ["sunday", "sonntag"],
]

/// French and Spanish, in full or cut to three letters that name no other day.
private let otherWeekdays: [String: Int] = wordTable([
    ("lundi lun lunes", 0), ("mardi mar martes", 1), ("mercredi mer miércoles miercoles mié", 2),
    ("jeudi jeu jueves jue", 3), ("vendredi ven viernes vie", 4),
    ("samedi sam sábado sabado sáb", 5), ("dimanche dim domingo dom", 6),
])

/// The day that a word names, in English or German, in full or cut to at least two letters.
func weekday(ofWord word: some StringProtocol) -> Int? {
    guard word.count >= 2 else { return nil }
    if let day = otherWeekdays[String(word)] { return day }
    return longWeekdayNames.firstIndex { names in names.contains { $0.hasPrefix(word) } }
}

/// Returns the meanings of one day or span of days in other words.
func dayReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let text = dashInWords.replaced(in: text.lowercased()) { _ in "-" }
    if let span = daysByName[text.filter { !" -_".contains($0) }] { return [Reading(span)] }
    let ends = text.split(omittingEmptySubsequences: false) { isDash($0) }
        .map { $0.filter { $0 != " " && $0 != "." } }
    guard ends.count <= 2 else { return [] }
    let days = ends.map { weekday(ofWord: $0) }
    if !days.contains(nil) {
        return [Reading(days.compactMap { $0.map { weekdayNames[$0] } }.joined(separator: "-"))]
    }
    return numberReadings(ends.map { Int($0) })
}

/// Returns the meanings of a list of days in one string, such as `Mon, Wed to Fri`.
func dayListReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let whole = dayReadings(text)
    if !whole.isEmpty { return whole.map { $0.inList } }
    let items = separator.replaced(in: text.lowercased()) { _ in "," }
        .split(separator: ",").map { dayReadings(String($0)) }
    let words =
        items.contains(where: \.isEmpty)
        ? text.split(separator: " ").map { dayReadings(String($0)) } : items
    // Days are counted from the same end in all items.
    guard let count = words.map(\.count).max(), count > 0, !words.contains(where: \.isEmpty) else {
        return []
    }
    return (0..<count).map { way in
        let parts = words.map { $0[min(way, $0.count - 1)] }
        let meaning = parts.first { !$0.meaning.isEmpty }?.meaning ?? ""
        return Reading(parts.map(\.text).joined(separator: ", "), meaning: meaning).inList
    }
}

/// Days that are counted: from Monday, from Sunday, or from 0.
private func numberReadings(_ numbers: [Int?]) -> [Reading] {
    let days = numbers.compactMap(\.self)
    guard days.count == numbers.count, days.allSatisfy({ (0...7).contains($0) }) else { return [] }
    func named(_ shift: Int) -> String {
        days.map { weekdayNames[($0 + shift) % 7] }.joined(separator: "-")
    }
    if days.contains(0) {
        return [
            Reading(named(6), meaning: "Sunday as day 0"),
            Reading(named(0), meaning: "Monday as day 0"),
        ].filter { !days.contains(7) || $0.meaning.contains("Sunday") }
    }
    return [
        Reading(named(6), meaning: "Monday as day 1 or Sunday as day 0"),
        Reading(named(5), meaning: "Sunday as day 1"),
    ]
        + (days.contains(7)
            ? [] : [Reading(named(0), meaning: "Monday as day 0")])
}

private func isDash(_ character: Character) -> Bool {
    "-\u{2010}\u{2011}\u{2012}–—−".contains(character)
}

extension Reading {
    fileprivate var inList: Reading {
        Reading("[\(text)]", meaning: meaning, isExact: isExact)
    }
}

private let daysByName: [String: String] = {
    let spans: [(words: String, thing: String)] = [
        ("weekdays weekday workdays workday workingdays businessdays werktags", "mon-fri"),
        ("weekend weekends wochenende", "sat-sun"),
        ("daily everyday alldays always any all", "mon-sun"),
    ]
    return wordTable(spans)
}()

private let dashInWords = SharedRegex(#/ +(to|bis|through|thru|until) +| *\.\.+ */#)
private let separator = SharedRegex(#/ *(,|;|&|\/|\+| and | und ) */#)
