import Foundation
import PopEngine
import PopRuleFiles
import PopTesting
import Testing

@MainActor
@Suite struct `An engine that follows a folder of rules` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("a.yaml", "popups: { a: {} }")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data("poprules: 1\n\(text)\n".utf8).write(
            to: folder.appending(path: name), options: .atomic)
    }

    @Test func `loads what is written, keeps the last valid rules, and continues`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = RuleSource(folder.path, interval: .milliseconds(2))
        let driver = EngineDriver(rules: try source.load().get())
        let engine = driver.engine
        var events = engine.events.makeAsyncIterator()
        let following = Task { await engine.follow(source) }

        try write("b.yaml", "popups: { b: { trigger: manual } }")
        try await next(in: &events) { if case .rulesReloaded = $0 { true } else { false } }
        #expect(engine.explain("b") != nil)

        try write("b.yaml", "popups: { b: { triger: manual } }")
        try await next(in: &events) { kind in
            if case .rulesRefused(let message) = kind { message.contains("triger") } else { false }
        }
        #expect(engine.explain("b") != nil)

        try FileManager.default.removeItem(at: folder.appending(path: "b.yaml"))
        try await next(in: &events) { if case .rulesReloaded = $0 { true } else { false } }
        #expect(engine.explain("b") == nil)

        following.cancel()
        await following.value
    }

    /// E5: `follow` went on after `stop`, and kept the engine alive.
    @Test(arguments: [true, false])
    func `ends with the engine and doesn't keep it alive (E5)`(isStopped: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = RuleSource(folder.path, interval: .milliseconds(2))
        var engine: PopupEngine? = PopupEngine(
            rules: try source.load().get(), presenter: IdlePresenter())
        engine?.start()
        let started = engine?.startFollowing(source)
        if isStopped, let engine {
            let awaited = Task { await engine.follow(source) }
            await engine.stop()
            await awaited.value
            await started?.value
            // Nor does it begin once the engine has stopped.
            await engine.follow(source)
        } else {
            weak var released: PopupEngine?
            released = engine
            engine = nil
            await started?.value
            #expect(released == nil)
        }
    }

    /// Reads on until an event is of the kind.
    private func next(
        in events: inout EngineEvents.AsyncIterator, where isMeant: (EngineEvent.Kind) -> Bool
    ) async throws {
        while let event = await events.next() { if isMeant(event.kind) { return } }
        Issue.record("the events ended")
    }
}
