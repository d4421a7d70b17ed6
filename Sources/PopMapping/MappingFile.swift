public import PopFleet

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
