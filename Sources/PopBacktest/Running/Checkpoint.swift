internal import PopScheduler
internal import PopSource
internal import PopWire

/// The results of a run so far, in a folder: a run that was ended continues from there, with the
/// same result.
///
/// `run.json` names the run, `read.json` has the result of reading the logs and the contents of
/// each `part-N.rows`, and `part-N.json` has the result of a part. Each is sealed, and written once
/// all files that it refers to are on disk. A file that was changed after a run has written it
/// causes an error that names the file.
final class Checkpoint: Sendable {
    /// Nil for a run that can't be continued.
    let folder: String?
    /// The version of the files; it changes with their format.
    private static let format = 4
    private let identity: JSON
    private let limits: BacktestLimits
    /// The result of reading the logs.
    private let known: LockedValue<(result: ReadingResult, seal: String)?>
    private let runSeal: String
    /// The folder, locked against other runs.
    private let lock: SystemFile?

    /// The result of reading the logs in an earlier run.
    var reading: ReadingResult? { known.withLock { $0?.result } }

    init(for backtest: Backtest) throws(BacktestError) {
        folder = backtest.checkpoint
        limits = backtest.limits
        guard let named = backtest.checkpoint else {
            (identity, runSeal) = (.null, "")
            known = LockedValue(nil)
            lock = nil
            return
        }
        if let log = backtest.logs.first(where: { !SystemPaths.isRegular($0) }) {
            throw LogJobs.isMissing(log) ? .noLog(log) : .notRegular(log)
        }
        try SystemPaths.makeFolder(named)
        lock = try SystemFile.locking(folder: named)
        guard lock != nil else { throw .busyFolder(named) }
        identity = Self.identity(of: backtest)
        let run = SealedFile(folder: named, name: "run.json", limits: backtest.limits)
        if let written = try run.readAny() {
            if written["seal"] == nil, written["format"] != nil {
                throw .otherRun(named, differences: Self.differences(of: written, from: identity))
            }
            guard let content = try run.read() else {
                throw .damagedCheckpoint(run.path, folder: named)
            }
            guard content.json.compact == identity.compact else {
                throw .otherRun(
                    named, differences: Self.differences(of: content.json, from: identity))
            }
            runSeal = content.seal
            known = LockedValue(try Self.read(named, run: runSeal, limits: backtest.limits))
        } else {
            guard SystemPaths.isEmptyFolder(named, but: "run.json.new") else {
                throw .otherFiles(named)
            }
            guard let seal = try run.write(identity) else {
                throw .otherRun(named, differences: [])
            }
            runSeal = seal
            known = LockedValue(nil)
        }
        if reading == nil { Self.removeParts(in: named, limits: backtest.limits) }
    }

    /// Returns the result of an earlier reading; nil if it was not finished, or if rows of a part
    /// are missing.
    private static func read(
        _ folder: String, run: String, limits: BacktestLimits
    ) throws(BacktestError) -> (result: ReadingResult, seal: String)? {
        let file = SealedFile(folder: folder, name: "read.json", owner: run, limits: limits)
        guard let content = try file.read() else { return nil }
        guard let result = ReadingResult(content.json, limits: limits) else {
            throw .damagedCheckpoint(file.path, folder: folder)
        }
        for (part, written) in result.parts.enumerated() {
            let played = SystemPaths.isRegular("\(folder)/\(name(of: part))")
            let path = Spill.path(of: part, in: folder)
            guard let state = FileState(path) else {
                if played { continue }
                return nil
            }
            guard played || state.isRegular && state.size == written.bytes else {
                throw .damagedCheckpoint(path, folder: folder)
            }
        }
        return (result, content.seal)
    }

    /// Removes the parts of an earlier reading, which must not be mistaken for parts of this run.
    private static func removeParts(in folder: String, limits: BacktestLimits) {
        for part in 0..<limits.parts {
            SystemPaths.remove(Spill.path(of: part, in: folder))
            SystemPaths.remove("\(folder)/\(name(of: part))")
        }
    }

    /// All that the report hangs on.
    private static func identity(of backtest: Backtest) -> JSON {
        let old: JSON? = backtest.old.map { .string(digest($0.bundle())) }
        let mapping = digest(Array(backtest.mapping.identity.utf8))
        return .object([
            "rules": .string(digest(backtest.rules.bundle())), "old": old,
            "mapping": .string(mapping),
            "logs": .array(backtest.logs.map { state(of: $0) }),
            "version": .string(Product.version), "format": .int(Self.format),
        ])
    }

