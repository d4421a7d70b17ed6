import Foundation
import PopEngine
import PopRuleFiles
import PopStories
import Testing

/// `poprules generate swift`. `DeclaredRules.swift` is its output for the rules of
/// `Fixtures/swift`, and is compiled with these tests; the guide has another one.
@Suite struct `Generated Swift code` {
    private func code(_ text: String) throws -> String {
        let place = try TemporaryFolder()
        defer { place.remove() }
        try place.write(text, to: "rules.yaml")
        let (_, output) = try Program.shell("poprules generate swift rules.yaml", in: place.url)
        return output
    }

    @Test(arguments: [
        ("Tests/PopCommandTests/Fixtures/swift", "Tests/PopCommandTests/Generating"),
        // The guide to the engine has this one.
        ("rules", "Tests/PopEngineTests/Guide"),
    ])
    func `is unchanged since it was last compiled`(rules: String, folder: String) throws {
        let command = "poprules generate swift \(rules)"
        let (status, output) = try Program.shell(command, in: Repository.root)
        #expect(status == 0)
        try Golden.compare(output, with: "\(folder)/DeclaredRules.swift")
    }

    @Test func `declares keys, events and popups as the rules do`() throws {
        #expect(TypedKey<UserPlanValue>.userPlan.name == "user.plan")
        #expect(UserPlanValue.allCases.map(\.rawValue) == ["free", "pro"])
        #expect(TypedKey<Bool>.`is`.name == "is")
        #expect(RuleEvents.OrderPaid.name == "order.paid")
        let paid = RuleEvents.OrderPaid(total: 8, items: ["a"])
        #expect(paid.payload == ["total": .double(8), "items": .list([.string("a")])])
        #expect(RuleEvents._Value(_payload: 3).payload == ["payload": .int(3)])
        #expect(RuleEvents._RuleEvent().payload == [:])
        #expect(PopupName._self.rawValue == "self")
        #expect(SheetAction.`repeat`.rawValue == "repeat")
    }

    @MainActor
    @Test func `works with an engine`() async throws {
        let rules = try RuleSet.load("\(Repository.root.path)/Tests/PopCommandTests/Fixtures/swift")
            .get()
        let engine = PopupEngine(rules: rules, presenter: Nobody())
        engine.context[.userPlan] = .pro
        engine.context[.appVersion] = "2.1"
        #expect(engine.context["user.plan"] == Value.string("pro"))
        engine.start()
        let paid = RuleEvents.OrderPaid(total: 8, at: Timestamp(seconds: 0), items: [])
        #expect(engine.send(paid).isTaken)
        #expect(engine.enqueue(._allCases).isTaken)
        let remarks = engine.updateContent(of: ._self, ["text": "later"]).remarks
        #expect(remarks == [.notOnScreen("self")])
        #expect(engine.explain(.`default`)?.popup == "default")
        await engine.stop()
    }

    @Test func `decodes content`() throws {
        let content: Value = .map([
            .string("title"): .string("Hello"), .string("kind"): .string("a \"b\" \\ c"),
            .string("show_until"): .string("2026-11-20T09:00:00Z"),
            .string("coding_keys"): .int(3), .string("string"): .string("int"),
        ])
        let sheet = try content.decode(as: SheetContent.self)
        #expect(sheet.title == "Hello")
        #expect(sheet.kind == .aBC)
        #expect(sheet.showUntil == Date(timeIntervalSince1970: 1_795_165_200))
        #expect(sheet.codingKeys == 3)
        #expect(sheet.string == .int)
        #expect(sheet.rows == nil)
    }

    @Test(arguments: [
        (
            "popups: { a_b: {}, aB: {} }",
            "`a_b` and `aB` (values of `PopupName`) would both become `aB`"
        ),
        (
            "events: { order.paid: {}, order_paid: {} }",
            "`order.paid` and `order_paid` (events) would both become `OrderPaid`"
        ),
        (
            "context: { a: { type: string, values: [x-y, x y] } }",
            "`x-y` and `x y` (values of `AValue`) would both become `xY`"
        ),
    ])
    func `refuses names that would be equal in Swift`(rules: String, problem: String) throws {
        let popups = rules.hasPrefix("popups") ? "" : "popups: { p: {} }\n"
        let said = try code("poprules: 1\n\(popups)\(rules)\n")
        #expect(said.contains("poprules: \(problem) in Swift: rename one of them"), "\(said)")
    }

    @Test func `for empty rules names the scheduler and imports nothing`() throws {
        #expect(
            try code("poprules: 1\npopups: {}\n") == """
                // Made by `poprules generate swift` from the rules: do not edit.
                // swift-format-ignore-file

                /// The schedulers of the rules.
                public enum SchedulerName: String, CaseIterable, Sendable {
                    case main
                }

                """)
    }

    @Test func `has actions only if there are popups`() throws {
        let said = try code(
            "poprules: 1\npopups: {}\ntemplates: { sheet: { actions: [accept] } }\n")
        #expect(said.contains("struct SheetContent: Decodable"))
        #expect(!said.contains("PopupName"))
    }

    @Test func `has one name per popup for very many popups`() throws {
        let popups = (0..<5_000).map { "  popup_\($0): { trigger: manual }\n" }.joined()
        let said = try code("poprules: 1\npopups:\n\(popups)")
        #expect(said.split(separator: "\n").count { $0.hasPrefix("    case popup") } == 5_000)
    }
}

/// Shows nothing.
@MainActor
private final class Nobody: Presenter {
    func present(_ popup: Popup) async throws {}
    func dismiss(_ popup: Popup) async {}
}
