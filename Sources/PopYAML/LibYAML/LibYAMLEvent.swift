/// A place as libyaml counts it: all from zero, in characters, from where the input begins.
struct Mark: Hashable {
    var character: Int
    var line: Int
    var column: Int
}

/// What libyaml read next. The text, anchor and tag are asked of the parser while the event is
/// current.
struct LibYAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    var kind: Kind
    // What is needed of the marks alone: copying those waits for libyaml's stores, which was a
    // third of the time of building the tree from events.
    /// The character where the event begins, an anchor or tag in front of the value included.
    var start: Int
    /// The character behind the event.
    var end: Int
    var endColumn: Int
}

/// A piece of the text as libyaml cuts it up.
struct LibYAMLToken {
    enum Kind {
        case streamStart, streamEnd, directive, documentStart, documentEnd
        // These have no length: they tell where block collections begin and end.
        case blockSequenceStart, blockMappingStart, blockEnd
        case flowSequenceStart, flowSequenceEnd, flowMappingStart, flowMappingEnd
        /// `-` and `,`.
        case blockEntry, flowEntry
        /// In front of a key: a `?`, or nothing.
        case key
        /// `:`.
        case value
        case alias, anchor, tag, scalar
    }

    var kind: Kind
    var start: Mark
    var end: Mark
}

/// Why libyaml cannot go on.
struct LibYAMLError: Error {
    var problem: Problem
    /// What was being read.
    var context: Problem.Context
    var problemMark: Mark
    /// Where it began.
    var contextMark: Mark
}
