internal import PopSource

/// Builds the flat tree from libyaml's events: one pass, no recursion.
///
/// If a mutating method of the builder calls a nonmutating one, the compiler copies the builder,
/// 281 bytes, and waits for the last stores. Therefore the code for each scalar and each key avoids
/// such calls.
struct TreeBuilder {
    /// The result of reading the events.
    enum Ending {
        case document(root: UInt32)
        case noDocument
        /// A limit was exceeded, and that was reported.
        case givenUp
        case failed(YAMLSyntaxError)
    }

    /// A collection that isn't closed yet.
    struct Frame {
        var node: UInt32
        /// The index of its first child among the pending nodes.
        var firstChild: Int
        /// One more than the column that its contents are indented from.
        var indent: UInt32
        /// The depth of the collections inside.
        var height = 0
        /// The anchor before it, and the number of nodes visited at its start.
        var anchor: Int?
        var visited: Int
    }

    let file: FileID
    let bytes: [UInt8]
    /// The bytes before invalid ones were replaced; nil if none was.
    let original: [UInt8]?
    let limits: YAMLLimits
    /// The starts of values that were set aside in an earlier attempt.
    let broken: Set<Int>
    var offsets: CharacterOffsets
    var records: [NodeRecord] = []
    var children: [UInt32] = []
    var decoded: [UInt8] = []
    var properties: [UInt32: NodeProperties] = [:]
    var diagnostics = Diagnostics()
    var stack: [Frame] = []
    var pending: [UInt32] = []
    var anchors = Anchors()
    var keys = KeySet()
    /// The number of nodes that a walk visits again because of aliases.
    var repeated = 0
    /// The last quoted scalar: a missing quote only becomes apparent after the next one.
    var lastQuoted: Range<Int>?
    /// The start of a key that is indented with spaces that YAML reads as a part of the key.
    private var otherSpaces: Int?
    private var root: UInt32?

    init(_ text: CheckedText, limits: YAMLLimits, broken: Set<Int>) {
        file = text.file
        bytes = text.bytes
        original = text.original
        self.limits = limits
        self.broken = broken
        offsets = CharacterOffsets(isASCII: text.isASCII, base: text.start)
        let length = text.bytes.count - text.start
        // Typical files have one node per twelve bytes.
        records.reserveCapacity(min(length / 11, limits.nodes) + 8)
        children.reserveCapacity(min(length / 11, limits.nodes) + 8)
        // Growing lists are copied at 2, 4, 8 entries and so on.
        pending.reserveCapacity(64)
        stack.reserveCapacity(8)
    }

    mutating func build(_ parser: inout LibYAMLParser) -> Ending {
        do {
            while true {
                let event = try parser.next()
                switch event.kind {
                case .streamStart, .documentStart: continue
                case .streamEnd: return .noDocument
                case .documentEnd:
                    return ending(behind: offset(event.end))
                case .alias: addAlias(event, with: parser)
                case .scalar:
                    addScalar(event, with: parser)
                    if let place = otherSpaces { return .failed(.otherSpaces(at: place)) }
                case .sequenceStart: open(.sequence, event: event, with: parser)
                case .mappingStart: open(.mapping, event: event, with: parser)
                case .sequenceEnd: closeCollection(event)
                case .mappingEnd: closeCollection(event)
                }
                if isOverLimit() { return .givenUp }
            }
        } catch {
            return .failed(
                YAMLSyntaxError(
                    problem: error.problem, context: error.context,
                    contextOffset: offset(error.contextMark.character),
                    offset: offset(error.problemMark.character),
                    lastQuoted: lastQuoted, openBracket: openBracket))
        }
    }

    /// The start of the innermost open collection with brackets.
    private var openBracket: Int? {
        guard let record = stack.last.map({ records[Int($0.node)] }),
            record.flags.contains(.isFlow)
        else { return nil }
        return Int(record.start)
    }

    /// Examines the text after the document: libyaml isn't asked to read a second document.
    private mutating func ending(behind end: Int) -> Ending {
        guard let root else { return .noDocument }
        switch rest(behind: end) {
        case .nothing: break
        case .document(let offset): reportSecondDocument(at: offset)
        case .text(let offset):
            return .failed(
                YAMLSyntaxError(
                    problem: .noDocumentStart, context: .other,
                    contextOffset: offset, offset: offset, lastQuoted: lastQuoted))
        }
        return .document(root: root)
    }

    func tree() -> YAMLTree {
        YAMLTree(
            file: file, bytes: bytes, records: records, children: children, decoded: decoded,
            properties: properties)
    }

    /// Returns the byte offset of a character, as libyaml counts characters.
    mutating func offset(_ character: Int) -> Int {
        offsets.byte(ofCharacter: character, in: bytes)
    }

    /// True if the maximum number of findings isn't reached yet.
    var hasRoom: Bool { diagnostics.list.count < limits.diagnostics }

