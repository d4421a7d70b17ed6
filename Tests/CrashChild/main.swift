// The child of the kill loop: an app whose popups may show once in a lifetime, until it is killed. Each presentation is
// written to a log before anything else happens.
//
// Usage: CrashChild DATABASE LOG POPUPS
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
guard arguments.count == 4, let log = FileHandle(forUpdatingAtPath: arguments[2]),
    let count = Int(arguments[3])
else {
    print("usage: CrashChild DATABASE LOG POPUPS")
    exit(2)
}
let rules = RuleSet(
    popups: (0..<count).map { number in
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
engine.start()
// It is killed; should whoever started it be killed before, it ends by itself.
try await Task.sleep(for: .seconds(600))
engine.stop()
