@testable import PopCEL
@testable import PopScheduler
@testable import PopSource
@testable import PopStories

extension FuzzTarget {
    /// Tests with a `for_each` table, written by decisions or, after an odd first byte, as the text
    /// of the file. There must be no more rows than a table may have, and they must be those that
    /// nested loops would make.
    static let tables = FuzzTarget(
        name: "tables",
        body: .direct { bytes in
            guard let choice = bytes.first else { return }
            guard choice & 1 == 0 else {
                let source = SourceFile(path: "a.test.yaml", bytes: Array(bytes.dropFirst()))
                let checked = linked(source)
                var sources = SourceSet()
                sources.add(path: source.path, bytes: source.bytes)
                try Findings.check(checked.diagnostics, in: sources)
                return try checkRows(of: checked)
            }
            var table = WrittenTable(SeededGenerator(bytes: bytes.dropFirst()))
            let columns = table.columns()
            let source = SourceFile(
                path: "a.test.yaml", bytes: Array(table.file(of: columns).utf8))
            let checked = linked(source)
            try checkRows(of: checked)
            try compare(checked, with: columns)
        })

    private static func linked(_ source: SourceFile) -> Checked<RunnableTests> {
        TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: shopRules) { _ in shopRules }
        }
    }

    /// No table has too many rows, its first and its last row have a value for each key, and no
    /// more of them are played than there is work for.
    private static func checkRows(of checked: Checked<RunnableTests>) throws {
        guard let tests = checked.value else { return }
        for test in tests.tests {
            let rows = test.combinations
            try require(rows.count <= Combinations.most, "\(rows.count) rows")
            let names = rows.first.map { $0.map(\.name) } ?? []
            try require(
                names == rows.last?.map(\.name) ?? [], "the rows have other keys at the end")
        }
        for test in tests.tests.prefix(2) {
            let budget = WorkBudget([.generatedRows: 5, .simulatedSteps: 500])
            let result = TestRunner.run(test, of: tests, within: budget)
            try require(result.plays.count <= 5, "\(result.plays.count) rows were played of 5")
            try require(
                test.combinations.count <= 5 || !result.passed,
                "passed with rows that were left out")
        }
    }

    /// Checks that the linked tests are the ones that the columns describe, row by row, or that
    /// they are refused.
    private static func compare(
        _ checked: Checked<RunnableTests>, with columns: [WrittenTable.Column]
    ) throws {
        var count = 1
        var isTooLarge = false
        for column in columns where !isTooLarge {
            count *= column.items.count
            isTooLarge = count > 100_000
        }
        let isRefused = checked.diagnostics.list.contains {
            $0.message.hasPrefix("the table has more than")
        }
        try require(isRefused == isTooLarge, "\(count) rows, refused: \(isRefused)")
        if isTooLarge {
            try require(checked.value?.tests.isEmpty != false, "a refused table can be run")
        }
        guard !isTooLarge, let test = checked.value?.tests.first else {
            return try require(
                checked.diagnostics.hasErrors, "nothing can be run, and nothing is said")
        }
        try require(test.combinations.count == count, "\(test.combinations.count) rows")
        var expected = [[String]]()
        // Small ones are written out.
        guard count <= 400 else { return }
        expected.append([])
        for column in columns {
            var longer: [[String]] = []
            for row in expected {
                for item in column.items { longer.append(row + ["\(column.key): \(item)"]) }
            }
            expected = longer
        }
        let found = test.combinations.map { $0.map(\.text) }
        try require(found == expected, "\(found.prefix(20)) instead of \(expected.prefix(20))")
    }
}

/// A table, written by decisions.
private struct WrittenTable {
    struct Column {
        var key: String
        var items: [String]
    }

    /// By key some values, and a form of many.
    private static let kinds: [(key: String, items: [String], numbered: String?)] = [
        ("persona", ["rich", "poor"], nil), ("user.plan", ["free", "pro"], nil),
        ("user.tags", ["[]", "[a]", "[a, b]", "['']"], "[t#]"),
        ("app.screen", ["home", "'off'", "\"\\u2028\""], "s#"),
        ("user.launches", ["0", "1", "9223372036854775807"], "#"),
    ]

    private var dice: SeededGenerator

    init(_ dice: SeededGenerator) { self.dice = dice }

    mutating func columns() -> [Column] {
        var kinds = Self.kinds
        return (0..<dice.roll(kinds.count + 1)).map { _ in
            let kind = kinds.remove(at: dice.roll(kinds.count))
            // Among three large columns, two have too many rows.
            if let form = kind.numbered, dice.isLucky(20) {
                let size = 300 + dice.roll(40)
                return Column(
                    key: kind.key, items: (0..<size).map { form.replacing("#", with: "\($0)") })
            }
            // The same value twice is a case twice, which is noticed and tried all the same.
            let items = (0..<1 + dice.roll(6)).map { _ in dice.pick(kind.items) }
            return Column(key: kind.key, items: items)
        }
    }

    mutating func file(of columns: [Column]) -> String {
        var text = """
            poprules_test: 1
            personas: { rich: { user.plan: pro }, poor: { user.plan: free } }
            tests:
              it shows:
                steps: [{ expect: { shown: { sale: 0 } } }]

            """
        if !columns.isEmpty { text += "    for_each:\n" }
        for column in columns {
            if dice.isLucky(50) {
                text += "      \(column.key): [\(column.items.joined(separator: ", "))]\n"
            } else {
                text += "      \(column.key):\n"
                for item in column.items { text += "        - \(item) # ]\n" }
            }
        }
        return text
    }
}
