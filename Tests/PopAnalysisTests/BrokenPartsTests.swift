import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// An error in one part doesn't hide findings about the others.
@Suite struct BrokenPartsTests {
    private static let head = """
        context:
          user.plan: { type: string, values: [free, pro], default: free }
          user.age: { type: int, min: 0, default: 0 }

        """
    /// One popup that never shows, one that another popup blocks, and two that tie.
    private static let whole = """
          never: { when: user.age < 5, dismiss_when: user.age < 9 }
          first: { priority: high }
          shadowed: { priority: low, when: popups.first.shown_count == 0 }
          one: { priority: 7 }
          other: { priority: 7, max_wait: 30s }

        """
    private static let all: Set<Check> = [.logicNeverTrue, .scheduleShadowed, .scheduleTie]

    @Test(arguments: [
        "  broken: { wehn: 'true' }", "  broken: { when: 'user.plam == \"pro\"' }",
        "  broken: { after: [nobody] }", "  broken: { priority: highest }",
        "  broken: { group: none_such }", "  broken: { after: [broken] }",
    ])
    func `a broken popup hides no finding about other popups`(_ popup: String) throws {
        let look = try Look(Self.head + "popups:\n" + Self.whole + popup + "\n")
        #expect(look.hasErrors)
        #expect(look.checks == Self.all)
        #expect(!look.subjects.contains("popup `broken`"))
    }

    @Test(arguments: [
        "conditions: { broken: 'user.plam == \"pro\"' }\n",
        "groups: { broken: { when: 'user.plam == \"pro\"' } }\n",
        "groups: { broken: { whem: 'true' } }\n",
    ])
    func `a broken condition or group hides no finding about popups`(_ part: String) throws {
        let look = try Look(Self.head + part + "popups:\n" + Self.whole)
        #expect(look.hasErrors)
        #expect(look.checks == Self.all)
    }

    @Test(arguments: [
        // Popups that read a broken condition, or the history of a broken popup.
        """
        conditions: { broken: 'user.plam == "pro"', reads: '!broken' }
        popups:
          first: { priority: high }
          one: { when: 'broken && !broken', priority: 7 }
          other: { when: reads, priority: 7, max_wait: 30s }
          hidden: { priority: low, when: 'popups.first.shown_count == 0 && broken' }
        """,
        """
        groups: { broken: { when: 'user.plam == "pro"' } }
        popups:
          one: { group: broken, priority: 7 }
          other: { group: broken, priority: 7, max_wait: 30s }
          same: { group: broken, when: user.age > 3 }
          again: { group: broken, when: '!(user.age <= 3)' }
        """,
        """
        popups:
          broken: { prority: 3 }
          one: { when: 'popups.broken.shown_count < 1 && popups.broken.shown_count > 2' }
        """,
        // An error elsewhere may be about anything.
        """
        schedulers: { main: { strategi: fifo } }
        popups:
          one: { priority: 7 }
          other: { priority: 7, max_wait: 30s }
        """,
        // Conditions in a circle have no meaning.
        """
        conditions: { one: two, two: one }
        popups: { a: { when: 'one && user.age > 3 && user.age < 2' } }
        """,
    ])
    func `findings that may depend on a broken part are not claimed`(_ text: String) throws {
        let look = try Look(Self.head + text + "\n")
        #expect(look.hasErrors)
        #expect(look.found.map(\.message) == [])
    }

    @Test func `a broken popup is not counted in findings about other popups`() throws {
        let look = try Look(
            Self.head + "popups:\n" + Self.whole + "  third: { priority: 7, wehn: 'true' }\n")
        let tie = look.found.first { $0.check == .scheduleTie }
        #expect(tie?.message.hasPrefix("`one` shows before `other`") == true)
    }

    /// The findings in a file, which may have any errors.
    private struct Look {
        let hasErrors: Bool
        let found: [Diagnostic]

        var checks: Set<Check> { Set(found.map(\.check)) }
        var subjects: Set<String?> { Set(found.map(\.subject)) }

        init(_ text: String) throws {
            var sources = SourceSet()
            sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
            let model = RuleModel.check(sources)
            let checked = model.then { RuleSet.compile($0) }
            hasErrors = checked.diagnostics.hasErrors
            guard let broken = BrokenParts(checked.diagnostics, of: try #require(checked.value))
            else {
                found = []
                return
            }
            let rules = try #require(checked.value)
            var all = Meaning.findings(in: rules, known: checked.diagnostics, without: broken)
            all.report(
                contentsOf: PairChecks.findings(
                    in: try #require(model.value), rules: rules, without: broken))
            found = all.sorted
        }
    }
}
