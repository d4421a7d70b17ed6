internal import PopFleet
internal import PopMapping
internal import PopScheduler
internal import PopSource
internal import PopWire

/// What a run has done so far, in a folder: a run that is ended goes on from there, and comes to
/// the same.
final class Checkpoint: Sendable {
    /// Nil for a run that nobody goes on with.
    let folder: String?
    /// Another number for files that are written otherwise.
    private static let format = 3
    /// What reading the logs came to in an earlier run.
    let reading: ReadingResult?

    init(for backtest: Backtest) throws(BacktestError) {
        folder = backtest.checkpoint
        guard let named = backtest.checkpoint else {
            reading = nil
            return
        }
        try SystemPaths.makeFolder(named)
        let identity = Self.identity(of: backtest)
        if let written = try? Self.read(named + "/run.json") {
            guard written == identity.compact else {
                let other = try? JSON.parse(written.utf8)
                throw .otherRun(named, differences: Self.differences(of: other, from: identity))
            }
            let known = (try? Self.read(named + "/read.json")).flatMap { try? JSON.parse($0.utf8) }
            reading = known.flatMap { ReadingResult($0) }
                .flatMap { Self.hasAllParts(of: $0, in: named) ? $0 : nil }
        } else {
            guard SystemPaths.isEmptyFolder(named, but: "run.json.new") else {
                throw .otherFiles(named)
            }
            try Self.write(identity.compact, to: named + "/run.json")
            reading = nil
        }
    }

    /// Whether each part has its rows, or what they came to.
    private static func hasAllParts(of result: ReadingResult, in folder: String) -> Bool {
        (0..<result.parts).allSatisfy { part in
            [path(of: part, in: folder), Spill.path(of: part, in: folder)].contains { path in
                SystemPaths.identity(of: path) != nil
            }
        }
    }

    /// All that the report hangs on.
    private static func identity(of backtest: Backtest) -> JSON {
        let logs = backtest.logs.map { log -> JSON in
            let (size, changed) = SystemPaths.identity(of: log) ?? (0, 0)
            return .array([.string(log), .int(size), .int(changed)])
        }
        let old: JSON? = backtest.old.map { .string(digest($0.bundle())) }
        let mapping = digest(Array(backtest.mapping.identity.utf8))
        return .object([
            "rules": .string(digest(backtest.rules.bundle())), "old": old,
            "mapping": .string(mapping),
            "logs": .array(logs), "version": .string(Product.version),
            "format": .int(Self.format),
        ])
    }

    /// In what a run was another one, for people.
    private static func differences(of written: JSON?, from identity: JSON) -> [String] {
        guard let written else { return [] }
        let words = [
            ("rules", "other rules"), ("old", "other old rules"), ("mapping", "another mapping"),
            ("logs", "other logs, or logs of another size or time"),
            ("version", "another version of poprules"), ("format", "another version of poprules"),
        ]
        let different = words.filter { written[$0.0] != identity[$0.0] }.map { $0.1 }
        return different.enumerated().filter { !different[..<$0].contains($1) }.map { $1 }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        var hash = StableHash()
        hash.add(bytes)
        return String(hash.value, radix: 16)
    }

    func keep(_ result: ReadingResult) throws(BacktestError) {
        if let folder { try Self.write(result.json.compact, to: folder + "/read.json") }
    }

    /// What a part came to in an earlier run.
    func played(_ part: Int, popups: [String], old: [String]?) -> PlayedUsers? {
        guard let folder, let text = try? Self.read(Self.path(of: part, in: folder)),
            let json = try? JSON.parse(text.utf8)
        else { return nil }
        return PlayedUsers(json, popups: popups, old: old)
    }

    /// Keeps what a part came to, by which the same call answers at once; its rows nobody needs any
    /// more.
    func keep(
        _ played: PlayedUsers, of part: Int, popups: [String], old: [String]?
    ) throws(BacktestError) {
        guard let folder else { return }
        let text = played.json(popups: popups, old: old).compact
        try Self.write(text, to: Self.path(of: part, in: folder))
        SystemPaths.remove(Spill.path(of: part, in: folder))
    }

    private static func path(of part: Int, in folder: String) -> String {
        "\(folder)/part-\(part).json"
    }

    private static func read(_ path: String) throws(BacktestError) -> String {
        var bytes: [UInt8] = []
        let size = SystemPaths.identity(of: path)?.size ?? 0
        try SystemFile(reading: path).read(size, path: path, behind: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A file is there whole or not at all.
    private static func write(_ text: String, to path: String) throws(BacktestError) {
        let draft = path + ".new"
        SystemPaths.remove(draft)
        let file = try SystemFile(appendingTo: draft)
        try file.write(Array(text.utf8), path: draft)
        try SystemPaths.rename(draft, to: path)
    }
}

extension ReadingResult {
    fileprivate var json: JSON {
        let counts: [JSON.Member] = [
            .init(key: "events", value: .int(events)), .init(key: "parts", value: .int(parts)),
        ]
        return .object(counts + summary.members)
    }

    fileprivate init?(_ json: JSON) {
        guard let events = json["events"]?.index, let parts = json["parts"]?.index else {
            return nil
        }
        self.init(events: events, summary: ReadingSummary(json), parts: parts)
    }
}

extension PlayedUsers {
    fileprivate func json(popups: [String], old names: [String]?) -> JSON {
        .object([
            "tally": tally.json(popups: popups),
            "old": old.map { $0.json(popups: names ?? []) },
            "comparison": comparison.json,
        ])
    }

    fileprivate init?(_ json: JSON, popups: [String], old names: [String]?) {
        guard let tally = json["tally"].flatMap({ Tally($0, popups: popups) }),
            let comparison = json["comparison"].map({ ReplayComparison($0) })
        else { return nil }
        self.tally = tally
        self.comparison = comparison
        guard let names else { return }
        guard let old = json["old"].flatMap({ Tally($0, popups: names) }) else { return nil }
        self.old = old
    }
}
