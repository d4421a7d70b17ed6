internal import CLibYAML

/// Owns a libyaml parser and its current event: the only code that touches C.
///
/// Its results are Swift values. Marks count characters, as libyaml does, from the start of the
/// input.
@safe
struct LibYAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>
    private let input: UnsafeBufferPointer<UInt8>

    /// Runs `body` with a parser over the bytes after an offset; nil if memory is exhausted.
    static func reading<Result>(
        _ bytes: [UInt8], from start: Int, body: (inout LibYAMLParser) -> Result
    ) -> Result? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard var parser = unsafe LibYAMLParser(reading: buffer, from: start) else {
                return nil
            }
            return body(&parser)
        }
    }

    /// Creates a parser; the buffer must outlive it.
    private init?(reading buffer: UnsafeBufferPointer<UInt8>, from start: Int) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) != 0 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe self.parser = unsafe parser
        unsafe event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
        unsafe event.initialize(to: yaml_event_t())
        unsafe input = unsafe buffer
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        let rest = unsafe UnsafeBufferPointer(rebasing: buffer[start...])
        unsafe yaml_parser_set_input_string(parser, rest.baseAddress, rest.count)
    }

    deinit {
        unsafe yaml_event_delete(event)
        unsafe yaml_parser_delete(parser)
        unsafe event.deallocate()
        unsafe parser.deallocate()
    }

    /// Reads the next event, or throws the reason why there is no event.
    mutating func next() throws(LibYAMLError) -> LibYAMLEvent {
        unsafe yaml_event_delete(event)
        guard unsafe yaml_parser_parse(parser, event) != 0 else { throw error }
        return unsafe LibYAMLEvent(
            kind: LibYAMLEvent.Kind(event.pointee.type), start: event.pointee.start_mark.index,
            end: event.pointee.end_mark.index, endColumn: event.pointee.end_mark.column)
    }

    /// Reads the next token, or throws the reason why there is no token; don't mix it with events.
    mutating func nextToken() throws(LibYAMLError) -> LibYAMLToken {
        var token = unsafe yaml_token_t()
        guard unsafe yaml_parser_scan(parser, &token) != 0 else { throw error }
        defer { unsafe yaml_token_delete(&token) }
        return unsafe LibYAMLToken(
            kind: LibYAMLToken.Kind(token.type), start: Mark(token.start_mark),
            end: Mark(token.end_mark))
    }

    /// The style of the current scalar.
    var scalarStyle: YAMLScalar.Style {
        switch unsafe event.pointee.data.scalar.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    /// The number of bytes of the current scalar's decoded text.
    var scalarLength: Int { unsafe event.pointee.data.scalar.length }

    /// Returns true if the decoded text of the current scalar is unchanged at that offset of the
    /// input.
    func scalarStands(at offset: Int) -> Bool {
        let length = scalarLength
        guard offset >= 0, unsafe length <= input.count - offset else { return false }
        guard length > 0, let value = unsafe event.pointee.data.scalar.value,
            let start = unsafe input.baseAddress
        else {
            return length == 0
        }
        return unsafe memcmp(value, start + offset, length) == 0
    }

    /// Appends the decoded text of the current scalar.
    func appendScalar(to buffer: inout [UInt8]) {
        guard let value = unsafe event.pointee.data.scalar.value else { return }
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: value, count: scalarLength))
    }

    /// True if the current scalar or collection has an anchor or a tag.
    var hasProperties: Bool {
        switch unsafe event.pointee.type {
        case YAML_SCALAR_EVENT:
            unsafe event.pointee.data.scalar.anchor != nil || event.pointee.data.scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            unsafe event.pointee.data.sequence_start.anchor != nil
                || event.pointee.data.sequence_start.tag != nil
        case YAML_MAPPING_START_EVENT:
            unsafe event.pointee.data.mapping_start.anchor != nil
                || event.pointee.data.mapping_start.tag != nil
        default: false
        }
    }

    /// The anchor of the current scalar or collection, or the name in the current alias.
    var anchor: String? {
        switch unsafe event.pointee.type {
        case YAML_ALIAS_EVENT: unsafe Self.string(event.pointee.data.alias.anchor)
        case YAML_SCALAR_EVENT: unsafe Self.string(event.pointee.data.scalar.anchor)
        case YAML_SEQUENCE_START_EVENT:
            unsafe Self.string(event.pointee.data.sequence_start.anchor)
        case YAML_MAPPING_START_EVENT: unsafe Self.string(event.pointee.data.mapping_start.anchor)
        default: nil
        }
    }

    /// The tag of the current scalar or collection, with its full prefix.
    var tag: String? {
        switch unsafe event.pointee.type {
        case YAML_SCALAR_EVENT: unsafe Self.string(event.pointee.data.scalar.tag)
        case YAML_SEQUENCE_START_EVENT: unsafe Self.string(event.pointee.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT: unsafe Self.string(event.pointee.data.mapping_start.tag)
        default: nil
        }
    }

    /// True if the current collection is written with brackets.
    var isFlow: Bool {
        switch unsafe event.pointee.type {
        case YAML_SEQUENCE_START_EVENT:
            unsafe event.pointee.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
        case YAML_MAPPING_START_EVENT:
            unsafe event.pointee.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
        default: false
        }
    }

    private var error: LibYAMLError {
        unsafe LibYAMLError(
            problem: Problem(
                sentence: parser.pointee.problem.map { unsafe String(cString: $0) }),
            context: Problem.Context(
                sentence: parser.pointee.context.map { unsafe String(cString: $0) } ?? ""),
            problemMark: Mark(parser.pointee.problem_mark),
            contextMark: Mark(parser.pointee.context_mark))
    }

    private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}