    /// Which file a log is, and when it was changed.
    private static func state(of log: String) -> JSON {
        let state = FileState(log).map { state -> [JSON] in
            [.uint(state.device), .uint(state.inode), .int(state.size)]
                + (state.modified + state.changed).map { .int($0) }
        }
        return .array([.string(log)] + (state ?? []))
    }

    /// Returns how an earlier run differed, in words for users.
    private static func differences(of written: JSON?, from identity: JSON) -> [String] {
        guard let written else { return [] }
        let words = [
            ("rules", "other rules"), ("old", "other old rules"), ("mapping", "another mapping"),
            ("logs", "other logs, or logs that changed since"),
            ("version", "another version of poprules"), ("format", "another version of poprules"),
        ]
        // Numbers are compared as they are written.
        let different = words.filter { written[$0.0]?.compact != identity[$0.0]?.compact }
            .map { $0.1 }
        return different.enumerated().filter { !different[..<$0].contains($1) }.map { $1 }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        var hash = StableHash()
        hash.add(bytes)
        return String(hash.value, radix: 16)
    }

    /// Saves the result of reading, whose rows are on disk.
    func keep(_ result: ReadingResult, of backtest: Backtest) throws(BacktestError) {
        guard let folder else { return }
        for log in backtest.logs {
            let state = Self.state(of: log)
            guard identity["logs"]?.items.contains(where: { $0.compact == state.compact }) == true
            else { throw .changedLog(log) }
        }
        let file = SealedFile(folder: folder, name: "read.json", owner: runSeal, limits: limits)
        let seal = try file.write(result.json)
        known.withLock { $0 = seal.map { (result, $0) } }
    }

    /// Returns the result of a part in an earlier run; nil if it was not played.
    func played(
        _ part: Int, popups: [String], old: [String]?
    ) throws(BacktestError) -> PlayedUsers? {
        guard let folder, let (result, seal) = known.withLock({ $0 }) else { return nil }
        let file = SealedFile(
            folder: folder, name: Self.name(of: part), owner: seal, limits: limits)
        guard let content = try file.read() else { return nil }
        guard let played = PlayedUsers(content.json, popups: popups, old: old),
            played.hasPlayed(result.parts[part].events)
        else { throw .damagedCheckpoint(file.path, folder: folder) }
        // A run that was ended in between has left them.
        SystemPaths.remove(Spill.path(of: part, in: folder))
        return played
    }

    /// Saves the result of a part, which a repeated call returns immediately; its rows are no
    /// longer needed.
    func keep(
        _ played: PlayedUsers, of part: Int, popups: [String], old: [String]?
    ) throws(BacktestError) {
        guard let folder, let (_, seal) = known.withLock({ $0 }) else { return }
        let file = SealedFile(
            folder: folder, name: Self.name(of: part), owner: seal, limits: limits)
        guard try file.write(played.json(popups: popups, old: old)) != nil else { return }
        SystemPaths.remove(Spill.path(of: part, in: folder))
    }

    private static func name(of part: Int) -> String { "part-\(part).json" }

    /// Returns the error for a damaged row, adapted to a run that continues from a folder.
    func error(_ error: BacktestError) -> BacktestError {
        guard let folder, case .damaged(let path) = error else { return error }
        return .damagedCheckpoint(path, folder: folder)
    }
}

extension ReadingResult {
    fileprivate var json: JSON {
        .object([
            "events": .int(events),
            "parts": .array(
                parts.map { part in
                    .array([
                        .int(part.events), .int(part.bytes), .string(String(part.hash, radix: 16)),
                    ])
                }),
            "summary": summary.kept,
        ])
    }

    /// Nil for what `json` has never written.
    fileprivate init?(_ json: JSON, limits: BacktestLimits) {
        let items = json["parts"]?.items ?? []
        guard let events = json["events"]?.index, (1...limits.parts).contains(items.count),
            let summary = json["summary"].flatMap({ ReadingSummary($0) })
        else { return nil }
        var sum = 0
        for item in items.map({ $0.items }) {
            guard item.count == 3, let events = item[0].index, let bytes = item[1].index,
                let hash = item[2].text.flatMap({ UInt64($0, radix: 16) }),
                (0...FleetLimits.standard.counts).contains(events),
                (0...limits.logBytes).contains(bytes)
            else { return nil }
            sum += events
            parts.append(SpilledPart(events: events, bytes: bytes, hash: hash))
        }
        guard sum == events else { return nil }
        (self.events, self.summary) = (events, summary)
    }
}

