import PopSource
import Testing

@testable import PopLanguageServer

/// Completions at the place of a `§`, also in files that aren't valid YAML yet.
struct CompletionTests {
    private static let popup = "poprules: 1\npopups:\n  a:\n    "
    private static let test = "poprules_test: 1\npersonas:\n  p1: {}\ntests:\n  x:\n    "

    /// A string with a `§`, the completions that must be offered, and those that must not.
    private static let cases: [(text: String, offered: [String], not: [String])] = [
        ("§", ["poprules", "popups", "context"], ["when"]),
        ("poprules: 1\n§", ["popups"], ["poprules"]),
        (popup + "§", ["when", "priority", "trigger"], ["popups"]),
        (popup + "pri§\n    when: true\n", ["priority"], ["when"]),
        (popup + "when: true\n    §\n  b: {}\n", ["priority"], ["when"]),
        (popup + "priority: §", ["high", "very_low"], ["when"]),
        (popup + "enabled: §", ["true", "false"], []),
        (popup + "when: §", ["user.plan", "settled", "has", "event_count"], ["welcome"]),
        (popup + "when: user.§", ["user.plan"], ["app.screen"]),
        (popup + "when: user.plan == §", ["\"free\"", "\"pro\""], []),
        (popup + "when: user.plan == \"§", ["free", "pro"], ["user.plan"]),
        (popup + "when: user.plan in [\"free\", \"§", ["pro"], []),
        (popup + "when: 'user.plan != \"§\"'", ["pro"], []),
        (popup + "when: event_count(\"§", ["order.paid"], ["welcome"]),
        (popup + "when: acted(\"§", ["welcome"], ["order.paid"]),
        (popup + "when: popups.§", ["popups.welcome"], ["user.plan"]),
        (popup + "when: popups.welcome.§", ["popups.welcome.last_shown"], ["popups.rating"]),
        (popup + "when: user.plan.§", ["user.plan.startsWith"], []),
        (popup + "when: >-\n      settled &&\n      user.§", ["user.launches"], []),
        (popup + "when: { §", ["user.plan", "all", "settled"], ["when"]),
        (popup + "when: { user.plan: §", ["free", "pro"], ["\"free\""]),
        (popup + "when: { user.plan: { §", ["eq", "not_in"], []),
        (popup + "when:\n      all:\n        - user.plan: §", ["pro"], []),
        (popup + "when:\n      all:\n        - §", ["settled", "user.plan"], ["priority"]),
        (popup + "trigger: §", ["start", "manual"], []),
        (popup + "trigger: { §", ["event", "changed"], ["when"]),
        (popup + "trigger: { event: §", ["order.paid"], []),
        (popup + "trigger: { event: order.paid, where: event.§", ["event.total"], []),
        (
            popup + "trigger:\n      - event: order.paid\n        where: event.§", ["event.total"],
            []
        ),
        (popup + "after: [§", ["welcome", "rating"], ["order.paid", "a"]),
        (popup + "after:\n    - §", ["welcome"], []),
        (popup + "after: §", ["welcome"], []),
        (popup + "schedule: { zone: §", ["local", "Europe/Berlin"], []),
        (popup + "cap: { §", ["lifetime", "every"], ["priority"]),
        (popup + "hide_after: §", ["30s"], []),
        (popup + "scheduler: §", ["main", "toast"], []),
        (popup + "template: sheet\n    content: { §", ["title", "body"], []),
        (popup + "template: sheet\n    content:\n      title: x\n      §", ["body"], ["title"]),
        (popup + "# §", [], ["when"]),
        (popup + "when: true # §", [], ["priority"]),
        (popup + "description: it's §", [], ["when"]),
        (popup + "when: { user.plan: pro }\n  b:\n    §", ["when"], []),
        ("poprules: 1\ncontext:\n  k: { type: §", ["string", "int"], []),
        ("poprules: 1\ncontext:\n  k: { type: string, values: [x, y], default: §", ["x", "y"], []),
        ("poprules: 1\ncontext:\n  k:\n    type: bool\n    default: §", ["true", "false"], []),
        (
            "poprules: 1\ncontext:\n  k:\n    type: string\n    default: §\n"
                + "    values:\n      - p\n      - q\n",
            ["p", "q"], []
        ),
        ("poprules: 1\ndefaults:\n  §", ["priority", "cap", "group"], ["description", "popups"]),
        ("poprules: 1\ndefaults: { priority: §", ["high"], []),
        ("poprules: 1\ngroups:\n  g:\n    defaults:\n      §", ["priority", "when"], ["group"]),
        (popup + "content: { title: \"Hello {{§", ["user.id", "user.plan"], ["settled", "has"]),
        (popup + "content: { title: \"Hello {{user.§}}\" }", ["user.id"], ["settled"]),
        (popup + "content:\n      title: Hello {{ user.§", ["user.id"], []),
        (popup + "content:\n      title: >-\n        Hello {{§", ["user.id"], []),
        (popup + "content:\n      title: Hello {{user.id}} §", [], ["user.id"]),
        (
            popup + "trigger: { event: order.paid }\n    content: { title: \"{{§",
            ["event.total", "user.id"], []
        ),
        (popup + "trigger: { event: order.paid, where: { §", ["event.total", "user.plan"], []),
        (
            popup + "trigger:\n      event: order.paid\n      where:\n        §",
            ["event.total"], []
        ),
        (popup + "trigger: { event: order.paid, where: { \"event.§", ["event.total"], []),
        (popup + "\"pri§", ["priority"], []),
        (popup + "when: { \"user.pl§", ["user.plan"], []),
        (popup + "cap: { 'life§", ["lifetime"], []),
        (popup + "rollout: §", ["percent", "by", "steps"], ["when"]),
        (popup + "rollout: { percent: §", ["0", "100"], []),
        (popup + "cap: { lifetime: §", ["1"], []),
        (popup + "schedule: §", ["from", "days"], ["when: "]),
        (popup + "schedule: { days: §", ["mon-fri"], []),
        (popup + "goals: §", ["name", "event"], []),
        (popup + "template: sheet\n    content: §", ["title", "body"], []),
        (popup + "rollout: \"§", [], ["percent"]),
        ("poprules: 1\n  §", ["popups", "context"], ["poprules", "1"]),
        (popup + "priority: high\n      §", ["when", "trigger"], ["priority", "high"]),
        (popup + "when: true\n      §", ["trigger", "settled"], ["when"]),
        (popup + "when: true\n      trigger: §", ["start"], ["when"]),
        (popup + "when: true\n      cap:\n        §", ["lifetime"], ["when"]),
        (popup + "when: settled &&\n      §", ["user.plan", "settled"], ["trigger"]),
        (popup + "cap: { lifetime: 1 }\n      §", ["when"], ["cap", "lifetime"]),
        (popup + "cap:\n      lifetime: 1\n        §", ["every"], ["lifetime", "when"]),
        ("poprules: §", ["1"], []),
        ("poprules: 1\npopups:\n\ta:\n\t\t§", ["when", "priority"], ["popups"]),
        ("poprules: 1\npopups:\n  a:\n\t\tcap:\n\t\t\t§", ["lifetime"], ["when"]),
        ("poprules: 1\npopups:\n  a:\n\t\twhen: true\n\t\t§", ["cap"], ["when"]),
    ]

