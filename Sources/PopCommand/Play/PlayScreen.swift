import PopCEL
import PopEngine
import PopScheduler
import PopSource

/// The presenter: keeps the popups on the screen, for the page to draw.
@MainActor
final class PlayScreen: Presenter {
    private var shown: [String: PlayState.Shown] = [:]
    private var presentations: [String: PresentationID] = [:]
    /// Returns the placeholder values of a popup that is about to show.
    var values: @MainActor (Popup) -> [String: Value] = { _ in [:] }
    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// The popup in the area of a scheduler, its placeholders filled as when it appeared.
    subscript(scheduler: String) -> PlayState.Shown? { shown[scheduler] }

    func present(_ popup: Popup) async throws {
        shown[popup.scheduler] = PlayState.Shown(popup, values: values(popup))
        presentations[popup.scheduler] = popup.presentation
        changed()
    }

    func dismiss(_ popup: Popup) async {
        if presentations[popup.scheduler] == popup.presentation {
            shown[popup.scheduler] = nil
        }
        changed()
    }

    /// Drops what went away without having been asked to.
    func keep(only showing: [String: String]) {
        shown = shown.filter { showing[$0.key] == $0.value.popup }
    }
}

/// The system's clocks, which the user can move forward.
final class SkippingClock: MomentClock {
    private struct State {
        var skipped = Duration.zero
        /// The sleeping tasks, to be woken by a skip.
        var naps: [Int: Task<Void, Never>] = [:]
        var napCount = 0
    }

    /// The maximum total of all skips, a hundred years: no date leaves the calendar.
    static let longestSkip = Duration.seconds(36_500 * 86_400)

    private let system = SystemClock()
    private let state = LockedValue(State())

    var skipped: Duration { state.withLock { $0.skipped } }

    var now: Moment { system.now.advanced(by: skipped) }

    func sleep(until instant: Duration) async throws {
        while let (id, nap) = nap(until: instant) {
            await withTaskCancellationHandler {
                await nap.value
            } onCancel: {
                nap.cancel()
            }
            state.withLock { $0.naps[id] = nil }
            try Task.checkCancellation()
        }
    }

    /// A task that ends at the instant, or when it is cancelled; nil when the instant has come.
    private func nap(until instant: Duration) -> (id: Int, nap: Task<Void, Never>)? {
        // In one step, so that no skip comes between the look at the clock and the nap.
        state.withLock { state in
            let wake = instant - state.skipped
            guard wake > system.now.instant else { return nil }
            let nap = Task { [system] in _ = try? await system.sleep(until: wake) }
            state.napCount += 1
            state.naps[state.napCount] = nap
            return (state.napCount, nap)
        }
    }

    /// Moves both clocks forward and wakes all sleepers, to check the time.
    func skip(by duration: Duration) {
        let naps = state.withLock { state in
            state.skipped = min(state.skipped + max(duration, .zero), Self.longestSkip)
            return Array(state.naps.values)
        }
        for nap in naps { nap.cancel() }
    }
}
