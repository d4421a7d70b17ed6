import PopReports
import PopSource
import PopTestSupport
import Testing

@Suite struct `A unified diff` {
    private func diff(_ old: String, _ new: String) -> String {
        UnifiedDiff(path: "a.yaml", old: Array(old.utf8), new: Array(new.utf8)).text()
    }

    @Test func `of equal texts is empty`() {
        #expect(diff("a\nb\n", "a\nb\n") == "")
        #expect(diff("", "") == "")
    }

    @Test func `shows three lines around a change, and separates distant changes`() {
        let old = (1...12).map { "\($0)\n" }.joined()
        let new = old.replacing("2\n", with: "two\n", maxReplacements: 1) + "13\n"
        #expect(
            diff(old, new) == """
                --- a/a.yaml
                +++ b/a.yaml
                @@ -1,5 +1,5 @@
                 1
                -2
                +two
                 3
                 4
                 5
                @@ -10,3 +10,4 @@
                 10
                 11
                 12
                +13

                """)
    }

    @Test func `marks a last line without a line break`() {
        #expect(
            diff("a\nb", "a\nc\n") == """
                --- a/a.yaml
                +++ b/a.yaml
                @@ -1,2 +1,2 @@
                 a
                -b
                \\ No newline at end of file
                +c

                """)
    }

    @Test func `keeps the line breaks of Windows`() {
        let text = diff("a\r\nb\r\n", "a\r\nc\r\n").unicodeScalars.split(separator: "\n")
        #expect(text.suffix(3).map { String($0) } == [" a\r", "-b\r", "+c\r"])
    }

    @Test func `escapes control characters of a terminal`() {
        #expect(diff("\u{1B}[31m\n", "x\n").contains("-\\u{1b}[31m\n"))
    }

    /// 131 kB of blank lines took more than 20 s.
    @Test func `is found quickly in long texts without a unique line`() {
        let blank = String(repeating: "\n", count: 65_536)
        let text = diff("a\n  b: {}\n" + blank + "c\n", "a\nb: {}\n\nc\n")
        let lines = text.split(separator: "\n").dropFirst(2)
        #expect(lines.count { $0.hasPrefix("-") } == 65_536)
        #expect(lines.count { $0.hasPrefix("+") } == 1)
    }

    @Test(arguments: 0..<120) func `changes the old text into the new text`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let kinds = Int.random(in: 1...2_000, using: &generator)
        func line() -> String {
            let number = Int.random(in: 0..<kinds, using: &generator)
            return number % 3 == 0 ? "\n" : "\(number)\n"
        }
        let old = (0..<Int.random(in: 0...900, using: &generator)).map { _ in line() }
        var new = old
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
            let place = Int.random(in: 0...new.count, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: new.insert(line(), at: place)
            case 1 where place < new.count: new.remove(at: place)
            default: if place < new.count { new[place] = line() }
            }
        }
        #expect(applied(diff(old.joined(), new.joined()), to: old) == new)
    }

    /// The lines that a diff makes of others.
    private func applied(_ diff: String, to old: [String]) -> [String] {
        var result: [String] = []
        var place = 0
        for row in diff.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2) {
            let text = row.dropFirst() + "\n"
            if row.hasPrefix("@@ -") {
                let numbers = row.dropFirst(4).split(whereSeparator: { ", +".contains($0) })
                let start = Int(numbers[0]) ?? 0
                let first = numbers[1] == "0" ? start : start - 1
                result += old[place..<first]
                place = first
            } else if row.hasPrefix("-") {
                place += 1
            } else if row.hasPrefix("+") {
                result.append(String(text))
            } else if row.hasPrefix(" ") {
                result.append(String(text))
                place += 1
            }
        }
        return result + old[place...]
    }

    @Test func `counts from zero for an empty text`() {
        #expect(diff("", "a\n").contains("@@ -0,0 +1,1 @@"))
    }
}
