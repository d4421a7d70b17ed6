import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

struct ContextFileTests {
    private let rules = RuleSet.check(
        SourceSet(
            text: """
                poprules: 1
                context:
                  user.plan: { type: string, values: [free, pro] }
                  user.launches: { type: int, min: 0, max: 100 }
                """)
    ).value

    private func parse(_ text: String) -> Checked<[String: Value]> {
        var sources = SourceSet()
        let file = sources.add(path: "context.yaml", bytes: Array(text.utf8))
        return ContextFile.parse(file, keys: rules?.keys ?? [])
    }

    @Test func `values are read in the types of their keys`() throws {
        let values = try parse("{ user.plan: pro, user.launches: 3 }").get()
        #expect(values == ["user.plan": "pro", "user.launches": 3])
    }

    @Test(arguments: ["user.plan: gold", "user.launches: 101", "user.launches: -1"])
    func `a value that the key does not allow is refused`(_ text: String) {
        #expect(parse(text).diagnostics.hasErrors)
    }
}

extension SourceSet {
    fileprivate init(text: String) {
        self.init()
        add(path: "rules.yaml", bytes: Array(text.utf8))
    }
}
