// The code of the page on privacy, line by line. Code for Apple's systems compiles only there.
import Foundation
import PopEngine
import PopHistorySQLite

#if canImport(Darwin)
    private func protect(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.protectionKey: FileProtectionType.complete])
    }

    private func keepOutOfBackups(_ folder: URL) throws {
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
    }
#endif

private func erase(_ engine: PopupEngine, path: String) async throws {
    try await engine.forget(user: "bob")
    try await SQLiteHistoryStore(path: path).remove(user: "bob")

    let file = URL(fileURLWithPath: path)
    let folder = file.deletingLastPathComponent().path
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix(file.lastPathComponent + ".damaged") {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
}