    mutating func report(_ diagnostic: Diagnostic) {
        if hasRoom { diagnostics.report(diagnostic) }
    }

    func range(_ bytes: Range<Int>) -> SourceRange { SourceRange(file: file, bytes) }

    /// Adds a finished node to the enclosing collection.
    mutating func add(_ node: UInt32) {
        if stack.isEmpty { root = node } else { pending.append(node) }
    }

    // MARK: scalars

    private mutating func addScalar(_ event: LibYAMLEvent, with parser: borrowing LibYAMLParser) {
        var start = offset(event.start)
        var end = offset(event.end)
        let node = UInt32(records.count)
        // One check for both, because hardly any scalar has one of them.
        let hasProperties = parser.hasProperties
        if hasProperties {
            let places = skipProperties(from: start, to: end)
            start = min(places.end, end)
            properties[node] = places.properties
        }
        let style = parser.scalarStyle
        let text = keepText(style, from: start, with: parser)
        var flags: NodeRecord.Flags = text.isDecoded ? .isDecoded : []
        var indent: UInt32 = 0
        if style.isBlock {
            indent = stack.last?.indent ?? 0
            end = endOfBlockScalar(from: start, to: end)
        }
        if style.isQuoted { lastQuoted = start..<end }
        // Invalid characters have been reported already; errors that they cause aren't.
        if broken.contains(start) || original != nil && hasWrongBytes(start..<end) {
            flags.insert(.isBroken)
        }
        // Created in one step: if it were filled field by field, it would be read before its fields
        // have reached memory.
        let record = NodeRecord(
            start: UInt32(start), end: UInt32(end), first: UInt32(text.first),
            count: UInt32(parser.scalarLength), indent: indent, kind: .scalar, style: style,
            flags: flags)
        records.append(record)
        if record.count > 1, start < bytes.count {
            if bytes[start] == UInt8(ascii: "0") { reportLeadingZero(node) }
            if bytes[start] >= 0xC2, style == .plain,
                SourceLine.hasOtherIndentation(bytes, before: start)
            {
                otherSpaces = start
            }
        }
        if hasProperties { applyProperties(parser, to: node) }
        add(node)
    }

    /// Defines the anchor and applies the tag before the current scalar.
    private mutating func applyProperties(_ parser: borrowing LibYAMLParser, to node: UInt32) {
        if let anchor = parser.anchor {
            define(anchor, at: node, since: records.count + repeated - 1, height: 0)
        }
        if let tag = parser.tag { applyTag(tag, to: node) }
    }

    private func hasWrongBytes(_ range: Range<Int>) -> Bool {
        guard let original else { return false }
        return original[range] != bytes[range]
    }

    /// Returns the start of the text of a scalar: in the file if the text is there unchanged,
    /// otherwise in the side buffer, to which a copy is added.
    private mutating func keepText(
        _ style: YAMLScalar.Style, from start: Int, with parser: borrowing LibYAMLParser
    ) -> (first: Int, isDecoded: Bool) {
        let textStart = style.isQuoted ? start + 1 : start
        if !style.isBlock, parser.scalarStands(at: textStart) { return (textStart, false) }
        let first = decoded.count
        parser.appendScalar(to: &decoded)
        return (first, true)
    }

    /// Returns the end of a block scalar; libyaml's end is after the empty lines that follow it.
    private func endOfBlockScalar(from start: Int, to end: Int) -> Int {
        var end = end
        while end > start + 1,
            isBlank(bytes[end - 1]) || bytes[end - 1] == UInt8(ascii: "\n")
                || bytes[end - 1] == UInt8(ascii: "\r")
        {
            end -= 1
        }
        return end
    }

    // MARK: collections

    private mutating func open(
        _ kind: NodeRecord.Kind, event: LibYAMLEvent, with parser: borrowing LibYAMLParser
    ) {
        let node = UInt32(records.count)
        let tokenEnd = offset(event.end)
        let isFlow = parser.isFlow
        // The token of a block collection has no width, except for a sequence whose dashes are
        // directly below the key, which doesn't count as indentation.
        let isIndentless =
            !isFlow && kind == .sequence
            && !(tokenEnd < bytes.count && bytes[tokenEnd] == UInt8(ascii: "-")
                && isBlankOrBreak(at: tokenEnd + 1))
        var record = NodeRecord(start: 0, end: 0, kind: kind)
        let start = isFlow || isIndentless ? max(tokenEnd - 1, 0) : tokenEnd
        record.start = UInt32(start)
        record.end = UInt32(tokenEnd)
        if isFlow { record.flags.insert(.isFlow) }
        let outer = stack.last?.indent ?? 0
        var frame = Frame(
            node: node, firstChild: pending.count,
            indent: isFlow || isIndentless ? outer : UInt32(event.endColumn) + 1,
            visited: records.count + repeated)
        records.append(record)
        if parser.hasProperties {
            properties[node] = skipProperties(from: offset(event.start), to: start).properties
            frame.anchor = parser.anchor.map { begin($0, at: node) }
            if let tag = parser.tag { applyTag(tag, to: node) }
        }
        stack.append(frame)
    }

