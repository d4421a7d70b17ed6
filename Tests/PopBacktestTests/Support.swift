import Foundation
import PopBacktest
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

/// A folder for the files of a test, which is removed afterwards.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "backtest-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// The path of a file in the folder of the tests.
func sample(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Samples/\(name)").path
}

extension MappingFile {
    /// Parses a string; a finding fails the test.
    static func of(_ text: String) throws -> MappingFile {
        var sources = SourceSet()
        let file = sources.add(path: "m.yaml", bytes: Array(text.utf8))
        let checked = parse(file)
        #expect(checked.diagnostics.list.map { $0.message } == [])
        return try #require(checked.value)
    }
}

extension BacktestReport {
    /// The number of impressions of each popup.
    var shown: [String: Int] {
        Dictionary(
            uniqueKeysWithValues: popups.indices.map { (popups[$0], tally.total(of: $0).shown) })
    }
}
