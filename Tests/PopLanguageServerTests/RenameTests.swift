import Foundation
import PopSource
import Testing

@testable import PopLanguageServer

/// The edits of a rename, in all files that it concerns.
struct RenameTests {
    private static let rules = "rules/rules.yaml"
    private static let tests = "rules/rules.test.yaml"

    private static let shop = """
        poprules: 1
        context:
          user.id: { type: string, default: ann }
          user.plan: { type: string, values: [free, pro], default: free }
        events:
          order.paid: { total: double, items: int }
          order.sent: { total: double }
        templates:
          sheet: { required: { title: string }, actions: [accept] }
        experiments:
          words: { by: user.id, variants: { short: 1, long: 1 } }
        x-often: &often { after: [welcome], when: { user.plan: free } }
        popups:
          welcome: { template: sheet, content: { title: Hi } }
          first:
            <<: *often
            trigger: { event: order.paid, where: event.total > 10.0 }
            template: sheet
            content: { title: "You paid {{event.total}}" }
            experiment: { of: words, variants: { short: { content: { title: Thanks } }, long: {} } }
          second:
            <<: *often
            after: &before [welcome]
            trigger: { event: order.sent, where: { event.total: { gt: 10.0 } } }
            when: event_sum("order.paid", "total", duration("7d")) > 3.0
            template: sheet
            content: { title: Hi }
          third:
            after: *before
            template: sheet
            content: { title: Hi }
            experiment: { by: user.id, variants: { short: { content: { title: Hey } }, other: {} } }

        """

    private static let story = """
        poprules_test: 1
        personas:
          ann: { variant: { first: short } }
          bob: { variant: { third: short } }
        tests:
          it shows:
            persona: ann
            history: { third: { shown: 1, variant: short } }
            steps:
              - send: { order.paid: { total: 20.0, items: 1 } }
                expect: { variant: { first: short } }

        """

    private func editor() throws -> Editor {
        let editor = try Editor([Self.rules: Self.shop, Self.tests: Self.story])
        try editor.open(Self.rules)
        try editor.open(Self.tests)
        return editor
    }

    /// Returns the texts of the documents after a rename, by name.
    private func renamed(
        _ needle: String, to name: String, in file: String = rules
    ) throws -> (rules: String, tests: String) {
        let editor = try editor()
        let place = try editor.place(file, needle, by: needle.utf8.count)
        let edit = try editor.request("textDocument/rename", place.with("newName", .string(name)))
        let texts = try editor.applied(edit)
        return (texts[Self.rules] ?? "", texts[Self.tests] ?? "")
    }

    private func refused(_ needle: String, to name: String, in file: String = rules) throws
        -> String
    {
        do {
            _ = try renamed(needle, to: name, in: file)
            return "not refused"
        } catch let refused as Editor.Refused {
            return refused.message
        }
    }

    @Test func `a popup is renamed once if several popups read it through an anchor or a merge`()
        throws
    {
        let new = try renamed("  welcome", to: "greeting")
        #expect(
            new.rules
                == Self.shop.replacing("[welcome]", with: "[greeting]")
                .replacing("  welcome:", with: "  greeting:"))
    }

    @Test func `a rename finds merged content at its source`() throws {
        let new = try renamed("&often { after: [welcome], when: { user.plan", to: "user.tier")
        #expect(new.rules == Self.shop.replacing("user.plan", with: "user.tier"))
    }

    @Test func `the field of an event is renamed in conditions, calls, strings and tests`() throws {
        let new = try renamed("order.paid: { total", to: "amount")
        let expected = Self.shop
            .replacing("paid: { total", with: "paid: { amount")
            .replacing("where: event.total", with: "where: event.amount")
            .replacing("{{event.total}}", with: "{{event.amount}}")
            .replacing(#""total""#, with: #""amount""#)
        #expect(new.rules == expected)
        #expect(new.tests == Self.story.replacing("{ total", with: "{ amount"))
        #expect(
            try renamed("{ event.total", to: "amount").rules
                == Self.shop.replacing("sent: { total", with: "sent: { amount")
                .replacing("{ event.total", with: "{ event.amount"))
        #expect(
            try refused("order.paid: { total", to: "items")
                == "`order.paid` already has a field `items`")
    }

    @Test func `a field in a string for several events is not renamed for one of them`() throws {
        let editor = try editor()
        editor.change(
            Self.rules,
            to: Self.shop.replacing(
                "trigger: { event: order.paid, where: event.total > 10.0 }",
                with: "trigger: [{ event: order.paid }, { event: order.sent }]"))
        let place = try editor.place(Self.rules, "order.paid: { total", by: 19)
        #expect(throws: Editor.Refused.self) {
            try editor.request("textDocument/rename", place.with("newName", "amount"))
        }
    }

    @Test func `a variant is renamed in its experiment and in tests`() throws {
        let new = try renamed("variants: { short", to: "brief")
        #expect(
            new.rules
                == Self.shop.replacing("{ short: 1", with: "{ brief: 1")
                .replacing(
                    "{ short: { content: { title: Thanks",
                    with: "{ brief: { content: { title: Thanks"))
        #expect(new.tests == Self.story.replacing("first: short", with: "first: brief"))
        let own = try renamed("shown: 1, variant: short", to: "brief", in: Self.tests)
        #expect(
            own.rules
                == Self.shop.replacing(
                    "{ short: { content: { title: Hey", with: "{ brief: { content: { title: Hey"))
        #expect(
            own.tests
                == Self.story.replacing("third: short", with: "third: brief")
                .replacing("variant: short", with: "variant: brief"))
        #expect(
            try refused("variants: { short", to: "long") == "there is already a variant `long`")
        #expect(
            try refused("variants: { short", to: "control").contains("cannot be called `control`"))
    }

    @Test func `no popup may get the name that means no popup in tests`() throws {
        #expect(
            try refused("  welcome", to: "none")
                == "a popup cannot be named `none`: in tests, `none` means that no popup shows")
    }
}
