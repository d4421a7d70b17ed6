import Foundation
import PopSource
import Synchronization

@testable import PopBacktest

extension FuzzTarget {
    /// The folder of a backtest that was ended, with any bytes in place of one file's: it is
    /// refused, or gives the report that the run would have given. The same with the seals that
    /// such files would have: who writes these can write any report, but cannot end the program.
    static let checkpoint = FuzzTarget(
        name: "checkpoint",
        body: .direct { bytes in
            guard let choice = bytes.first else { return }
            let run = try EndedRun.shared.get()
            let name = run.names[Int(choice & 127) % run.names.count]
            let isSealed = choice > 127
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "poprules-checkpoint-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try run.write(to: folder.path)
            try run.put(Array(bytes.dropFirst()), in: name, of: folder.path, isSealed: isSealed)
            guard let report = try? run.resume(in: folder.path) else { return }
            try require(report == run.report || isSealed, "another report from a damaged \(name)")
        })
}

/// The files of a folder, as they were when a part was about to be played.
private final class KeptFiles: Sendable {
    let files = Mutex<[String: [UInt8]]>([:])
}

/// A run that was ended after the first of two parts was played.
private struct EndedRun: Sendable {
    /// Made once: the log must stay the same file.
    static let shared = Result { try EndedRun() }

    private let log: String
    private let files: [String: [UInt8]]
    let report: String

    var names: [String] { files.keys.sorted() }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "poprules-ended-run-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        log = folder.appending(path: "log.jsonl").path
        try Data(Self.lines.utf8).write(to: URL(filePath: log))
        let place = folder.appending(path: "checkpoint").path
        let kept = KeptFiles()
        let backtest = Self.backtest(log, in: place) { step in
            guard step.stage == .playing else { return }
            kept.files.withLock { files in
                if files.isEmpty { files = Self.files(in: place) }
            }
        }
        report = try backtest.run().json
        files = kept.files.withLock { $0 }
    }

    private static func files(in folder: String) -> [String: [UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (
                    name,
                    FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
                        ?? []
                )
            })
    }

    private static func backtest(
        _ log: String, in folder: String,
        onProgress: @escaping @Sendable (BacktestProgress) -> Void = { _ in }
    ) -> Backtest {
        var backtest = Backtest(FuzzTarget.shopRules, mapping: MappingFile(), logs: [log])
        backtest.limits.parts = 2
        backtest.checkpoint = folder
        backtest.onProgress = onProgress
        return backtest
    }

    func write(to folder: String) throws {
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    func resume(in folder: String) throws -> String {
        try Self.backtest(log, in: folder).run().json
    }

    func put(_ bytes: [UInt8], in name: String, of folder: String, isSealed: Bool) throws {
        if !isSealed || name.hasSuffix(".rows") {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        guard isSealed else { return }
        let run = SealedFile(folder: folder, name: "run.json")
        guard let runSeal = try run.read()?.seal else { return }
        let read = SealedFile(folder: folder, name: "read.json", owner: runSeal)
        guard let content = try read.read() else { return }
        switch name {
        case run.name:
            if let json = try? JSON.parse(bytes) { _ = try run.write(json) }
        case read.name:
            if let json = try? JSON.parse(bytes) { _ = try read.write(json) }
        case _ where name.hasSuffix(".rows"):
            // As though these were the rows that were written.
            _ = try read.write(Self.described(content.json, rows: bytes))
        default:  // What a part came to.
            let part = SealedFile(folder: folder, name: name, owner: content.seal)
            if let json = try? JSON.parse(bytes) { _ = try part.write(json) }
        }
    }

    /// Returns the expected result of reading, with other rows in the second part.
    private static func described(_ read: JSON, rows: [UInt8]) -> JSON {
        guard case .object(let members) = read,
            case .array(let parts) = members.first(where: { $0.key == "parts" })?.value,
            parts.count == 2, case .array(let second) = parts[1]
        else { return read }
        let hash = SpillRecord.hash(of: 0..<rows.count, in: rows)
        let part: [JSON] = [second[0], .int(rows.count), .string(String(hash, radix: 16))]
        return .object(
            members.map { member in
                member.key == "parts"
                    ? JSON.Member(key: "parts", value: .array([parts[0], .array(part)])) : member
            })
    }

    private static let lines = """
        {"user":"ada","time":"2026-03-01T10:00:00Z","event":"Opened","payload":{"n":1}}
        {"user":"ada","time":"2026-03-01T10:01:00Z","event":"checkout.completed","payload":{"total":60}}
        {"user":"ben","time":"2026-03-01T10:00:00Z","event":"checkout.completed","payload":{"total":7.5}}
        {"user":"cleo","time":"2026-03-02T10:00:00Z","event":"Opened"}
        {"user":"dan","time":"2026-03-02T10:00:00Z","event":"checkout.completed","payload":{"total":9}}
        {"user":"eve","time":"2026-03-02T10:00:00Z","event":"Opened"}

        """
}