    func isBlankOrBreak(at offset: Int) -> Bool {
        offset >= bytes.count || isBlank(bytes[offset])
            || lineBreakLength(bytes, at: offset) > 0
    }

    private mutating func closeCollection(_ event: LibYAMLEvent) {
        guard let frame = stack.popLast() else { return }
        var record = records[Int(frame.node)]
        if record.flags.contains(.isFlow) {
            reportCutValues(frame)
            record.end = UInt32(offset(event.end))
        } else if frame.firstChild < pending.count {
            // A block ends at the end of its last value; libyaml returns the start of the next
            // token.
            record.end = max(records[Int(pending[pending.count - 1])].end, record.start)
        }
        record.first = UInt32(children.count)
        let isMapping = record.kind == .mapping
        if isMapping {
            addEntries(frame)
        } else {
            children += pending[frame.firstChild...]
        }
        record.count = UInt32(children.count) - record.first
        records[Int(frame.node)] = record
        if isMapping { reportCutAtColon(frame) }
        pending.removeLast(pending.count - frame.firstChild)
        if let anchor = frame.anchor {
            complete(anchor, since: frame.visited, height: frame.height + 1)
        }
        raiseHeight(to: frame.height + 1)
        add(frame.node)
    }

    /// Records that a collection of that height is inside the innermost open collection.
    mutating func raiseHeight(to height: Int) {
        if let last = stack.indices.last, stack[last].height < height {
            stack[last].height = height
        }
    }
}

extension TreeBuilder {
    /// Reports the first limit that the document exceeds.
    mutating func isOverLimit() -> Bool {
        if records.count > limits.nodes {
            diagnostics.report(.tooManyNodes(limits.nodes, at: lastPlace))
        } else if depth > limits.depth {
            diagnostics.report(.tooDeep(limits.depth, at: lastPlace))
        } else if repeated > limits.repeatedNodes {
            diagnostics.report(.tooManyRepeated(limits.repeatedNodes, at: lastPlace))
        } else {
            return false
        }
        return true
    }

    /// The depth of the innermost open collection, together with the known depth inside it.
    private var depth: Int { stack.count + (stack.last?.height ?? 0) }

    private var lastPlace: SourceRange {
        guard let last = records.last else { return range(0..<0) }
        return range(Int(last.start)..<Int(last.end))
    }
}

extension Diagnostic {
    fileprivate static func tooManyNodes(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "the file contains more than \(limit) keys and values", at: range,
            label: "not read from here on", help: ["split the rules into several files"])
    }

    fileprivate static func tooDeep(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "lists and maps are nested more than \(limit) levels deep",
            at: range,
            label: "not read from here on", help: ["nest fewer lists and maps"])
    }

    fileprivate static func tooManyRepeated(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit,
            message: "aliases repeat more than \(limit) keys and values, or 32 times as many bytes",
            at: range, label: "not read from here on",
            help: ["use fewer aliases of values that contain aliases themselves"])
    }
}

extension TreeBuilder {
    /// The content after the end of a document, without comments.
    enum Rest {
        case nothing
        case document(at: Int)
        /// Text that belongs to no document.
        case text(at: Int)
    }

    func rest(behind documentEnd: Int) -> Rest {
        var offset = documentEnd
        while offset < bytes.count {
            let lineBreak = lineBreakLength(bytes, at: offset)
            if lineBreak > 0 || isBlank(bytes[offset]) {
                offset += max(lineBreak, 1)
            } else if bytes[offset] == UInt8(ascii: "#") {
                while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
            } else if isMarker(".", at: offset) {
                offset += 3
            } else if isMarker("-", at: offset) || bytes[offset] == UInt8(ascii: "%") {
                return .document(at: offset)
            } else {
                return .text(at: offset)
            }
        }
        return .nothing
    }

    /// Returns true if a character occurs three times at an offset and nothing else follows.
    private func isMarker(_ character: Unicode.Scalar, at offset: Int) -> Bool {
        let wanted = UInt8(ascii: character)
        return offset + 3 <= bytes.count && bytes[offset..<offset + 3].allSatisfy { $0 == wanted }
            && isBlankOrBreak(at: offset + 3)
    }

    mutating func reportSecondDocument(at offset: Int) {
        let marker = offset..<min(offset + 3, bytes.count)
        report(.moreDocuments(at: range(marker)))
    }
}

extension Diagnostic {
    fileprivate static func moreDocuments(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlMultiDocument, message: "the file contains more than one document", at: range,
            label: "a second document starts here",
            help: [
                "remove this line and the first lines below it that repeat lines above, if the file"
                    + " should be one document",
                "or move the second document to a file of its own, with the same first line as"
                    + " this file",
            ])
    }
}
