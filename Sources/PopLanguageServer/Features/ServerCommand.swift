internal import PopAnalysis
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories

/// The commands of lenses. Each answers with a string to show and a title.
enum ServerCommand: String, CaseIterable, Sendable {
    case explain = "poprules.explain"
    case simulate = "poprules.simulate"
    case tests = "poprules.tests"
    case audience = "poprules.audience"
    case run = "poprules.runTest"
    case debug = "poprules.debugTest"

    static func run(
        _ server: inout LanguageServer, parameters: JSON
    ) throws(ResponseError) -> JSON {
        let name = parameters["command"]?.text ?? ""
        guard let command = ServerCommand(rawValue: name) else {
            throw ResponseError(.invalidParams, "there is no command `\(name)`")
        }
        let arguments = parameters["arguments"]?.items ?? []
        guard arguments.count >= 2, let subject = arguments[1].text else {
            throw ResponseError(.invalidParams, "`\(name)` needs a document and a name")
        }
        let place = JSON.object(["textDocument": .object(["uri": arguments[0]])])
        var site = try RequestContext(server, place)
        server.desk = ServerState(limits: server.limits)
        defer { swap(&server.desk, &site.desk) }
        let text = try command.text(about: subject, &site)
        return .object(["title": .string("\(command.word) \(subject)"), "text": .string(text)])
    }

    private var word: String {
        switch self {
        case .explain: "explain"
        case .simulate: "simulate"
        case .tests: "tests of"
        case .audience: "audience"
        case .run, .debug: "test"
        }
    }

    private func text(about name: String, _ site: inout RequestContext) throws(ResponseError)
        -> String
    {
        switch self {
        case .explain:
            let rules = try Self.rules(&site)
            let question = ExplainQuery(rules: rules, start: site.desk.now, budget: site.budget)
            let reports = PopupReport.all([name], question: question, in: question.played())
            guard let report = reports.first else { throw Self.unknown("popup", named: name) }
            var places = SourcePlaces(Self.sources(site))
            return report.text(&places, style: .plain)
        case .audience:
            let rules = try Self.rules(&site)
            guard let index = rules.popups.firstIndex(where: { $0.id == name }) else {
                throw Self.unknown("popup", named: name)
            }
            let text = Audience(of: PopupIndex(index), in: rules, limits: site.analysisLimits).text
            return site.budget.isUsedUp
                ? text + "  some users could not be determined, because this takes too much work\n"
                : text
        case .simulate, .tests:
            let wanted = Self.tests(of: name, &site)
            guard !wanted.isEmpty else { return "no test mentions `\(name)`\n" }
            if self == .tests {
                return wanted.map { "\($0.path): \($0.name)\n" }.joined()
            }
            var text = ""
            for (path, test) in wanted { text += try Self.played(test, in: path, site: &site) }
            return text
        case .run:
            let results = try Self.results(name, in: site.path, site: &site)
            let failures = Diagnostics(results.flatMap(\.failures))
            if let project = site.project { site.desk.tell(failures, ofProject: project) }
            var renderer = TextRenderer(sources: Self.sources(site), style: .plain)
            return results.map { result in
                "\(result.passed ? "ok  " : "FAIL") \(result.name.value)\n"
                    + (result.passed ? "" : renderer.render(Diagnostics(result.failures)))
            }.joined()
        case .debug: return try Self.played(name, in: site.path, site: &site)
        }
    }

    private static func unknown(_ kind: String, named name: String) -> ResponseError {
        ResponseError(.requestFailed, "there is no \(kind) `\(name)`")
    }

    private static func sources(_ site: RequestContext) -> SourceSet {
        site.project.map { site.desk.projects[$0].sources } ?? SourceSet()
    }

    private static func rules(_ site: inout RequestContext) throws(ResponseError) -> RuleSet {
        guard let rules = site.rules else {
            throw ResponseError(.requestFailed, "the rules have errors: fix the errors first")
        }
        return rules
    }

    /// The tests that mention a popup.
    private static func tests(
        of popup: String, _ site: inout RequestContext
    ) -> [(path: String, name: String)] {
        let names = site.names
        var found: [(path: String, name: String)] = []
        for file in site.files where TestFile.isTestFile(file.path) {
            var test: String?
            for mention in site.outline(of: file).mentions(names) {
                if mention.kind == "test" {
                    test = mention.name
                } else if mention.kind == "popup", mention.name == popup, let name = test {
                    found.append((file.path, name))
                    test = nil
                }
            }
        }
        return found
    }

    private static func runnable(
        _ path: String, site: inout RequestContext
    ) throws(ResponseError) -> RunnableTests {
        guard let project = site.project,
            let tests = site.desk.projects[project].tests(at: path)
        else {
            throw ResponseError(.requestFailed, "the test file or its rules have errors")
        }
        return tests
    }

    private static func results(
        _ name: String, in path: String, site: inout RequestContext
    ) throws(ResponseError) -> [TestResult] {
        let tests = try runnable(path, site: &site)
        let wanted = tests.tests.filter { $0.name.value == name }
        guard !wanted.isEmpty else { throw unknown("test", named: name) }
        return wanted.map { TestRunner.run($0, of: tests, within: site.budget) }
    }

    /// Returns a test step by step, as a timeline.
    private static func played(
        _ name: String, in path: String, site: inout RequestContext
    ) throws(ResponseError) -> String {
        let tests = try runnable(path, site: &site)
        let lanes = tests.rules.schedulers.map(\.name)
        var text = ""
        for test in tests.tests where test.name.value == name {
            for play in TestRunner.run(test, of: tests, isDrawn: true, within: site.budget).plays {
                text += Timeline.draw(Story(of: play, test: test, lanes: lanes)) + "\n"
            }
        }
        return text
    }
}
