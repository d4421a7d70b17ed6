public import PopSource

/// A YAML file as an immutable tree, every node with its place.
///
/// It follows the YAML 1.2 core schema; anchors, aliases and merge keys are applied.
public struct YAMLDocument: Sendable {
    /// The value that the file contains.
    public let root: YAMLNode

    /// Reads a file that contains one document.
    ///
    /// It never traps, whatever the bytes are. A value with a syntax error is reported and set
    /// aside (`YAMLNode.isBroken`), and the rest is still read; there is no document if that is
    /// impossible, if the file is empty, or if it exceeds a limit. Linear in the file, plus once
    /// more for every value that is set aside.
    public static func parse(
        _ source: SourceFile, limits: YAMLLimits = .standard
    ) -> Checked<YAMLDocument> {
        var diagnostics = Diagnostics()
        guard let text = CheckedText(source, limits: limits, diagnostics: &diagnostics) else {
            return Checked(nil, diagnostics: diagnostics)
        }
        var attempts = RepairedText(text)
        while true {
            var builder = TreeBuilder(attempts.text, limits: limits, broken: attempts.broken)
            let ending = LibYAMLParser.reading(attempts.text.bytes, from: text.start) {
                builder.build(&$0)
            }
            if case .failed(let error) = ending,
                attempts.repair(error, limits: limits, into: &diagnostics)
            {
                continue
            }
            let root = builder.finish(
                ending ?? .givenUp, text: text, isRepaired: attempts.isRepaired, into: &diagnostics)
            return Checked(root, diagnostics: diagnostics)
        }
    }
}

extension TreeBuilder {
    /// Adds the builder's findings to the diagnostics, and creates the document if there is one.
    mutating func finish(
        _ ending: Ending, text: CheckedText, isRepaired: Bool, into all: inout Diagnostics
    ) -> YAMLDocument? {
        var document: YAMLDocument?
        switch ending {
        case .document(let root):
            reportUnusedAnchors()
            document = YAMLDocument(root: YAMLNode(tree(), place: root))
        case .noDocument where isRepaired, .givenUp, .failed:
            break
        case .noDocument:
            diagnostics.report(.emptyFile(at: range(text.start..<bytes.count)))
        }
        if !hasRoom, let last = diagnostics.list.last {
            diagnostics.report(
                .findingsCut(
                    diagnostics.list.count, at: last.range, hasErrors: diagnostics.hasErrors))
        }
        all.report(contentsOf: diagnostics)
        return document
    }
}

extension Diagnostic {
    fileprivate static func findingsCut(
        _ count: Int, at range: SourceRange, hasErrors: Bool
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlLimit,
            message: "only the first \(count) findings about the YAML of this file are shown",
            at: range, label: "there may be more findings after this one",
            help: ["fix these findings first"])
        if !hasErrors { diagnostic.level = .warning }
        return diagnostic
    }

    fileprivate static func emptyFile(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlEmptyFile, message: "the file is empty", at: range,
            label: "only whitespace and comments",
            help: ["write `key: value` lines, or remove the file"])
    }
}

/// The data of one scalar, collection or alias: 24 bytes.
struct NodeRecord {
    enum Kind: UInt8 { case scalar, sequence, mapping, alias }

    /// The type that an explicit tag of the core schema gives a scalar.
    enum CoreTag: UInt8 { case none, string, int, float, bool, null }

    /// The place in the file, without anchor and tag.
    var start: UInt32
    var end: UInt32
    /// For a scalar, the start of its text; for a collection, the index of its first child; for an
    /// alias, the node that it refers to.
    var first: UInt32 = 0
    /// For a scalar, the number of bytes of its text; for a collection, the number of its children;
    /// a mapping has two for each entry.
    var count: UInt32 = 0
    /// For a block scalar, one more than the column of the enclosing collection, which indentation
    /// is measured from.
    var indent: UInt32 = 0
    var kind: Kind
    var style: YAMLScalar.Style = .plain
    var tag: CoreTag = .none
    var flags: Flags = []

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The text isn't in the file unchanged: it is in the side buffer.
        static let isDecoded = Flags(rawValue: 1)
        /// It replaces a value that was reported as invalid.
        static let isBroken = Flags(rawValue: 2)
        /// A collection is written with brackets.
        static let isFlow = Flags(rawValue: 4)
    }
}

