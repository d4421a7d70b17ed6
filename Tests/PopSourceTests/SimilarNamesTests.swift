import PopSource
import Testing

@Suite struct `The search for similar names` {
    @Test func `finds names with two letters swapped`() {
        #expect(
            similarNames(to: "user.plna", among: ["user.plan", "user.name", "net.online"]) == [
                "user.plan"
            ])
    }

    @Test func `ignores case and separators`() {
        #expect(similarNames(to: "minShow", among: ["min_show", "max_wait"]) == ["min_show"])
    }

    @Test func `offers nothing for a name without similar names`() {
        #expect(similarNames(to: "colour", among: ["when", "trigger"]).isEmpty)
    }

    @Test(arguments: [
        ("hr.disconnected", "hr.connected"), ("hr.is_disconnected", "hr.connected"),
        ("app.offline", "app.online"), ("user.has_no_coach", "user.has_coach"),
        ("not_paying", "paying"), ("nonpaying", "paying"), ("unpaying", "paying"),
        ("workout.unfinished", "workout.finished"), ("notContains", "contains"),
        ("min_wait", "max_wait"), ("inactive", "active"),
    ])
    func `never offers the opposite of a name`(name: String, opposite: String) {
        #expect(similarNames(to: name, among: [opposite]).isEmpty)
        #expect(similarNames(to: opposite, among: [name]).isEmpty)
    }

    @Test func `treats names that start like a negation as names`() {
        #expect(similarNames(to: "notifications", among: ["notification"]) == ["notification"])
        #expect(similarNames(to: "unions", among: ["onions", "union"]) == ["onions", "union"])
    }

    @Test func `offers at most five names, the nearest first`() {
        let names = (0..<9).map { "popup\($0)" }
        #expect(similarNames(to: "popupX", among: names) == Array(names.prefix(5)))
    }

    /// S-M2.
    @Test func `a search for similar names compares a limited number, however many there are`() {
        let names = (0..<100_000).map { "popup_number_\($0)" }
        // Each is as long and of the same letters: all of them would be compared letter by letter.
        #expect(similarNames(to: "popup_number_99999x", among: names).count == 5)
        #expect(similarNames(to: "popup_number_x", among: ["popup_number_y"] + names).count == 5)
        let late = similarNames(to: "offer", among: names + ["offre"])
        #expect(late == ["offre"])
    }

    @Test(arguments: 0..<200) func `finds the same names as a naive model`(seed: UInt64) {
        var generator = Seeded(seed: seed)
        func name() -> String {
            String(
                (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                    "abcdeAB-_.é".randomElement(using: &generator) ?? "a"
                })
        }
        let wanted = name()
        let names = (0..<60).map { _ in name() }
        var model: [(distance: Int, name: String)] = []
        for other in Set(names) where other != wanted {
            let (one, two) = (plain(wanted), plain(other))
            let allowed = max(1, max(one.count, two.count) / 3)
            let distance = distance(one, two)
            if distance <= allowed, distance < max(one.count, two.count) {
                model.append((distance, other))
            }
        }
        model.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        let best = model.first?.distance ?? 0
        let expected = model.filter { $0.distance <= best + 1 }.prefix(5).map(\.name)
        #expect(similarNames(to: wanted, among: names) == expected)
    }

    private func plain(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { !"-_.".utf8.contains($0) }
    }

    /// Optimal string alignment as a textbook has it.
    private func distance(_ one: [UInt8], _ two: [UInt8]) -> Int {
        var table = Array(
            repeating: Array(repeating: 0, count: two.count + 1), count: one.count + 1)
        for i in 0...one.count {
            for j in 0...two.count {
                guard i > 0, j > 0 else {
                    table[i][j] = i + j
                    continue
                }
                table[i][j] = min(
                    table[i - 1][j] + 1, table[i][j - 1] + 1,
                    table[i - 1][j - 1] + (one[i - 1] == two[j - 1] ? 0 : 1))
                if i > 1, j > 1, one[i - 1] == two[j - 2], one[i - 2] == two[j - 1] {
                    table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
                }
            }
        }
        return table[one.count][two.count]
    }

    @Test func `lists alternatives as a sentence`() {
        #expect(alternatives([]) == "")
        #expect(alternatives(["a"]) == "`a`")
        #expect(alternatives(["a", "b", "c"]) == "`a`, `b` or `c`")
    }
}

/// SplitMix64, so that a seed gives the same names on every machine.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