    private static let testCases: [(text: String, offered: [String], not: [String])] = [
        (test + "§", ["persona", "steps"], []),
        (test + "persona: §", ["p1"], []),
        (test + "steps:\n      - §", ["send", "expect", "after"], []),
        (test + "steps:\n      - after: 1s\n        §", ["send"], ["after"]),
        (test + "steps:\n      - expect: { showing: { §", ["main", "toast"], []),
        (test + "steps:\n      - expect: { showing: { main: §", ["welcome", "none"], []),
        (test + "steps:\n      - expect: { reasons: { welcome: §", ["CONDITION_FALSE"], []),
        (test + "steps:\n      - act: { welcome: §", ["accept", "close"], []),
        (test + "steps:\n      - send: §", ["order.paid"], []),
        (test + "steps:\n      - send: { order.paid: §", ["total"], []),
        (test + "context: { user.plan: §", ["pro"], []),
        (test + "history: { §", ["welcome", "order.paid"], []),
        (
            test + "always: ['§", ["showing.main", "waiting.toast", "shown", "user.plan"],
            ["settled", "popups"]
        ),
        (test + "never:\n      - showing.§", ["showing.main", "showing.toast"], ["user.plan"]),
        (test + "never:\n      - shown.§", ["shown.welcome", "shown.rating"], ["user.plan"]),
        (test + "always: ['showing.main == \"§", ["welcome", "none"], ["user.plan"]),
        (test + "eligible: { welcome: '§", ["showing.main", "user.plan"], []),
        (test + "steps:\n      - send: { order.paid: { §", ["total"], []),
        (test + "steps:\n      - expect: { \"show§", ["showing"], []),
    ]

