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
}
