import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

@testable import PopCommand

@Suite struct `A command typed in play` {
    private func order(_ line: String) throws -> PlayOrder {
        var sources = SourceSet()
        _ = sources.add(
            path: "rules.yaml",
            bytes: Array(
                """
                poprules: 1
                context:
                  app.screen: string
                  user.launches: int
                events:
                  paid: { total: double }
                popups:
                  welcome:
                    content: {}
                """.utf8))
        return try PlayOrder(line, rules: RuleSet.check(sources).get())
    }

    private func mistake(in line: String) -> String? {
        do {
            _ = try order(line)
            return nil
        } catch {
            return (error as? PlayMistake)?.message
        }
    }

    @Test func `that sets a key reads the value in the type of the key`() throws {
        #expect(try order("set app.screen=12") == .set(["app.screen": .string("12")]))
        #expect(try order("  set user.launches = 12 ") == .set(["user.launches": .int(12)]))
        #expect(try order("unset user.launches") == .unset("user.launches"))
    }

    @Test func `that sends an event reads its payload`() throws {
        #expect(try order("send paid {total: 80.0}") == .send("paid", ["total": .double(80)]))
        #expect(try order("send paid{total: 80.0}") == .send("paid", ["total": .double(80)]))
        #expect(try order("send other") == .send("other", [:]))
    }

    @Test func `that moves the clock reads a duration`() throws {
        #expect(try order("skip 1h30m") == .skip(.seconds(5400)))
        #expect(try order("skip 2d1s") == .skip(.seconds(172_801)))
    }

    @Test func `may name a popup or a scheduler`() throws {
        #expect(try order("close welcome") == .close("welcome"))
        #expect(try order("act welcome accept") == .act("welcome", "accept"))
        #expect(try order("suspend") == .suspend(nil))
        #expect(try order("resume toast") == .resume("toast"))
        #expect(try order("why welcome") == .why("welcome"))
    }

    @Test func `that cannot be executed reports why`() {
        #expect(mistake(in: "dance") == "unknown command `dance`; type `help` for a list")
        #expect(mistake(in: "set app.screen") == "write `set KEY=VALUE`")
        #expect(mistake(in: "set user.launches=many")?.contains("user.launches") == true)
        #expect(mistake(in: "set no.key=1") != nil)
        #expect(mistake(in: "send paid {total: much}") != nil)
        #expect(mistake(in: "send") == "write an event after `send`")
        #expect(mistake(in: "close") == "write a popup after `close`")
        #expect(mistake(in: "act welcome") == "write `act POPUP ACTION`")
        #expect(mistake(in: "skip soon") == "`soon` is not a duration such as 90s or 1h30m")
        #expect(mistake(in: "skip -5s") == "`-5s` is not a duration such as 90s or 1h30m")
    }
}
