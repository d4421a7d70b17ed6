// Usable from inline, so that code of other modules is specialized for it: otherwise every step
// from one node to the next would be a call through the protocol.
/// The index of a node in a syntax tree.
@usableFromInline
package struct NodeID: ListIndex {
    /// Half the size of an `Int`: trees contain many of them, and an error has no room for more.
    @usableFromInline let place: Int32

    @inlinable @inline(__always)
    package var number: Int { Int(place) }

    @inlinable @inline(__always)
    package init(_ number: Int) { place = Int32(number) }
}

/// One node of a syntax tree. Its children are side by side in the tree's list of children.
package struct SyntaxNode: Sendable {
    package enum Kind: UInt8, Sendable {
        /// `payload` is an index into the values.
        case literal
        /// Its name is in the text, or `payload` is its index; `flag` if it is written `.name`.
        case identifier
        /// `operand.name`, or with `flag` `operand.?name`.
        case select
        /// `has(child)`; the child is a select or an identifier.
        case presence
        /// `name(children)`; `flag` if it is written `.name()`.
        case call
        /// `children[0].name(children[1...])`.
        case memberCall
        /// `operator` is its operator. `&&` and `||` have two or more children.
        case operation
        case list
        /// Keys and values in turn.
        case map
        /// `Name{field: value}`: the children are the name, then fields (literals) and values in
        /// turn.
        case message
        /// `?child` in a list, or before the key in a map.
        case optionalEntry
        /// `macro` is the macro; the children are its range, `payload` variables (identifiers), the
        /// filter if `flag` is set, and the body.
        case macro

        /// True if the payload is a name.
        var hasName: Bool {
            switch self {
            case .identifier, .select, .call, .memberCall: true
            case .literal, .presence, .operation, .list, .map, .message, .optionalEntry, .macro:
                false
            }
        }
    }

    package var kind: Kind
    package var `operator` = Operator.and
    var macro = Macro.all
    package var flag = false
    /// Levels of nodes below and including this one.
    var height: UInt16 = 1
    /// Index into the tree's origins.
    package var origin: UInt32 = 0
    /// For a node with a name: the index of the name among the values, or less than 0 if the name
    /// is in the text.
    package var payload: Int32 = 0
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// The whole node, as offsets in its origin.
    package var start: UInt32 = 0
    package var end: UInt32 = 0
    /// The characteristic part of the node: an operator, a function's name, a field.
    var focusStart: UInt32 = 0
    var focusEnd: UInt32 = 0
}

extension SyntaxNode {
    /// The payload of a node whose name is the text of the focus: most names are looked up once,
    /// and no string is kept for them.
    static let plainName: Int32 = -1
    /// The same for a name between backticks.
    static let quotedName: Int32 = -2

    /// The place of its name in the text; nil if it isn't in the text.
    package var placeOfName: Range<Int>? {
        switch payload {
        case Self.plainName: Int(focusStart)..<Int(focusEnd)
        case Self.quotedName: Int(focusStart) + 1..<Int(focusEnd) - 1
        default: nil
        }
    }
}
