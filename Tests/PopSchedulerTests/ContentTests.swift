import PopCEL
import Testing

@testable import PopScheduler

@Suite struct `The content of a popup` {
    private func stage(
        _ content: Value, on event: String? = nil, change: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("user.name", .string)
        rules.key("user.locale", .string)
        rules.key("user.total", .double, default: 49)
        rules.event("paid", [("total", .double)])
        rules.popup("a", on: event) {
            $0.template = "card"
            $0.content = content
        }
        rules.localize("card", fields: ["title"], key: 1, fallback: "en")
        change(&rules)
        return Stage(rules)
    }

    private func said(_ stage: Stage) -> Value? {
        for effect in stage.effects.reversed() {
            if case .present(let presentation) = effect { return presentation.resolvedContent }
        }
        return nil
    }

    private func said(_ content: Value, locale: String?, name: Value? = nil) -> Value? {
        let stage = stage(content)
        var context: [String: Value] = [:]
        context["user.locale"] = locale.map { .string($0) }
        context["user.name"] = name
        stage(.update(context))
        stage(.started)
        return said(stage)
    }

    @Test(
        arguments: [
            ("zh-Hant-TW", "TW"), ("zh_hant_tw", "TW"), ("zh-Hant-HK", "Hant"), ("ZH", "zh"),
            ("zh-Hans-CN", "zh"), ("de-CH", "de"), ("de_DE.UTF-8", "de"), ("de-x-formal", "de"),
            ("fr", "en"), ("", "en"), (nil, "en"),
        ] as [(String?, Value)])
    func `is in the user's language, subtag by subtag`(locale: String?, text: Value) {
        let texts: Value = [
            "de": "de", "en": "en", "zh": "zh", "zh-Hant": "Hant", "zh_Hant_TW": "TW",
        ]
        #expect(said(["title": texts], locale: locale) == ["title": text])
    }

    @Test func `falls back to any language if no language matches`() {
        #expect(said(["title": ["fr": "Bonjour"]], locale: "ja") == ["title": "Bonjour"])
        #expect(said(["title": .map([:])], locale: "ja") == ["title": ""])
    }

    @Test
    func `is the same for all languages if it is one string, and a map if it isn't localized text`()
    {
        #expect(said(["title": "Hi"], locale: "de") == ["title": "Hi"])
        #expect(said(["other": ["en": "a"]], locale: "en") == ["other": ["en": "a"]])
    }

    @Test func `has its placeholders filled, even if they are nested`() {
        let content: Value = [
            "title": ["en": "Hi {{user.name}}"], "rows": [["text": "{{ user.total }} {x}"], 1],
        ]
        #expect(
            said(content, locale: "en", name: "Ada")
                == ["title": "Hi Ada", "rows": [["text": "49 {x}"], 1]])
    }

    @Test func `has the fallback after the bar for a missing or empty value`() {
        let content: Value = ["title": "{{user.name | dear you}}!"]
        #expect(said(content, locale: "en") == ["title": "dear you!"])
        #expect(said(content, locale: "en", name: "") == ["title": "dear you!"])
        #expect(said(content, locale: "en", name: "Ada") == ["title": "Ada!"])
    }

    @Test func `has a gap for an empty placeholder, which is reported once`() {
        let stage = stage(["title": "Hi {{user.name}} {{user.name}}"], on: "paid")
        stage(.started)
        let first = stage(.send("paid", payload: [:]))
        #expect(first.contains("empty a user.name"))
        #expect(first.count { $0.hasPrefix("empty") } == 1)
        #expect(said(stage) == ["title": "Hi  "])
        stage(.userClosed("a"))
        #expect(!stage(.send("paid", payload: [:])).contains("empty a user.name"))
    }

    @Test func `has the payload of the event that created the task, through a reload`() {
        let content: Value = ["title": "{{event.total}} {{event.total | 0}}"]
        let stage = stage(content, on: "paid") { $0.popup("b") }
        stage(.started)
        #expect(stage.showing == "b")
        stage(.send("paid", payload: ["total": 12.5]))
        stage(.send("paid", payload: ["total": 99.0]))
        stage(.reload(stage.scheduler.catalog.rules, context: [:]))
        stage(.userClosed("b"))
        #expect(stage.showing == "a")
        #expect(said(stage) == ["title": "12.5 12.5"])
    }

    @Test func `stays as it was presented`() {
        let stage = stage(["title": "{{user.name | you}}"])
        stage(.started)
        stage(.update(["user.name": "Ada"]))
        #expect(said(stage) == ["title": "you"])
    }

    @Test func `is unchanged if there are no placeholders`() {
        #expect(said(["title": "Hi {x} {{}"], locale: "en") == ["title": "Hi {x} {{}"])
    }
}
