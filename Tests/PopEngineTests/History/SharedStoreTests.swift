import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// Embedding 6: two engines on one store object showed twice the cap.
@MainActor
@Suite struct `A history store object in two engines` {
    private func driver(_ store: MemoryHistoryStore) async throws -> EngineDriver {
        await EngineDriver(rules: try .parse("popups: { a: {} }"), history: store)
    }

    private func isTold(by driver: EngineDriver) async -> Bool {
        await driver.settle()
        return driver.events.contains {
            if case .remark(.sharedStore) = $0.kind { true } else { false }
        }
    }

    @Test
    func `is reported by the second engine, unless the first engine has stopped (embedding 6)`()
        async throws
    {
        let store = MemoryHistoryStore()
        let first = try await driver(store)
        let second = try await driver(store)
        #expect(await !isTold(by: first))
        #expect(await isTold(by: second))
        let other = try await driver(MemoryHistoryStore())
        #expect(await !isTold(by: other))
        await first.engine.stop()
        await second.engine.stop()
        let third = try await driver(store)
        #expect(await !isTold(by: third))
    }
}
