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

    @Test(arguments: [
        ("hr.disconnected", "hr.connected"), ("hr.is_disconnected", "hr.connected"),
        ("app.offline", "app.online"), ("user.has_no_coach", "user.has_coach"),
        ("not_paying", "paying"), ("nonpaying", "paying"), ("unpaying", "paying"),
        ("workout.unfinished", "workout.finished"), ("notContains", "contains"),
        ("min_wait", "max_wait"), ("inactive", "active"),
    ])
    func `the opposite of a name is not similar to it`(name: String, opposite: String) {
        #expect(similarNames(to: name, among: [opposite]).isEmpty)
        #expect(similarNames(to: opposite, among: [name]).isEmpty)
    }

    @Test func `names that begin like a denial are names`() {
        #expect(similarNames(to: "notifications", among: ["notification"]) == ["notification"])
        #expect(similarNames(to: "unions", among: ["onions", "union"]) == ["onions", "union"])
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