extension PlayedUsers {
    /// Returns true if it is the result of this number of events.
    func hasPlayed(_ events: Int) -> Bool {
        [tally, old ?? tally].allSatisfy {
            $0.events + $0.copies == events && $0.users <= events
        }
    }

    fileprivate func json(popups: [String], old names: [String]?) -> JSON {
        .object([
            "tally": tally.json(popups: popups),
            "old": old.map { $0.json(popups: names ?? []) },
            "comparison": comparison.json, "judged": .int(judged),
        ])
    }

    fileprivate init?(_ json: JSON, popups: [String], old names: [String]?) {
        guard let tally = json["tally"].flatMap({ Tally($0, popups: popups) }),
            let judged = json["judged"]?.index,
            (0...FleetLimits.standard.counts).contains(judged),
            let comparison = json["comparison"]
                .flatMap({ ReplayComparison($0, popups: popups + (names ?? [])) })
        else { return nil }
        self.tally = tally
        self.comparison = comparison
        self.judged = judged
        guard let names else { return }
        guard let old = json["old"].flatMap({ Tally($0, popups: names) }) else { return nil }
        self.old = old
    }
}

/// A file of a checkpoint: JSON with a hash of it, of its name, and of what it belongs to. A file
/// that was damaged, cut off, or comes from another run or another part is noticed.
struct SealedFile {
    let folder: String
    let name: String
    /// The seal of the file that this one belongs to; empty for none.
    var owner = ""
    var limits = BacktestLimits.standard

    var path: String { "\(folder)/\(name)" }

    /// The content of a sealed file.
    struct Content {
        var json: JSON
        var seal: String
    }

    /// Returns the content of the file; nil if there is no file.
    func read() throws(BacktestError) -> Content? {
        guard let json = try readAny() else { return nil }
        guard let content = json["content"], json["seal"]?.text == seal(of: content.compact) else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        return Content(json: content, seal: seal(of: content.compact))
    }

    /// Returns the content without checking the seal, for files that other versions have written.
    func readAny() throws(BacktestError) -> JSON? {
        let file: SystemFile
        do throws(BacktestError) {
            file = try SystemFile(regular: path)
        } catch {
            // A link in place of the file counts as damage. After other errors of the system, the
            // file may be intact.
            guard case .system(_, let code) = error, !SystemPaths.isLinkLoop(code) else {
                throw .damagedCheckpoint(path, folder: folder)
            }
            if SystemPaths.isMissing(code) { return nil }
            throw error
        }
        let size = file.size
        guard size <= limits.checkpointBytes else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        var bytes: [UInt8] = []
        try file.read(size, path: path, behind: &bytes)
        guard let json = try? JSON.parse(bytes, limits: jsonLimits) else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        return json
    }

    private var jsonLimits: JSONLimits {
        var json = JSONLimits()
        json.bytes = limits.checkpointBytes
        json.values = limits.checkpointValues
        json.takesRepeatedKeys = false
        return json
    }

    /// Writes the file, which is there whole or not at all, and on disk afterwards. Returns its
    /// seal; nil for content of more bytes or values than are read again.
    func write(_ content: JSON) throws(BacktestError) -> String? {
        let text = content.compact
        let seal = seal(of: text)
        // The same as the JSON of both members.
        let bytes = Array("{\"seal\":\"\(seal)\",\"content\":\(text)}".utf8)
        guard bytes.count <= limits.checkpointBytes,
            content.valueCount + 2 <= limits.checkpointValues
        else { return nil }
        let draft = path + ".new"
        SystemPaths.remove(draft)
        let file = try SystemFile(making: draft)
        try file.write(bytes, path: draft)
        try file.sync(path: draft)
        try SystemPaths.rename(draft, to: path)
        try SystemPaths.sync(folder: folder)
        return seal
    }

    private func seal(of content: String) -> String {
        var hash = StableHash()
        for part in [owner, name, content] {
            hash.add(number: UInt64(part.utf8.count))
            hash.add(part.utf8)
        }
        return String(hash.value, radix: 16)
    }
}

extension JSON {
    /// The number of values that it has, itself included.
    fileprivate var valueCount: Int {
        switch self {
        case .null, .bool, .int, .uint, .double, .string: 1
        case .array(let items): items.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        }
    }
}
