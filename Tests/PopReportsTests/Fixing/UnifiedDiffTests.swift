import PopReports
import PopSource
import Testing

@Suite struct `A unified diff` {
    private func diff(_ old: String, _ new: String) -> String {
        UnifiedDiff(path: "a.yaml", old: Array(old.utf8), new: Array(new.utf8)).text()
    }

    @Test func `of equal texts is empty`() {
        #expect(diff("a\nb\n", "a\nb\n") == "")
        #expect(diff("", "") == "")
    }

    @Test func `shows three lines round a change, and far changes apart`() {
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

    @Test func `shows what a terminal would obey`() {
        #expect(diff("\u{1B}[31m\n", "x\n").contains("-\\u{1b}[31m\n"))
    }

    @Test func `counts from zero where there is nothing`() {
        #expect(diff("", "a\n").contains("@@ -0,0 +1,1 @@"))
    }
}