    private static let mapping = "poprules_mapping: 1\n"
    private static let mappingCases: [(text: String, offered: [String], not: [String])] = [
        ("§", ["poprules_mapping", "preset", "replies"], ["popups"]),
        (mapping + "preset: §", ["segment", "ga4"], []),
        (mapping + "columns: { §", ["user", "insert_id"], ["preset"]),
        (mapping + "time: { form: §", ["seconds"], []),
        (mapping + "events:\n  §", ["order.paid"], ["welcome", "user.plan"]),
        (mapping + "events: { order.paid: { §", ["names", "fields"], ["total"]),
        (mapping + "events:\n  order.paid:\n    fields:\n      §", ["total"], ["names"]),
        (mapping + "events: { order.paid: { fields: §", ["total"], []),
        (mapping + "context:\n  §", ["user.plan", "app.screen"], ["settled"]),
        (mapping + "context: { user.plan: { §", ["field", "column", "events"], ["pro"]),
        (mapping + "context: { user.id: §", ["user"], []),
        (mapping + "given: { user.plan: §", ["free", "pro"], ["field"]),
        (mapping + "replies:\n  §", ["welcome", "rating", "sheet", "others"], ["order.paid"]),
        (mapping + "replies: { sheet: { §", ["close", "act", "after"], ["sheet"]),
        (mapping + "replies: { sheet: { act: { §", ["accept", "later"], ["close"]),
        (mapping + "replies: { rating: { act: { §", ["accept", "later"], ["close"]),
    ]

