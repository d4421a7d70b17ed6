package import PopRuleFiles
public import PopSource
internal import PopYAML

/// The content of a mapping file: the format of a log's rows, and their meaning.
public struct MappingFile: Sendable {
    /// The version of the format that is read.
    static let version = 1

    /// The format of the rows; nil if it follows from the names of the files.
    public var rows: RowFormat?
    /// The names of the columns, for files that do not begin with them.
    public var names: [String] = []
    /// The meaning of the rows.
    public var meaning = LogMapping()
    /// The names of rules that it mentions.
    var mentions = MappingMentions()
    /// True if the file or its preset says in which zone times without a zone are.
    package var hasTimeZone = false
    /// The popups and templates whose replies seem to be fractions instead of percentages.
    package var repliesOfFractions: [String] = []

    /// JSON lines of `user`, `time`, `event` and `payload`.
    public init() {}

    /// Is another text for another meaning.
    package var identity: String {
        let parts: [String] = [
            "\(rows.map { $0.rawValue } ?? "")", names.joined(separator: "\t"),
            "\(meaning.columns)", "\(meaning.timeFormat) \(meaning.timeZone) \(meaning.zone)",
            meaning.events.sorted { $0.key < $1.key }.map { event in
                "\(event.key) \(event.value.names) "
                    + "\(event.value.fields.sorted { $0.key < $1.key })"
            }.joined(separator: "\n"),
            "\(meaning.context.sorted { $0.key < $1.key })",
            "\(meaning.given.sorted { $0.key < $1.key })",
            "\(meaning.sessionTimeout.map { "\($0)" } ?? "") \(meaning.starts) \(meaning.mergesIdentities)",
            meaning.replies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.identity)" }
                .joined(separator: "\n"),
            meaning.otherReplies.identity, "\(meaning.seed)",
        ]
        return parts.joined(separator: "\n\n")
    }
}

extension ReplyModel {
    fileprivate var identity: String {
        "\(closed) \(acted.sorted { $0.key < $1.key }) \(after)"
    }
}

extension MappingFile {
    /// Reads a mapping file. Linear in the file.
    public static func parse(_ source: SourceFile) -> Checked<MappingFile> {
        if let unreadable = Diagnostic.unreadable(source) {
            return Checked(nil, diagnostics: Diagnostics([unreadable]))
        }
        return YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            var written = WrittenMapping()
            if document.root.isBroken { return Checked(MappingFile()) }
            if document.root.kind == .mapping {
                decoder.read(.mapping, at: document.root, into: &written)
            } else {
                decoder.report(.noMap(document.root.range))
            }
            if let version = written.version, version.value != Self.version {
                decoder.report(.unknownVersion(version))
            }
            return Checked(written.file(&decoder), diagnostics: decoder.diagnostics)
        }
    }

    /// The mapping of a vendor's exports, as from a file that only names the preset.
    public static func preset(_ preset: LogPreset) -> MappingFile { preset.mapping }
}

extension MappingFile {
    /// Returns the JSON Schema of the file.
    package static func json(_ writer: inout SchemaWriter) -> JSON {
        // It may use names that only old rules have, which are replayed together with the known
        // ones.
        writer.offering { $0.table(Table<WrittenMapping>.mapping.schema) }
    }

    /// The keys at the top of the file.
    package static let topLevel = Table<WrittenMapping>.mapping.schema.keys.map {
        TopLevelKey($0.name, summary: $0.summary, schema: $0.schema)
    }
}

/// The mapping as the tables read it.
struct WrittenMapping: Sendable {
    var version: Located<Int>?
    var preset: Located<LogPreset>?
    var rows: Located<RowFormat>?
    var names: Located<[Located<String>]>?
    var columns = WrittenColumns()
    var time = WrittenTimeMapping()
    var events: Located<YAMLNode>?
    var context: Located<YAMLNode>?
    var given: Located<YAMLNode>?
    var session = WrittenSession()
    var zone: Located<String>?
    var merges: Located<Bool>?
    var replies: Located<YAMLNode>?
    var seed: Located<Int>?
}

/// The places of the parts of an event.
struct WrittenColumns: Sendable {
    var user: Located<[String]>?
    var time: Located<[String]>?
    var event: Located<[String]>?
    var order: Located<[String]>?
    var insertID: Located<[String]>?
    var payload: Located<String>?
}

struct WrittenTimeMapping: Sendable {
    var form: Located<LogMapping.TimeFormat>?
    var zone: Located<String>?
}

struct WrittenSession: Sendable {
    var timeout: Located<Duration>?
    var starts: Located<[String]>?
}

