internal import CPoprules
internal import PopBacktest
internal import PopReplay
internal import PopScheduler
internal import PopSource
internal import PopWire

/// A log that comes as a stream of Arrow batches, played batch by batch.
struct TableReplay {
    private var replay: MemoryReplay
    private let mapping: LogMapping
    private let columns: Set<String>

    init(_ rules: RuleSet, mapping text: String?) throws(ForeignError) {
        mapping =
            try text.map { text throws(ForeignError) in try Self.mapping(text, for: rules) }
            ?? LogMapping()
        columns = MemoryReplay.columns(rules, mapping: mapping)
        replay = MemoryReplay(rules, mapping: mapping)
    }

    private static func mapping(
        _ text: String, for rules: RuleSet
    ) throws(ForeignError) -> LogMapping {
        var sources = SourceSet()
        let file = sources.add(path: "mapping", bytes: Array(text.utf8))
        let checked = MappingFile.parse(file, for: [rules])
        guard let mapping = checked.value, !checked.diagnostics.hasErrors else {
            throw .findings(findingsText(checked.diagnostics, in: sources, popups: 0))
        }
        return mapping.meaning
    }

    /// Takes in all batches of a log.
    mutating func read(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>
    ) throws(ForeignError) {
        let times = Set(mapping.columns.time.compactMap { $0.names.first })
        let timeForm = mapping.timeFormat.form
        let lines = ArrowLines(columns: columns) { times.contains($0) ? timeForm : .text }
        unsafe try lines.read(
            stream,
            check: { names throws(ForeignError) in
                if let reason = replay.reasonAgainst(columns: names) { throw .unreadable(reason) }
            }, to: { block throws(ForeignError) in replay.read(&block) })
    }

    /// Takes in what is known of users: the columns `user` and `history`.
    mutating func readHistories(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>
    ) throws(ForeignError) {
        let form = WireForm<UserState>.state(replay.plan)
        let lines = ArrowLines(columns: ["user", "history"]) { _ in .text }
        unsafe try lines.read(
            stream,
            check: { names throws(ForeignError) in
                for name in ["user", "history"] where !names.contains(name) {
                    throw .unreadable("the histories have no column `\(name)`")
                }
            },
            to: { block throws(ForeignError) in
                for line in block.split(separator: UInt8(ascii: "\n")) {
                    try readHistory(Array(line), form: form)
                }
            })
    }

    private mutating func readHistory(
        _ line: [UInt8], form: WireForm<UserState>
    ) throws(ForeignError) {
        let row = try? JSON.parse(line)
        guard let user = row?["user"].map({ LogScalar($0) })?.plainText else {
            throw .unreadable("a row of the histories has no `user`")
        }
        guard let text = row?["history"]?.text, let history = try? JSON.parse(Array(text.utf8))
        else { throw .unreadable("the history of `\(user)` is not JSON that a replay returned") }
        if replay.states[user] != nil { throw .unreadable("`\(user)` has two histories") }
        var reader = BundleReader(limits: .standard)
        do throws(BundleError) {
            replay.states[user] = try form.read(history, &reader)
        } catch {
            throw .unreadable("the history of `\(user)`: \(error.requestText)")
        }
    }

    /// Plays what was read, up to a time in nanoseconds since 1970: what happened, and the sums as
    /// JSON.
    mutating func play(
        until end: Int64, isPart: Bool
    ) throws(ForeignError) -> (rows: ReplayTable, sums: String) {
        if let user = replay.userOutOfOrder {
            throw .unreadable(
                "`\(user)` has events from before the end of the history: replay the parts of a log"
                    + " in order, each part once")
        }
        var table = ReplayTable()
        let popups = replay.popups
        let tally: Tally
        do throws(BacktestError) {
            tally = try replay.play(until: end, isPart: isPart) { user, row in
                table.add(row, of: user, popup: popups[row.popup])
            }
        } catch {
            throw .unreadable(error.description)
        }
        let sums: [JSON.Member] = [
            .init(key: "tally", value: tally.json(popups: popups)),
            .init(key: "skipped", value: replay.skipped),
            .init(key: "mergesIdentities", value: .bool(mapping.mergesIdentities)),
            .init(
                key: "userColumns",
                value: .array(mapping.columns.user.map { .string($0.description) })),
        ]
        return (table, JSON.object(sums + replay.noticed).compact + "\n")
    }

    /// The histories of the users after all rows are played, as `readHistories` reads them.
    var histories: [ArrowExport.Column] {
        let form = WireForm<UserState>.state(replay.plan)
        let states = replay.states.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return [
            .init("user", "u", .texts(states.map { $0.key })),
            .init("history", "u", .texts(states.map { form.write($0.value).compact })),
        ]
    }

    /// The number of users with a history.
    var historyCount: Int { replay.states.count }
}

extension LogMapping.TimeFormat {
    /// The form in which times of a table's time columns are written, so that they can be read
    /// back.
    fileprivate var form: ArrowColumn.TimeForm {
        switch self {
        case .text: .text
        case .seconds: .number(units: 1)
        case .milliseconds: .number(units: 1_000)
        case .microseconds: .number(units: 1_000_000)
        }
    }
}
