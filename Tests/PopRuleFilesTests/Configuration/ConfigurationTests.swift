import PopRuleFiles
import PopSource
import Testing

@Suite struct `The configuration` {
    private let file = SourceFile(path: "rules/legacy/a.yaml", text: "a: 1")

    /// The levels that a finding of some checks gets in `rules/legacy/a.yaml`.
    private func level(_ check: Check, _ text: String) throws -> Level? {
        let source = SourceFile(path: "poprules.yaml", text: "poprules_config: 1\n" + text)
        let levels = CheckLevels(try Configuration.parse(source).get())
        let finding = Diagnostic(check, message: "found", at: file.range)
        return levels.apply(to: Diagnostics([finding])) { _ in file.path }.list.first?.level
    }

    @Test func `sets the level of a check by its id or its name`() throws {
        #expect(try level(.timeNoZone, "checks: { P0603: error }") == .error)
        #expect(try level(.timeNoZone, "checks: { time/no-zone: info }") == .info)
        #expect(try level(.timeNoZone, "checks: { P0603: off }") == nil)
        #expect(try level(.timeNoZone, "checks: { P0301: off }") == .warning)
    }

    @Test func `prefers a check to its group, in any order`() throws {
        #expect(try level(.timeNoZone, "checks: { P0603: error, time: off }") == .error)
        #expect(try level(.timeExpired, "checks: { P0603: error, time: off }") == nil)
    }

    @Test func `uses the last override whose pattern matches`() throws {
        let overrides = """
            checks: { P0603: error }
            overrides:
              - { paths: ["rules/**"], checks: { P0603: info } }
              - { paths: [rules/legacy], checks: { P0603: off } }
              - { paths: ["other/*"], checks: { P0603: error } }
            """
        #expect(try level(.timeNoZone, overrides) == nil)
    }

    /// Each of them with a part of the help on it.
    @Test(arguments: [
        ("ignore: [P0510, hygiene]", "such as `checks: { P0510: off, hygiene: off }`"),
        ("disable: P0510", "such as `checks: { P0510: off, hygiene: off }`"),
        (
            "checks: [P0510, hygiene]",
            "if these checks must be off: `checks: { P0510: off, hygiene: off }`"
        ),
        ("fail_level: warning", "`poprules validate --fail-level warning`"),
        ("strict: true", "remove `strict`, and use an option of the command"),
        ("coverage: { threshold: 80 }", "`poprules test rules --threshold 80`"),
        ("tests: [tests]", "name files and folders with tests in the command"),
    ])
    func `gets help on words of other tools`(text: String, help: String) throws {
        let source = SourceFile(path: "poprules.yaml", text: "poprules_config: 1\n" + text)
        let found = Configuration.parse(source).diagnostics.list
        #expect(found.count == 1)
        #expect(found.flatMap(\.help).contains { $0.contains(help) }, "\(found)")
    }
}
