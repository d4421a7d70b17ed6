internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
package import PopScheduler
package import PopSource
package import PopStories
internal import PopWire

/// Everything that a page shows, as one JSON value: what views need is collected here, and nothing
/// is found out while they are drawn.
package struct Page: Sendable {
    /// What the page is called.
    package let title: String
    /// What its views read.
    package let json: JSON
    /// The rules, byte by byte as the engine takes them.
    package let bundle: String

    /// Of the rules and tests of a workspace.
    ///
    /// `earlier` are the rules that the changes start from, with what they are called; `looks` are
    /// the looks of templates, by name.
    package init(
        of workspace: Workspace, rules: RuleSet, title: String,
        earlier: (rules: RuleSet, name: String)? = nil, looks: [TemplateLook] = []
    ) {
        self.title = title
        bundle = rules.bundleJSON.compact
        var places = SourcePlaces(workspace.sources)
        let stories = PageStories(of: workspace, rules: rules)
        let audiences = Audience.all(of: Array(rules.popups.places), in: rules)
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
            "keys": Self.keys(of: rules, model: workspace.main?.model),
            "stories": stories.json, "personas": .array(stories.people.map { $0.json }),
            "collisions": Self.collisions(of: rules),
            "changes": earlier.map { Self.changes(from: $0.rules, named: $0.name, to: rules) },
            "coverage": coverage.json(&places),
            "words": PageWords.json,
            "looks": looks.isEmpty ? nil : .array(looks.map { $0.json }),
        ])
    }

    /// With what becomes of the popups, and where they meet, in words, and what an engine is told
    /// to let it happen.
    private static func collisions(of rules: RuleSet) -> JSON {
        let collisions = Collisions(rules)
        let json = collisions.json(in: rules)
        let found = zip(collisions.found, json["collisions"]?.items ?? []).map { collision, json in
            JSON.object([
                "words": .string(collision.text(in: rules)), "where": .string(collision.cause.text),
                "is": json,
                "script": collision.story.flatMap {
                    RunnableTest.script(ofFile: $0.testFile, in: rules)
                },
            ])
        }
        return .object([
            "found": .array(found), "pairs": json["pairs"], "untried": json["untried"],
        ])
    }

    private static func changes(
        from earlier: RuleSet, named name: String, to rules: RuleSet
    ) -> JSON {
        guard case .object(let members) = RuleChanges(from: earlier, to: rules).json else {
            return .null
        }
        return .object(
            [
                JSON.Member(key: "against", value: .string(name)),
                JSON.Member(key: "bundle", value: earlier.bundleJSON),
                JSON.Member(key: "gone", value: .array(gone(from: earlier, to: rules))),
            ] + members)
    }

    /// For whom the popups were that are there no more.
    private static func gone(from earlier: RuleSet, to rules: RuleSet) -> [JSON] {
        let ids = Set(rules.popups.map(\.id))
        let places = earlier.popups.places.filter { !ids.contains(earlier.popups[$0].id) }
        return Audience.all(of: places, in: earlier).map { $0.pageJSON }
    }
}

extension Audience {
    /// With the values of somebody who may see it, to begin playing with.
    fileprivate var pageJSON: JSON {
        guard case .object(let members) = json, let inside else { return json }
        let values = inside.values.compactMap { key, value in
            value.map { JSON.Member(key: key, value: WireForm<Value>.value.write($0)) }
        }
        let person = JSON.object(values.sorted { $0.key < $1.key })
        return .object(members + [JSON.Member(key: "set", value: person)])
    }
}
