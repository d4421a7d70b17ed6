internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopRuleFiles
package import PopScheduler
package import PopSource
package import PopStories
internal import PopWire

/// All data of a page, as one JSON value: it is collected here for all views, and nothing is
/// computed while they are drawn.
package struct Page: Sendable {
    /// The title of the page.
    package let title: String
    /// The data of its views.
    package let json: JSON
    /// The rules, byte by byte as the engine takes them.
    package let bundle: String
    /// The parts that are left out because the page would be too large, one line each.
    package let leftOut: [String]

    /// Creates the page for the rules and tests of a workspace.
    ///
    /// `earlier` are the rules that the changes start from, with what they are called; `looks` are
    /// the looks of templates, by name.
    package init(
        of workspace: Workspace, rules: RuleSet, title: String,
        earlier: (rules: RuleSet, name: String)? = nil, looks: [TemplateLook] = [],
        limits: PageLimits = .standard
    ) throws(PageError) {
        guard rules.popups.count <= limits.popups else {
            throw PageError(
                description: "a page can show at most \(limits.popups) popups, but there are"
                    + " \(rules.popups.count): give fewer files")
        }
        self.title = title
        let written = rules.bundleJSON
        bundle = written.compact
        var places = SourcePlaces(workspace.sources)
        let analysis = limits.analysis
        let stories = PageStories(
            of: workspace, rules: rules, bundle: written, limits: limits, within: analysis.budget)
        var leftOut = stories.leftOut
        let audiences = Audience.all(of: Array(rules.popups.places), in: rules, limits: analysis)
        let keys = Self.keys(of: rules, model: workspace.main?.model, limits: analysis)
        let collisions = Self.collisions(of: rules, bundle: written, limits: analysis)
        let changes = earlier.map {
            Self.changes(from: $0.rules, named: $0.name, to: rules, limits: analysis)
        }
        if !analysis.budget.isAllDecided {
            leftOut.add("which users may see some popups, because finding them takes too much work")
        }
        self.leftOut = leftOut.words
        let coverage = CoverageReport(stories.coverage, of: [rules])
        json = .object([
            "page": .int(1), "version": .string(Product.version), "title": .string(title),
            "popups": RuleList(rules).json(&places, isResolved: true)["popups"],
            "audiences": .array(audiences.map { $0.pageJSON }),
            "shared": .array(
                rules.sharedWords.map { part, keys in
                    .object([
                        "part": .string(part),
                        "keys": .array(
                            keys.map { .object(["key": .string($0), "text": .string($1)]) }),
                    ])
                }),
            "keys": keys,
            "stories": stories.json, "personas": .array(stories.people.map { $0.json }),
            "collisions": collisions, "changes": changes,
            "coverage": coverage.json(&places),
            "words": PageText.json,
            "leftOut": leftOut.words.isEmpty
                ? nil : .array(leftOut.words.map { .string($0) }),
            "looks": looks.isEmpty ? nil : .array(looks.map { $0.json }),
        ])
    }

    /// Returns the results of the popups and their conflicts, in words, with the inputs with which
    /// an engine reproduces them.
    private static func collisions(
        of rules: RuleSet, bundle: JSON, limits: AnalysisLimits
    ) -> JSON {
        let collisions = Collisions(rules, limits: limits)
        var patching = Patching(of: rules, bundle: bundle, atMost: 0)
        let json = collisions.json(in: rules)
        let found = zip(collisions.found, json["collisions"]?.items ?? []).map { collision, json in
            JSON.object([
                "words": .string(collision.text(in: rules)), "where": .string(collision.cause.text),
                "is": json,
                "script": collision.story.flatMap {
                    RunnableTest.script(ofFile: $0.testFile, &patching)
                },
            ])
        }
        return .object([
            "found": .array(found), "pairs": json["pairs"], "untried": json["untried"],
        ])
    }

    private static func changes(
        from earlier: RuleSet, named name: String, to rules: RuleSet, limits: AnalysisLimits
    ) -> JSON {
        let changes = RuleChanges(from: earlier, to: rules, limits: limits)
        guard case .object(let members) = changes.json else { return .null }
        return .object(
            [
                JSON.Member(key: "against", value: .string(name)),
                JSON.Member(key: "bundle", value: earlier.bundleJSON),
                JSON.Member(
                    key: "gone", value: .array(gone(from: earlier, to: rules, limits: limits))),
            ] + members)
    }

    /// Returns the audiences of popups that were removed.
    private static func gone(
        from earlier: RuleSet, to rules: RuleSet, limits: AnalysisLimits
    ) -> [JSON] {
        let ids = Set(rules.popups.map(\.id))
        let places = earlier.popups.places.filter { !ids.contains(earlier.popups[$0].id) }
        return Audience.all(of: places, in: earlier, limits: limits).map { $0.pageJSON }
    }
}

extension Audience {
    /// The JSON with the values of a user who may see it, as a start for playing.
    fileprivate var pageJSON: JSON {
        guard case .object(let members) = json, let inside else { return json }
        let values = inside.values.compactMap { key, value in
            value.map { JSON.Member(key: key, value: WireForm<Value>.value.write($0)) }
        }
        let person = JSON.object(values.sorted { $0.key < $1.key })
        return .object(members + [JSON.Member(key: "set", value: person)])
    }
}

extension Page {
    /// Returns data on context keys that the bundle lacks: their descriptions, and the values at
    /// which conditions change their result.
    static func keys(of rules: RuleSet, model: RuleModel?, limits: AnalysisLimits) -> JSON {
        let asked = AskedValues(rules, limits: limits).byKey
        var meanings: [String: String] = [:]
        for key in model?.context.entries ?? [] {
            meanings[key.name.value] = key.description?.value
        }
        return .array(
            rules.keys.map { key in
                .object([
                    "name": .string(key.name),
                    "description": meanings[key.name].map { .string($0) },
                    "asked": .array(
                        (asked[key.name] ?? []).map { WireForm<Value>.value.write($0) }),
                ])
            })
    }
}

/// Every bound on a page, so that it can be written and opened. The page names its omissions.
package struct PageLimits: Sendable {
    /// The maximum number of popups in the rules; no page is written for more.
    package var popups = 5_000
    /// The maximum number of plays of tests that are drawn.
    package var plays = 2_000
    /// The maximum number of bytes of all plays together.
    package var playBytes = 32 << 20
    /// The maximum number of popups, over all rules, that are compared for users who are assigned
    /// to a variant or a rollout in plays.
    package var comparedPopups = 500_000
    /// The maximum number of personas of tests, and of personas of audiences.
    package var people = 2_000
    /// The work of finding out what rules mean.
    package var work = AnalysisLimits.amountsOfCommand.merging([
        .judgedPopups: 800_000, .logicSteps: 20_000_000,
    ]) { $1 }

    /// The standard limits, to change one by one.
    package init() {}

    /// The limits of pages unless other limits are given.
    package static let standard = PageLimits()

    /// The limits of analyses, with one budget for a whole page.
    var analysis: AnalysisLimits {
        var limits = AnalysisLimits.standard
        limits.logic.budget = WorkBudget(work)
        return limits
    }
}

/// The reason why a page isn't written.
package struct PageError: Error, CustomStringConvertible {
    package let description: String
}

/// The parts that a page leaves out because it would be too large, in words for its readers.
struct LeftOut: Sendable {
    private(set) var words: [String] = []

    /// Adds a line where something is left out.
    mutating func add(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { words.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }

    mutating func add(_ text: String) { words.append(text) }
}
