// The code of the page on the life of an app, line by line. Code for Apple's systems compiles only
// there.
import Foundation
import PopEngine

#if canImport(UIKit)
    import UIKit

    @MainActor
    func followApplication(_ engine: PopupEngine) {
        observe(UIApplication.didEnterBackgroundNotification) { leave(engine) }
        observe(UIApplication.willEnterForegroundNotification) { engine.foreground() }
        followClock(engine)
    }

    @MainActor
    func followClock(_ engine: PopupEngine) {
        engine.zoneChanged(TimeZone.current.identifier)
        observe(.NSSystemTimeZoneDidChange) { engine.zoneChanged(TimeZone.current.identifier) }
        observe(UIApplication.significantTimeChangeNotification) { engine.poke() }
    }

    @MainActor
    func observe(_ name: Notification.Name, _ move: @escaping @MainActor () -> Void) {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
            MainActor.assumeIsolated(move)
        }
    }

    @MainActor
    func leave(_ engine: PopupEngine) {
        engine.background()
        FlushTask().run(engine)
    }

    @MainActor
    final class FlushTask {
        private var id = UIBackgroundTaskIdentifier.invalid

        func run(_ engine: PopupEngine) {
            id = UIApplication.shared.beginBackgroundTask { self.end() }
            Task {
                try? await engine.flush()
                end()
            }
        }

        private func end() {
            UIApplication.shared.endBackgroundTask(id)
            id = .invalid
        }
    }
#endif

#if canImport(SwiftUI) && canImport(UIKit)
    import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private struct Shop: App {
        @Environment(\.scenePhase) private var phase
        let engine: PopupEngine

        func begin() {
            followClock(engine)
            engine.start()
        }

        var body: some Scene {
            WindowGroup { EmptyView() }
                .onChange(of: phase) { _, phase in
                    switch phase {
                    case .active: engine.foreground()
                    case .background: leave(engine)
                    default: break
                    }
                }
        }
    }
#endif

private enum Visit {
    case connected
    case signedIn
    case lost
}

private struct Server {
    func serve(_ engine: PopupEngine, zone: String, visits: AsyncStream<Visit>) async {
        engine.zoneChanged(zone)
        engine.start()
        for await visit in visits {
            switch visit {
            case .connected: engine.foreground()
            case .signedIn: engine.beginSession()
            case .lost: engine.background()
            }
        }
        await engine.stop()
    }
}

@MainActor
private protocol Game {
    var isOver: Bool { get }
    func drawFrame()
}

private struct Loop {
    @MainActor
    func play(_ engine: PopupEngine, _ game: any Game) async throws {
        engine.start()
        while !game.isOver {
            game.drawFrame()
            try await Task.sleep(for: .milliseconds(16))
        }
        await engine.stop(dismissing: true)
    }

    func pause(_ engine: PopupEngine) {
        engine.suspend(by: "level")
        engine.resume(by: "level")
        engine.background()
        engine.foreground()
    }
}
