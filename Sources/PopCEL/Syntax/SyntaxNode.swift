// Usable from inline, so that what another module does with it is compiled for it: otherwise every
// step from one node to the next would be a call through the protocol.
/// The place of a node in a syntax tree.
@usableFromInline
package struct NodeID: ListIndex {
    /// In half the room of an `Int`: trees hold many of them, and an error has no room for more.
    @usableFromInline let place: Int32

    @inlinable @inline(__always)
    package var number: Int { Int(place) }

    @inlinable @inline(__always)
    package init(_ number: Int) { place = Int32(number) }
}

/// One node of a syntax tree. Its children stand side by side in the tree's list of children.
package struct SyntaxNode: Sendable {
    package enum Kind: UInt8, Sendable {
        /// `payload` is an index into the values.
        case literal
        /// Its name stands in the text, or `payload` says where; `flag` when it is written `.name`.
        case identifier
        /// `operand.name`, or with `flag` `operand.?name`.
        case select
        /// `has(child)`; the child is a select or an identifier.
        case presence
        /// `name(children)`; `flag` when it is written `.name()`.
        case call
        /// `children[0].name(children[1...])`.
        case memberCall
        /// `operator` says which. `&&` and `||` have two or more children.
        case operation
        case list
        /// Keys and values in turn.
        case map
        /// `Name{field: value}`: the children are the name, then fields (literals) and values in
        /// turn.
        case message
        /// `?child` in a list, or before the key in a map.
        case optionalEntry
        /// `macro` says which; the children are what it ranges over, `payload` variables
        /// (identifiers), the filter when `flag` is set, and the body.
        case macro

        /// Whether the payload is a name.
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
    /// Of what has a name: an index into the values, where the name stands, or less than 0 when it
    /// stands in the text.
    package var payload: Int32 = 0
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// The whole node, as offsets in its origin.
    package var start: UInt32 = 0
    package var end: UInt32 = 0
    /// The part that stands for the node: an operator, a function's name, a field.
    var focusStart: UInt32 = 0
    var focusEnd: UInt32 = 0
}

extension SyntaxNode {
    /// The payload of what has a name that is the text of the focus: most names are looked up once,
    /// and no string is kept of them.
    static let plainName: Int32 = -1
    /// The same of a name between backticks.
    static let quotedName: Int32 = -2

    /// Where its name stands in the text; nil when it stands in none.
    package var placeOfName: Range<Int>? {
        switch payload {
        case Self.plainName: Int(focusStart)..<Int(focusEnd)
        case Self.quotedName: Int(focusStart) + 1..<Int(focusEnd) - 1
        default: nil
        }
    }
}
