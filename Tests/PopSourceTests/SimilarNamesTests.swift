import PopSource
import Testing

@Suite struct `Similar names` {
    @Test func `two letters swapped are similar`() {
        #expect(
            similarNames(to: "user.plna", among: ["user.plan", "user.name", "net.online"]) == [
                "user.plan"
            ])
    }

    @Test func `case and separators count for nothing`() {
        #expect(similarNames(to: "minShow", among: ["min_show", "max_wait"]) == ["min_show"])
    }

    @Test func `nothing is offered for a name that is like none`() {
        #expect(similarNames(to: "colour", among: ["when", "trigger"]).isEmpty)
    }

    @Test func `at most five are offered, the nearest first`() {
        let names = (0..<9).map { "popup\($0)" }
        #expect(similarNames(to: "popupX", among: names) == Array(names.prefix(5)))
    }

    @Test func `a list of alternatives reads as a sentence`() {
        #expect(alternatives([]) == "")
        #expect(alternatives(["a"]) == "`a`")
        #expect(alternatives(["a", "b", "c"]) == "`a`, `b` or `c`")
    }
}
