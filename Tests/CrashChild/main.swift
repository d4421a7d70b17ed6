// The child of the kill loop: an app whose popups may show once in a lifetime, until it is killed.
// Each presentation is written to a log before anything else happens.
//
// It ends by itself when all popups have been shown. It prints a line for each fault of the history
// that is reported to it.
//
// Usage: CrashChild DATABASE LOG [NUMBER OF POPUPS]
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
guard arguments.count >= 3, let log = FileHandle(forUpdatingAtPath: arguments[2]),
    let count = arguments.count == 3 ? 2000 : Int(arguments[3])
else {
    print("usage: CrashChild DATABASE LOG [NUMBER OF POPUPS]")
    exit(2)
}
let rules = RuleSet(
    popups: (0..<count).map { number in
        var popup = PopupRule(
            id: "popup\(number)", at: SourceRange(file: FileID(index: 0), 0..<0))
        popup.caps.lifetime = 1
        popup.timing.hideAfter = .zero
        return popup
    })
try log.seekToEnd()
var options = EngineOptions()
options.observer = { event in
    if case .historyUnavailable(let error) = event.kind { print("unavailable: \(error)") }
}
let engine = await PopupEngine(
    rules: rules, presenter: LoggingPresenter(log: log),
    history: SQLiteHistoryStore(path: arguments[1]), options: options)
let events = engine.events
engine.start()
for await _ in events where engine.isEmpty { break }
await engine.stop()
