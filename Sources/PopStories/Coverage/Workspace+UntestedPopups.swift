internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource

extension Workspace {
    /// Returns the findings about the tests of each rule set as a whole: popups that no test is
    /// about, and test names that occur twice. Linear in the tests.
    func findings(aboutTests linked: [Checked<RunnableTests>]) -> Diagnostics {
        var diagnostics = Diagnostics()
        for (index, rules) in ruleSets.enumerated() {
            let own = tests.indices.filter { tests[$0].rules == index }
            let cases = own.flatMap { tests[$0].checked.value?.tests?.value ?? [] }
            diagnostics.report(contentsOf: Self.repeated(cases))
            if cases.isEmpty { continue }
            let runnable = own.compactMap { linked[$0].value }
            let named = Set(runnable.flatMap { tests in tests.tests.flatMap { $0.popups(tests) } })
            // If tests have mistakes, it's unknown which popups they are about.
            guard runnable.map(\.tests.count).reduce(0, +) == cases.count,
                !own.contains(where: { linked[$0].diagnostics.hasErrors })
            else { continue }
            for popup in rules.model?.popups.entries ?? [] where !named.contains(popup.name.value) {
                diagnostics.report(.untested(popup.name))
            }
        }
        return diagnostics
    }

    private static func repeated(_ cases: [TestCase]) -> Diagnostics {
        var first: [String: SourceRange] = [:]
        var diagnostics = Diagnostics()
        for test in cases {
            if let range = first[test.name.value], range.file != test.name.range.file {
                diagnostics.report(.nameAgain(test.name, first: range))
            } else {
                first[test.name.value] = test.name.range
            }
        }
        return diagnostics
    }
}

extension RunnableTest {
    /// Returns the popups that the test has expectations for: all popups if it keeps the whole log.
    fileprivate func popups(_ tests: RunnableTests) -> [String] {
        if snapshot != nil { return tests.rules.popups.map { $0.id } }
        let expected = steps.flatMap { $0.expectations.flatMap { $0.kind.popups } }
        return expected + eligible.map { tests.rules.popups[$0.popup].id }
            + (always + never).flatMap { $0.words }
    }
}

extension StateCondition {
    /// The words of the expression; the ids of the popups that it is about are among them.
    fileprivate var words: [String] {
        program.expression.description.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            .map(String.init)
    }
}

extension RunnableExpectation.Kind {
    /// The popups that the expectation is about.
    var popups: [String] {
        switch self {
        case .showing(_, let popup): popup.map { [$0] } ?? []
        case .waiting(_, let popups): popups
        case .reason(let popup, _), .dismissed(let popup, _), .ended(let popup, _),
            .dropped(let popup, _), .shown(let popup, _), .content(let popup, _, _),
            .variant(let popup, _), .exposed(let popup, _), .converted(let popup, _):
            [popup]
        }
    }
}

extension Diagnostic {
    fileprivate static func untested(_ popup: Located<String>) -> Self {
        Diagnostic(
            .testNone, message: "no test checks the popup `\(popup.value)`", at: popup.range,
            label: "not named in any `expect` or `eligible`",
            help: ["write a test for when it must show, and one for when it must not"])
    }

    fileprivate static func nameAgain(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .testDuplicateName, message: "another test is also named `\(name.value)`",
            at: name.range,
            label: "also the name of another test",
            secondary: [Label("first test with this name", at: first)],
            help: ["use names that say how the tests differ"])
    }
}