extension WrittenMapping {
    /// Returns the written values over those of the preset.
    func file(_ decoder: inout Decoder) -> MappingFile {
        var file = preset?.value.mapping ?? MappingFile()
        file.rows = rows?.value ?? file.rows
        if let names { file.names = names.value.map { $0.value } }
        columns.write(into: &file.meaning.columns)
        if let form = time.form { file.meaning.timeFormat = form.value }
        if let zone = time.zone { file.meaning.timeZone = zone.value }
        if time.zone != nil { file.hasTimeZone = true }
        if let zone { file.meaning.zone = zone.value }
        if let timeout = session.timeout { file.meaning.sessionTimeout = timeout.value }
        if let starts = session.starts { file.meaning.starts = starts.value }
        if let merges { file.meaning.mergesIdentities = merges.value }
        if let seed { file.meaning.seed = UInt64(seed.value) }
        if let merges, merges.value, file.meaning.columns.user.count < 2 {
            decoder.report(.nothingToMerge(merges.range))
        }
        decoder.checkPlaces(of: columns)
        decoder.entries(of: events) { name, event, decoder in
            file.meaning.events[name.value] = decoder.read(.sentEvent, at: event)?.value
            let named = event.entries.first { $0.key.scalar?.text == "names" }?.value
            let single = named?.items.count == 1 ? named?.items.first : named
            file.mentions.events.append(
                .init(
                    name: name, parts: event.keys(below: "fields"),
                    logged: event.scalar?.text ?? single?.scalar?.text,
                    hasKeyOfNames: named != nil, loggedFields: event.texts(below: "fields")))
        }
        decoder.entries(of: context) { name, source, decoder in
            guard let read = decoder.read(.contextSource, at: source) else { return }
            file.meaning.context[name.value] = read.value
            file.mentions.sources.append(.init(name: name, value: read))
        }
        decoder.entries(of: given) { name, value, _ in
            let scalar = LogScalar(value)
            file.meaning.given[name.value] = scalar
            file.mentions.given.append(.init(name: name, value: Located(scalar, at: value.range)))
        }
        decoder.entries(of: replies) { name, reply, decoder in
            let model = decoder.reply(reply)
            if decoder.isOfFractions(reply, model) {
                file.repliesOfFractions.append(name.value)
                decoder.report(.fractions(name))
            }
            if name.value == nameOfTheRest {
                file.meaning.otherReplies = model ?? file.meaning.otherReplies
            } else {
                file.meaning.replies[name.value] = model
            }
            file.mentions.replies.append(.init(name: name, parts: reply.keys(below: "act")))
        }
        return file
    }
}

extension WrittenColumns {
    fileprivate func write(into columns: inout LogMapping.Columns) {
        func paths(_ written: Located<[String]>?, _ known: [LogPath]) -> [LogPath] {
            written.map { $0.value.map { LogPath($0) } } ?? known
        }
        columns.user = paths(user, columns.user)
        columns.time = paths(time, columns.time)
        columns.event = paths(event, columns.event)
        columns.order = paths(order, columns.order)
        columns.insertID = paths(insertID, columns.insertID)
        // A point means the row itself.
        if let payload { columns.payload = LogPath(payload.value == "." ? "" : payload.value) }
    }
}

extension Decoder {
    /// Goes through a map whose keys the author has chosen.
    mutating func entries(
        of map: Located<YAMLNode>?, _ body: (Located<String>, YAMLNode, inout Decoder) -> Void
    ) {
        guard let map else { return }
        for entry in map.value.entries {
            guard let name = name(ofKey: entry.key) else { continue }
            let located = Located(name, at: entry.key.range)
            inside(key: entry.key) { body(located, entry.value, &$0) }
        }
    }

    /// Returns true if all written percentages of a reply add up to 1.
    fileprivate func isOfFractions(_ node: YAMLNode, _ model: ReplyModel?) -> Bool {
        guard let model else { return false }
        func number(_ name: String) -> Double? {
            let value = node.entries.first { $0.key.scalar?.text == name }?.value
            return value?.scalar.flatMap { Double($0.text) }
        }
        guard let close = number("close"), close > 0, close < 1 else { return false }
        let sum = close + model.acted.values.reduce(0, +) + (number("ignore") ?? 0)
        return abs(sum - 1) < 0.001
    }

    fileprivate mutating func reply(_ node: YAMLNode) -> ReplyModel? {
        var written = WrittenReply()
        guard let found = read(.table(.reply, startingWith: WrittenReply()), at: node) else {
            return nil
        }
        written = found.value
        var model = ReplyModel()
        entries(of: written.act) { action, share, decoder in
            model.acted[action.value] = decoder.read(.number(0...100), at: share)?.value
        }
        let others = model.acted.values.reduce(0, +) + (written.ignore?.value ?? 0)
        model.closed = written.close?.value ?? max(0, 100 - others)
        if model.closed + others > 100 {
            report(.moreThanAll(node.range))
            return nil
        }
        if let after = written.after { model.after = after.value }
        return model
    }
}

extension LogScalar {
    fileprivate init(_ node: YAMLNode) {
        if node.kind != .scalar {
            self.init(node.json)
            return
        }
        switch node.coreValue {
        case .bool(let flag)?: self = .bool(flag)
        case .int(let number)?: self = .int(number)
        case .float(let number)?: self = .double(number)
        case nil, .null, .unsigned, .hugeInteger, .string:
            self = node.scalar.map { .text($0.text) } ?? .missing
        }
    }
}

extension Diagnostic {
    fileprivate static func noMap(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "a mapping must be a map of keys to values", at: range,
            label: "not a map",
            help: [
                "write `poprules_mapping: 1` as the first line, and keys such as"
                    + " `columns: { user: user_id }` below it"
            ])
    }

    fileprivate static func unknownVersion(_ version: Located<Int>) -> Self {
        Diagnostic(
            .schemaVersion, message: "mapping files of version \(version.value) are not supported",
            at: version.range, label: "not a supported version",
            help: ["write `poprules_mapping: \(MappingFile.version)`, the only version"])
    }

    fileprivate static func fractions(_ name: Located<String>) -> Self {
        Diagnostic(
            .hygieneFractionOfPercent,
            message: "the replies to `\(name.value)` are only 1 percent of the impressions",
            at: name.range, label: "the shares add up to 1 percent",
            help: [
                "if the shares are fractions of all impressions, multiply them by 100, such as"
                    + " `{ close: 50, act: { accept: 30 }, ignore: 20 }`"
            ])
    }

    fileprivate static func moreThanAll(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "`close`, `act` and `ignore` add up to more than 100",
            at: range, label: "more than 100 % of the impressions")
    }

    fileprivate static func nothingToMerge(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "`merge_identities` needs two places of `user`", at: range,
            label: "no second id to merge",
            help: ["name both places, such as `columns: { user: [user_id, anonymous_id] }`"])
    }
}
