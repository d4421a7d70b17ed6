import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Resolved content` {
    private struct Card: Decodable, Equatable { var title: String }

    private func driver() throws -> EngineDriver {
        EngineDriver(
            rules: try .parse(
                """
                context: { user.name: string, user.locale: string }
                locales: { key: user.locale, required: [en, de], fallback: en }
                templates: { card: { required: { title: { type: string, localized: true } } } }
                popups:
                  a:
                    template: card
                    content: { title: { en: "Hi {{user.name}}", de: "Hallo {{user.name}}" } }
                """))
    }

    @Test
    func `is in the user's language with placeholders filled, and the original content is kept`()
        async throws
    {
        let driver = try driver()
        driver.engine.context["user.locale"] = "de-CH"
        driver.engine.context["user.name"] = "Ada"
        await driver.start()
        let popup = try #require(driver.presenter.presented["a"])
        #expect(popup.resolvedContent == ["title": "Hallo Ada"])
        #expect(try popup.resolvedContent() == Card(title: "Hallo Ada"))
        #expect(
            popup.content == ["title": ["en": "Hi {{user.name}}", "de": "Hallo {{user.name}}"]])
    }

    @Test func `stays as it was presented`() async throws {
        let driver = try driver()
        driver.engine.context["user.name"] = "Ada"
        await driver.start()
        driver.engine.context["user.name"] = "Grace"
        await driver.settle()
        #expect(driver.presenter.presented["a"]?.resolvedContent == ["title": "Hi Ada"])
    }

    @Test func `with an empty placeholder is reported in a host event`() async throws {
        let driver = try driver()
        await driver.start()
        #expect(driver.hostEvents.contains(.emptyPlaceholder(popup: "a", "user.name")))
        #expect(driver.presenter.presented["a"]?.resolvedContent == ["title": "Hi "])
    }
}
