import Foundation
import PopEngine
import PopPresenting

/// Writes down what the engine tells and where things are on the screen, a line of JSON each, for
/// the test.
final class Journal: Sendable {
    private let file: FileHandle

    /// Writes to a new file.
    init(path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func note(_ event: EngineEvent) {
        guard case .scheduler(let event) = event.kind else { return }
        switch event {
        case .shown(let task): write(Line(event: "shown", popup: task.popup))
        case .acted(let task, let action):
            write(Line(event: "acted", popup: task.popup, action: action))
        case .willDismiss(let task, _): write(Line(event: "leaves", popup: task.popup))
        case .dismissed(let task, let reason):
            write(Line(event: "dismissed", popup: task.popup, reason: reason.rawValue))
        case .rejected(let rejection): write(Line(event: "rejected \(rejection)"))
        default: break
        }
    }

    /// What a popup is to say by now, where that changes while it shows.
    @MainActor
    func note(_ popup: PresentedPopup) {
        guard let share: Double = popup.popup.resolvedContent["progress"] else { return }
        write(Line(event: "says", popup: popup.popup.id, progress: share))
    }

    func note(_ areas: [String: [Int]]) { write(Line(areas: areas)) }

    private func write(_ line: Line) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        try? file.write(contentsOf: data + Data("\n".utf8))
    }

    private struct Line: Encodable {
        var event: String?
        var popup: String?
        var action: String?
        var reason: String?
        var progress: Double?
        var areas: [String: [Int]]?
    }
}