extension String {
    /// Creates a string from some bytes in UTF-8.
    ///
    /// It is in this file, with the code for pointers, and only borrows the bytes: slices and spans
    /// count references to them, which would slow down the cores that read the same file.
    init(utf8 bytes: borrowing [UInt8], from range: Range<Int>) {
        self = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe String(decoding: buffer[range], as: UTF8.self)
        }
    }
}

extension Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(character: mark.index, line: mark.line, column: mark.column)
    }
}

extension LibYAMLEvent.Kind {
    fileprivate init(_ type: yaml_event_type_t) {
        self =
            switch type {
            case YAML_STREAM_START_EVENT: .streamStart
            case YAML_DOCUMENT_START_EVENT: .documentStart
            case YAML_DOCUMENT_END_EVENT: .documentEnd
            case YAML_ALIAS_EVENT: .alias
            case YAML_SCALAR_EVENT: .scalar
            case YAML_SEQUENCE_START_EVENT: .sequenceStart
            case YAML_SEQUENCE_END_EVENT: .sequenceEnd
            case YAML_MAPPING_START_EVENT: .mappingStart
            case YAML_MAPPING_END_EVENT: .mappingEnd
            default: .streamEnd
            }
    }
}

extension LibYAMLToken.Kind {
    fileprivate init(_ type: yaml_token_type_t) {
        self =
            switch type {
            case YAML_STREAM_START_TOKEN: .streamStart
            case YAML_STREAM_END_TOKEN, YAML_NO_TOKEN: .streamEnd
            case YAML_VERSION_DIRECTIVE_TOKEN, YAML_TAG_DIRECTIVE_TOKEN: .directive
            case YAML_DOCUMENT_START_TOKEN: .documentStart
            case YAML_DOCUMENT_END_TOKEN: .documentEnd
            case YAML_BLOCK_SEQUENCE_START_TOKEN: .blockSequenceStart
            case YAML_BLOCK_MAPPING_START_TOKEN: .blockMappingStart
            case YAML_BLOCK_END_TOKEN: .blockEnd
            case YAML_FLOW_SEQUENCE_START_TOKEN: .flowSequenceStart
            case YAML_FLOW_SEQUENCE_END_TOKEN: .flowSequenceEnd
            case YAML_FLOW_MAPPING_START_TOKEN: .flowMappingStart
            case YAML_FLOW_MAPPING_END_TOKEN: .flowMappingEnd
            case YAML_BLOCK_ENTRY_TOKEN: .blockEntry
            case YAML_FLOW_ENTRY_TOKEN: .flowEntry
            case YAML_KEY_TOKEN: .key
            case YAML_VALUE_TOKEN: .value
            case YAML_ALIAS_TOKEN: .alias
            case YAML_ANCHOR_TOKEN: .anchor
            case YAML_TAG_TOKEN: .tag
            default: .scalar
            }
    }
}
