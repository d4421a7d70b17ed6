/// A place as libyaml counts it: all numbers from zero, in characters, from the start of the input.
struct Mark: Hashable {
    var character: Int
    var line: Int
    var column: Int
}

/// The event that libyaml read last. The text, anchor and tag are read from the parser while the
/// event is current.
struct LibYAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    var kind: Kind
    // Only the needed parts of the marks: copying the marks waits for libyaml's stores, which took
    // a third of the time of building the tree from events.
    /// The first character of the event, including an anchor or tag before the value.
    var start: Int
    /// The character after the event.
    var end: Int
    var endColumn: Int
}

/// A token of libyaml.
struct LibYAMLToken {
    enum Kind {
        case streamStart, streamEnd, directive, documentStart, documentEnd
        // These have no length: they mark the start and the end of block collections.
        case blockSequenceStart, blockMappingStart, blockEnd
        case flowSequenceStart, flowSequenceEnd, flowMappingStart, flowMappingEnd
        /// `-` and `,`.
        case blockEntry, flowEntry
        /// The start of a key: a `?`, or nothing.
        case key
        /// `:`.
        case value
        case alias, anchor, tag, scalar
    }

    var kind: Kind
    var start: Mark
    var end: Mark
}

/// The reason why libyaml can't continue.
struct LibYAMLError: Error {
    var problem: Problem
    /// The construct that was being read.
    var context: Problem.Context
    var problemMark: Mark
    /// The start of that construct.
    var contextMark: Mark
}
