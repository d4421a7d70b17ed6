import Foundation
import PopCEL
import PopHistorySQLite
import PopScheduler

extension FuzzTarget {
    /// A history file with any content: what cannot be read is reported and put aside, and then
    /// records are kept again.
    static let history = FuzzTarget(
        name: "history",
        body: .suspending { bytes in
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "poprules-history-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "history.sqlite")
            try Data(bytes).write(to: file)
            let store = SQLiteHistoryStore(path: file.path)
            let record = HistoryRecord.impression(
                popup: "welcome", date: Timestamp(seconds: 1_793_000_000))
            var isKept = false
            // The call that notices a damaged file puts it aside; the next call starts an empty
            // file.
            for _ in 0..<3 where !isKept {
                _ = try? await store.history(of: "")
                isKept = (try? await store.append([record], user: "")) != nil
            }
            guard isKept else { return }
            let history = try? await store.history(of: "")
            try require(
                history == nil || history?.popups["welcome"]?.impressions.isEmpty == false,
                "a record that was kept is gone")
        })
}
