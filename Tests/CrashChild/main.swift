// The child of the kill loop: an app whose popups may show once in a lifetime, until it is killed. Each presentation is
// written to a log before anything else happens.
//
// Ends by itself when all have been shown.
//
// Usage: CrashChild DATABASE LOG
import Foundation
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopSource

@MainActor
final class LoggingPresenter: Presenter {
    private let log: FileHandle

    init(log: FileHandle) { self.log = log }

    func present(_ popup: Popup) async throws {
        try log.write(contentsOf: Data("\(popup.id)\n".utf8))
    }

    func dismiss(_ popup: Popup) async {}
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let log = FileHandle(forUpdatingAtPath: arguments[2]) else {
    print("usage: CrashChild DATABASE LOG")
    exit(2)
}
let rules = RuleSet(
    popups: (0..<2000).map { number in
        var popup = PopupRule(
            id: "popup\(number)", at: SourceRange(file: FileID(index: 0), 0..<0))
        popup.caps.lifetime = 1
        popup.hideAfter = .zero
        return popup
    })
try log.seekToEnd()
let engine = await PopupEngine(
    rules: rules, presenter: LoggingPresenter(log: log),
    history: SQLiteHistoryStore(path: arguments[1]))
let events = engine.events
engine.start()
for await _ in events where engine.isEmpty { break }
engine.stop()
