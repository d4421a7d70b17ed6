import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopYAML
import Testing

/// The JSON Schema is compared with the findings of `validate`, by an independent validator of JSON
/// Schema.
@Suite struct `The JSON Schema` {
    private static let goldens = Repository.root.appending(path: "Tests/PopRuleFilesTests/Golden")
    private static let untold = "Tests/PopCommandTests/Editing/untold.txt"

    /// Checks of one value in a file. All others relate several values, read an expression, or are
    /// about YAML, which a schema can't check.
    private static let told: Set<Check> = [
        .schemaUnknownKey, .schemaMissingKey, .schemaType, .schemaEnum, .schemaRange,
        .schemaExclusiveKeys, .schemaVersion, .schemaIDFormat,
    ]

    /// Returns the golden rule files whose YAML can be read, with their findings.
    private static func cases() throws -> [SchemaCase] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: goldens.path).sorted()
        return try names.filter { $0.hasSuffix(".yaml") }.compactMap { name in
            var sources = SourceSet()
            // By the schema for all files it is the mapping of a log, and no mistake.
            if name == "section-of-a-mapping.yaml" { return nil }
            let path = goldens.appending(path: name)
            let source = sources.add(path: name, bytes: Array(try Data(contentsOf: path)))
            let findings = RuleSet.check(sources).diagnostics.list.filter { $0.level == .error }
            guard !findings.contains(where: { $0.check.group == "yaml" }),
                let root = YAMLDocument.parse(source).value?.root
            else { return nil }
            return SchemaCase(name: name, root: root, findings: findings)
        }
    }

    /// The golden files with the validator's verdicts; computed once.
    private static let judged = Result {
        let cases = try Self.cases()
        let verdicts = try Validator.verdicts(
            on: cases.map(\.json), by: "poprules schema", in: Repository.root)
        return Array(zip(cases, verdicts))
    }

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `refuses exactly the golden files with an error that a schema can express`()
        throws
    {
        let judged = try Self.judged.get()
        #expect(judged.count > 60)
        for (one, verdict) in judged {
            let expected = one.findings.contains { Self.told.contains($0.check) }
            #expect(!verdict.errors.isEmpty == expected, "\(one.name): \(verdict.errors)")
        }
    }

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `points at each finding that a schema can express`() throws {
        var missed: [String] = []
        for (one, verdict) in try Self.judged.get() {
            for finding in one.findings where Self.told.contains(finding.check) {
                let place = one.path(of: finding)
                let isTold = verdict.errors.contains {
                    $0.isAbout(place) || one.isValue(at: $0.path, of: finding)
                }
                if isTold { continue }
                missed.append("\(finding.check.name): \(finding.message)")
            }
        }
        let text = missed.sorted().map { $0 + "\n" }.joined()
        if Golden.isBeingUpdated { try Golden.write(text, to: Self.untold) }
        #expect(text == (try Repository.text(Self.untold)))
    }

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `reports nothing that validate does not report`() throws {
        for (one, verdict) in try Self.judged.get() {
            for error in verdict.errors {
                #expect(
                    one.findings.contains { one.stands($0, near: error.path) },
                    "\(one.name): \(error)")
            }
        }
    }

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `refuses the changed files with an error that a schema can express`()
        throws
    {
        let path = Self.goldens.appending(path: "good-the-documented-example.yaml")
        let good = try SchemaCase(
            name: "good", text: String(contentsOf: path, encoding: .utf8)
        ).json
        var mutations = MutatedRules(seed: 5)
        let cases = try (0..<600).map { number in
            try SchemaCase(checking: mutations.next(good), name: "mutation \(number)")
        }
        let verdicts = try Validator.verdicts(
            on: cases.map(\.json), by: "poprules schema", in: Repository.root)
        for (one, verdict) in zip(cases, verdicts) {
            let expected = one.findings.contains { Self.told.contains($0.check) }
            #expect(
                !verdict.errors.isEmpty == expected,
                "\(one.json.compact)\n\(one.findings.map(\.message)) \(verdict.errors)")
        }
        let refused = verdicts.count { !$0.errors.isEmpty }
        #expect((150..<550).contains(refused), "\(refused)")
    }

    @Test(
        .enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"),
        arguments: ["poprules schema", "poprules schema --for rules"])
    func `accepts the rules of the shopping app and their tests`(command: String) throws {
        let folder = Repository.root.appending(path: "rules")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let cases = try names.filter { $0.hasSuffix(".yaml") }.map { name in
            try SchemaCase(name: name, text: Repository.text("rules/\(name)"))
        }
        let verdicts = try Validator.verdicts(
            on: cases.map(\.json), by: command, in: Repository.root)
        for (one, verdict) in zip(cases, verdicts) {
            #expect(verdict.errors.isEmpty, "\(one.name): \(verdict.errors)")
        }
    }

    /// Mistakes that only a schema with the project's names can tell.
    private static let lines = [
        ("after: [welcom]", false), ("after: [consent]", true),
        ("scheduler: tost", false), ("template: shet", false),
        ("trigger: { event: checkout.complete }", false),
        ("trigger: { changed: cart.items }", true), ("trigger: { changed: cart.item }", false),
        ("rollout: { percent: 5, by: user.di }", false),
        ("when: { user.plan: pro, user.launches: { gte: 3 } }", true),
        ("when: { user.plna: pro }", false), ("when: { user.plan: gold }", false),
        ("when: { any: [{ user.launches: many }, true] }", false),
        ("when: { newcomer: true }", true),
        ("examples: { match: [{ user.plan: pro }] }", true),
        ("examples: { match: [{ user.plan: gold }] }", false),
        ("examples: { no_match: [{ user.plna: pro }] }", false),
    ]

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `contains the names of its project`() throws {
        let cases = try Self.lines.map { line, _ in
            try SchemaCase(name: line, text: "poprules: 1\npopups:\n  a:\n    \(line)\n")
        }
        let verdicts = try Validator.verdicts(
            on: cases.map(\.json), by: "poprules schema --for rules", in: Repository.root)
        for ((line, isRight), verdict) in zip(Self.lines, verdicts) {
            #expect(verdict.errors.isEmpty == isRight, "\(line): \(verdict.errors)")
        }
    }

    private static let files = [
        ("poprules_test: 1\ntests: { a: { steps: [{ after: 3s, close: welcome }] } }", true),
        ("poprules_test: 2\ntests: {}", false), ("poprules_test: 1", false),
        ("poprules_test: 1\ntests: { a: { steps: [{ afer: 3s }] } }", false),
        (
            "poprules_test: 1\ntests: { a: { steps: [{ expect: { reasons: { a: SEEN } } }] } }",
            false
        ),
        ("poprules_config: 1\nchecks: { P0301: off }", true),
        ("poprules_config: 1\nchecks: { P0301: quiet }", false),
        ("poprules: 1\npopups: { a: { grace_time: 1s } }", true),
        ("poprules_mapping: 1\nevents: { a.b: A, c: { names: [C], fields: { d: e } } }", true),
        ("poprules_mapping: 1\ncontext: { id: user, plan: { column: plan } }", true),
        ("poprules_mapping: 1\npreset: sement", false),
        ("poprules_mapping: 1\nreplies: { sheet: { close: 120 } }", false),
    ]

    @Test(.enabled(if: `The machine-readable output`.hasJSONSchema, "python3 has no `jsonschema`"))
    func `distinguishes the kinds of files by their first key`() throws {
        let cases = try Self.files.map { try SchemaCase(name: $0.0, text: $0.0) }
        let verdicts = try Validator.verdicts(
            on: cases.map(\.json), by: "poprules schema", in: Repository.root)
        for ((text, isRight), verdict) in zip(Self.files, verdicts) {
            #expect(verdict.errors.isEmpty == isRight, "\(text): \(verdict.errors)")
        }
    }
}