/// A whole document in flat arrays, the nodes in the order of the file. Immutable once built.
final class YAMLTree: Sendable {
    let file: FileID
    /// The bytes of the file; values that were set aside are overwritten.
    let bytes: [UInt8]
    let records: [NodeRecord]
    /// The children of all collections, those of each collection in a row.
    let children: [UInt32]
    /// The texts of the scalars that had to be decoded.
    let decoded: [UInt8]
    /// The anchor and tag before a node, for the few that have one.
    let properties: [UInt32: NodeProperties]

    init(
        file: FileID, bytes: [UInt8], records: [NodeRecord], children: [UInt32], decoded: [UInt8],
        properties: [UInt32: NodeProperties]
    ) {
        self.file = file
        self.bytes = bytes
        self.records = records
        self.children = children
        self.decoded = decoded
        self.properties = properties
    }
}

extension NodeRecord: Sendable {}

/// The places of the anchor and the tag before a value.
struct NodeProperties: Sendable {
    var anchor: Range<Int>?
    var tag: Range<Int>?
}

extension YAMLTree {
    /// Returns the decoded text of a scalar.
    func text(of record: NodeRecord) -> String {
        let range = Int(record.first)..<Int(record.first + record.count)
        // Two separate calls: selecting one of the arrays first would retain it.
        if record.flags.contains(.isDecoded) { return String(utf8: decoded, from: range) }
        return String(utf8: bytes, from: range)
    }

    /// Returns the decoded text of a scalar in UTF-8.
    func utf8(of record: NodeRecord) -> ArraySlice<UInt8> {
        let range = Int(record.first)..<Int(record.first + record.count)
        return record.flags.contains(.isDecoded) ? decoded[range] : bytes[range]
    }

    /// Returns the map from the decoded text of a scalar back to the file.
    func textMap(of record: NodeRecord) -> TextMap {
        var map =
            record.flags.contains(.isDecoded)
            ? decodeScalar(record, in: bytes, file: file).map
            : TextMap(file: file, offset: Int(record.first), length: Int(record.count))
        map.quoting =
            switch record.style {
            case .plain: .plain
            case .singleQuoted: .single
            case .doubleQuoted: .double
            case .literal, .folded: .none
            }
        return map
    }

    /// Returns the value of a scalar in the core schema.
    func value(of record: NodeRecord) -> CoreValue {
        coreValue(record, in: bytes, decoded: decoded)
    }

    /// Returns the text of a scalar that is a string in the core schema; nil for anything else, and
    /// for values that were set aside.
    func textByCoreSchema(at place: UInt32) -> String? {
        var record = records[Int(place)]
        if record.kind == .alias { record = records[Int(record.first)] }
        guard record.kind == .scalar, !record.flags.contains(.isBroken),
            case .string = value(of: record)
        else { return nil }
        return text(of: record)
    }

    /// Returns true if the decoded text of a scalar contains a sign.
    private func hasSign(_ record: NodeRecord) -> Bool {
        record.flags.contains(.isDecoded)
            ? Self.hasSign(decoded, record: record) : Self.hasSign(bytes, record: record)
    }

    private static func hasSign(_ bytes: borrowing [UInt8], record: NodeRecord) -> Bool {
        let text = bytes.span.extracting(Int(record.first)..<Int(record.first + record.count))
        var found: UInt8 = 0
        // Without branches the compiler can process many bytes at the same time.
        for index in 0..<text.count {
            let byte = text[index]
            // Among these, the brackets and the backslash differ in one bit, or are consecutive.
            found |=
                ((byte | 0x20) &- UInt8(ascii: "{") < 3 ? 1 : 0)
                | (byte == UInt8(ascii: "%") ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
        }
        return found != 0
    }

    /// Adds the scalars in a value, except keys, whose texts contain a sign, in the order of the
    /// file. The parser bounds the depth.
    ///
    /// It adds numbers and calls no closure, so that no reference to the lists needs to be counted.
    func addTextsWithSigns(in place: UInt32, to found: inout [UInt32]) {
        var record = records[Int(place)]
        if record.kind == .alias { record = records[Int(record.first)] }
        let end = Int(record.first + record.count)
        switch record.kind {
        case .scalar, .alias:
            if hasSign(record) { found.append(place) }
        case .sequence, .mapping:
            let isMapping = record.kind == .mapping
            var child = Int(record.first) + (isMapping ? 1 : 0)
            while child < end {
                addTextsWithSigns(in: children[child], to: &found)
                child += isMapping ? 2 : 1
            }
        }
    }
}
