import PopSource
import Testing

@testable import PopLanguageServer

/// Findings in a mapping file among rule files, and in the names that it mentions.
struct MappingTests {
    private static let path = "rules/shop.mapping.yaml"
    private static let mapping = """
        poprules_mapping: 1
        events:
          order.paid: { names: Order Completed, fields: { total: revenue } }
        context:
          user.plan: { field: plan, events: [Plan Changed] }
        given: { user.launches: 3 }
        replies:
          sheet: { act: { accept: 20 } }
          welcome: { ignore: 100 }

        """
    private static let files = Shop.files.merging([path: mapping]) { $1 }

    @Test func `mistakes are reported immediately, and names unknown to the rules a little later`()
        throws
    {
        let editor = try Editor(Self.files)
        try editor.open(Self.path)
        editor.settle()
        #expect(editor.codes(Self.path).isEmpty)
        editor.change(Self.path, to: Self.mapping.replacing("given:", with: "givn:"))
        #expect(editor.codes(Self.path) == ["P0101"])
        editor.change(Self.path, to: Self.mapping.replacing("order.paid:", with: "order.payd:"))
        #expect(editor.codes(Self.path).isEmpty)
        editor.settle()
        #expect(editor.codes(Self.path) == ["P0205"])
        editor.change(Self.path, to: Self.mapping)
        editor.settle()
        #expect(editor.codes(Self.path).isEmpty)
    }

    @Test func `a change of the rules updates the findings of the mapping`() throws {
        let editor = try Editor(Self.files)
        try editor.open("rules/app.yaml")
        editor.change("rules/app.yaml", to: Shop.app.replacing("accept", with: "agree"))
        editor.settle()
        #expect(editor.codes(Self.path) == ["P0214"])
        editor.change(
            "rules/app.yaml", to: Shop.app.replacing("order.paid: {", with: "order.paid: ["))
        editor.settle()
        #expect(editor.codes(Self.path).isEmpty, "nothing is known of events that cannot be read")
    }

    @Test func `a mapping without an open folder is checked against the rules next to it`()
        throws
    {
        let editor = try Editor(Self.files, folders: [])
        try editor.open(Self.path, Self.mapping.replacing("sheet", with: "shet"))
        editor.settle()
        #expect(editor.codes(Self.path) == ["P0202"])
        let other = try Editor(["a.mapping.yaml": "dynamic: strict\n"], folders: [])
        try other.open("a.mapping.yaml")
        other.settle()
        #expect(other.findings["a.mapping.yaml"] == nil, "it is about something else")
    }

    @Test(arguments: [
        ("preset", "that exported the log"), ("field:", "a place in the payload of the events"),
        ("order.paid", "**order.paid** event"), ("user.plan", "what is paid for"),
        ("total", "**total** event field"), ("sheet", "**sheet** template"),
        ("welcome", "Greets a new user"),
    ])
    func `the hover on keys and names shows their meaning`(needle: String, told: String) throws {
        let editor = try Editor(Self.files)
        try editor.open(Self.path, Self.mapping + "preset: segment\n")
        let answer = try editor.request("textDocument/hover", editor.place(Self.path, needle))
        #expect(answer["contents"]?["value"]?.text?.contains(told) == true, "\(answer)")
    }

    @Test(arguments: [
        ("rules/app.yaml", "order.paid", "order.bought"), ("rules/app.yaml", "total", "amount"),
        ("rules/app.yaml", "user.plan", "user.tier"), ("rules/app.yaml", "sheet", "card"),
        ("rules/popups.yaml", "welcome", "greeting"),
    ])
    func `a rename of a name of the rules also changes the mapping`(
        file: String, old: String, new: String
    ) throws {
        let editor = try Editor(Self.files)
        for name in Self.files.keys { try editor.open(name) }
        let place = try editor.place(file, old).with("newName", .string(new))
        let texts = try editor.applied(editor.request("textDocument/rename", place))
        #expect(texts[Self.path] == Self.mapping.replacing(old, with: new))
    }
}