    @Test func `valid completions are offered at each place of a mapping`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.mapping.yaml", "")
        for (text, offered, not) in Self.mappingCases {
            try hold(editor.completions("rules/new.mapping.yaml", text), offered, not, text)
        }
    }

    @Test func `valid completions are offered at each place of a rule file`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.yaml", "")
        for (text, offered, not) in Self.cases {
            try hold(editor.completions("rules/new.yaml", text), offered, not, text)
        }
    }

    @Test func `a client without snippet support gets plain text`() throws {
        let editor = try Editor(Shop.files, capabilities: .object([]))
        try editor.open("rules/new.yaml", "")
        let texts = try editor.insertions("rules/new.yaml", Self.popup + "§")
        #expect(texts["cap"] == "cap: ")
        #expect(try editor.insertions("rules/new.yaml", "§")["context"] == "context:")
        #expect(texts["tags"] == "tags: ")
        let inside = try editor.insertions("rules/new.yaml", Self.popup + "when: §")
        #expect(inside["event_count"] == "event_count(")
        for opening in ["when:\n      - §", "when:\n      all:\n        - §", "when:\n      §"] {
            let inList = try editor.insertions("rules/new.yaml", Self.popup + opening)
            #expect(inList["settled"] == "settled")
            #expect(inList["user.plan"] == "user.plan: ")
        }
        for map in ["when: { §", "when:\n      user.plan: pro\n      §"] {
            let inMap = try editor.insertions("rules/new.yaml", Self.popup + map)
            #expect(inMap["settled"] == "settled: ")
        }
        let rollout = try editor.insertions("rules/new.yaml", Self.popup + "rollout: §")
        #expect(rollout["percent"] == "{ percent: ")
        let after = try editor.insertions("rules/new.yaml", Self.popup + "after: §")
        #expect(after["welcome"] == "[welcome]")
        let goals = try editor.insertions("rules/new.yaml", Self.popup + "goals: §")
        #expect(goals["event"] == "[{ event: ")
        let quoted = Self.popup + "when: user.plan == \"f§"
        #expect(try editor.insertions("rules/new.yaml", quoted)["free"] == "free\"")
        #expect(try editor.insertions("rules/new.yaml", quoted + "\"")["free"] == "free")
    }

    @Test func `a completion replaces the whole word, with an existing colon`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.yaml", "")
        func written(_ text: String, choosing label: String) throws -> String? {
            try editor.applied("rules/new.yaml", Self.popup + text, choosing: label)
                .map { String($0.dropFirst(Self.popup.count)) }
        }
        #expect(try written("aft§er: [welcome]", choosing: "after") == "after: [welcome]")
        #expect(
            try written("when: user.l§aunches < 3", choosing: "user.launches")
                == "when: user.launches < 3")
        #expect(try written("after: [wel§come]", choosing: "welcome") == "after: [welcome]")
        #expect(try written("trigger:§", choosing: "start") == "trigger: start")
        #expect(
            try written("when: { user.§: free }", choosing: "user.plan")
                == "when: { user.plan: free }")
        #expect(
            try written("rollout: §", choosing: "percent") == "rollout: { percent:  }")
        #expect(
            try written("template: sheet\n    content:§", choosing: "title")
                == "template: sheet\n    content: { title:  }")
        #expect(
            try written("when: { §", choosing: "all") == "when: { all: []")
        #expect(
            try written("when:\n      §", choosing: "any")
                == "when:\n      any:\n        - ")
        #expect(try written("\"pri§", choosing: "priority") == "\"priority\": ")
        #expect(try written("\"pri§\": high", choosing: "priority") == "\"priority\": high")
        #expect(
            try written("when: { 'user.§': free }", choosing: "user.plan")
                == "when: { 'user.plan': free }")
        #expect(
            try written("content: { title: \"{{us§\" }", choosing: "user.id")
                == "content: { title: \"{{user.id}}\" }")
        #expect(
            try written("content: { title: \"{{us§}}\" }", choosing: "user.id")
                == "content: { title: \"{{user.id}}\" }")
    }

    @Test func `the key that declares the kind of a file comes first in an empty file`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.yaml", "")
        #expect(try editor.sorted("rules/new.yaml", "§").first == "poprules")
        let rollout = try editor.sorted("rules/new.yaml", Self.popup + "rollout: §")
        #expect(rollout.prefix(2) == ["by", "percent"], "what a rollout needs")
    }

    @Test func `valid completions are offered at each place of a test file`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.test.yaml", "")
        for (text, offered, not) in Self.testCases {
            try hold(editor.completions("rules/new.test.yaml", text), offered, not, text)
        }
    }

    @Test func `names of a rule file are offered while another line is broken`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        let broken = Shop.popups + "  broken: [\n  other:\n    when: settled && user.§"
        #expect(try editor.completions("rules/popups.yaml", broken).contains("user.plan"))
    }

    @Test func `completion crashes at no place`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        let text = Array(Shop.popups.utf8)
        for end in stride(from: 0, to: text.count, by: 3) {
            let cut = String(decoding: text[..<end], as: UTF8.self)
            _ = try editor.completions("rules/popups.yaml", cut + "§")
            for method in ["hover", "definition", "signatureHelp", "documentHighlight"] {
                let place = editor.place("rules/popups.yaml", at: cut.utf8.count)
                _ = try editor.request("textDocument/\(method)", place)
            }
        }
    }

    private func hold(
        _ found: [String], _ offered: [String], _ not: [String], _ text: String
    ) throws {
        for name in offered {
            #expect(
                found.contains(name), "`\(name)` at \(text.debugDescription): \(found.prefix(9))")
        }
        for name in not {
            #expect(!found.contains(name), "no `\(name)` at \(text.debugDescription)")
        }
        #expect(Set(found).count == found.count, "nothing is offered twice: \(text)")
    }
}
