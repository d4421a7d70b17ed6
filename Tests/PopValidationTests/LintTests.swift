import Foundation
import PopCEL
import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopValidation
import Testing

/// The examples in the documentation of the lints.
struct LintTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/PopValidation/Linting/Lints")

    /// The documentation of each lint, line by line, by the name of its type.
    static let documentation: [String: [Substring]] = {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var found: [String: [Substring]] = [:]
        for file in files ?? [] {
            var lines: [Substring] = []
            let source = try? String(contentsOf: file, encoding: .utf8)
            for line in (source ?? "").split(separator: "\n") {
                if let lint = line.wholeMatch(of: /public enum (\w+): Lint \{/) {
                    found[String(lint.1)] = lines
                }
                if line.hasPrefix("///") { lines.append(line) } else { lines = [] }
            }
        }
        return found
    }()

    struct Example: Sendable, CustomTestStringConvertible {
        let lint: any Lint.Type
        let isBad: Bool
        let text: String
        var testDescription: String { "\(lint), \(isBad ? "bad" : "good")" }
    }

    /// The fenced blocks of each lint's documentation: under "Bad:" and under "Good:".
    static let examples: [Example] = Lints.all.flatMap { lint in
        var examples: [Example] = []
        var isBad = true
        var lines: [String]?
        for line in documentation["\(lint)"] ?? [] {
            let text = String(line.dropFirst(4))
            switch (text, lines) {
            case ("Bad:", _): isBad = true
            case ("Good:", _): isBad = false
            case ("```yaml", _): lines = []
            case ("```", let whole?):
                examples.append(
                    Example(lint: lint, isBad: isBad, text: whole.joined(separator: "\n")))
                lines = nil
            case (_, _?): lines?.append(text)
            case (_, nil): break
            }
        }
        return examples
    }

    @Test func `every lint has a bad and a good example`() {
        for lint in Lints.all {
            let own = Self.examples.filter { $0.lint == lint }
            #expect(own.contains(where: \.isBad) && own.contains { !$0.isBad }, "\(lint)")
        }
    }

    @Test(arguments: examples)
    func `a bad example gives a finding, and a good example gives none`(_ example: Example) throws {
        let found = try findings(
            example.text.split(separator: "# in another file:\n").map { "poprules: 1\n\($0)\n" })
        #expect(found.contains { $0.check == example.lint.check } == example.isBad)
    }

    @Test(arguments: [
        (
            "A1", Check.hygieneSmallPriorities,
            "popups: { a: { priority: 1 }, b: { priority: 2 }, c: { priority: 10 } }"
        ),
        (
            "A101", .scheduleStaleEvent,
            """
            events: { price.changed: { price: string } }
            popups:
              a:
                trigger: { event: price.changed }
                content: { text: "Now {{event.price}}" }
                cap: { every: 1d }
            """
        ),
        (
            "A103", .scheduleUncountedActions,
            """
            templates: { rating: { actions: [rate, later] } }
            popups: { a: { template: rating, cap: { after_close: 60d } } }
            """
        ),
        (
            "A110", .scheduleOwnTrigger,
            "popups: { a: { trigger: [start, { popup: a, action: close }] } }"
        ),
        (
            "A110", .scheduleAwaitForever,
            "popups: { a: { trigger: { popup: a, action: close } } }"
        ),
        (
            "A111", .scheduleOnceADayAtStart,
            "popups: { a: { trigger: start, cap: { windows: [{ max: 1, per: calendar_day }] } } }"
        ),
    ])
    func `what an author overlooked is reported (A1, A101, A103, A110, A111)`(
        number: String, check: Check, text: String
    ) throws {
        let found = try findings(["poprules: 1\n\(text)\n"])
        #expect(found.contains { $0.check == check }, "\(number): \(found.map(\.message))")
    }

    @Test func `without a date no findings about dates are reported`() throws {
        let found = try findings(
            ["poprules: 1\npopups: { a: { schedule: { until: 2020-01-01 } } }\n"], now: nil)
        #expect(!found.contains { $0.check == .timeExpired })
    }

    @Test func `every check of a lint is reported only by that lint`() {
        #expect(Set(Lints.all.map { $0.check }).count == Lints.all.count)
    }

    @Test(arguments: [
        "advice", "campaigns", "caps-and-goals-without-effect", "caps-by-value",
        "caps-without-effect", "limits-of-limits", "nobody-at-all", "rollout-ranges",
        "campaigns-apart", "empty-placeholder", "goals", "limits",
        "priorities-in-order", "quiet-over-midnight", "small-priorities", "tiny-rollouts",
        "triggered-by-actions",
    ])
    func `the advice on a file matches the committed output`(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
        let text = try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
        var sources = SourceSet()
        sources.add(path: "\(name).yaml", bytes: Array(text.utf8))
        var renderer = TextRenderer(sources: sources)
        let output = renderer.render(Diagnostics(try findings([text])))
        let golden = folder.appending(path: "\(name).out")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try output.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(output == (try? String(contentsOf: golden, encoding: .utf8)))
    }

    private func findings(
        _ texts: [String], now: Timestamp? = Timestamp(parsing: "2026-11-20T09:00:00Z")
    ) throws -> [Diagnostic] {
        var sources = SourceSet()
        for (index, text) in texts.enumerated() {
            sources.add(path: "rules\(index).yaml", bytes: Array(text.utf8))
        }
        let model = try RuleModel.check(sources).get()
        let rules = try RuleSet.compile(model).get()
        return Lints.findings(in: LintSubject(model, rules: rules, now: now)).sorted
    }
}
