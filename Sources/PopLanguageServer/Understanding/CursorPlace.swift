/// The surroundings of a place in a file that need not be valid YAML yet: the keys around it, and
/// the kind of text that is being written there.
package struct CursorPlace: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case key(String)
        case item
    }

    package enum Role: Sendable, Hashable {
        /// A key of a map.
        case key
        /// The value of the last key, or of the last item.
        case value
        /// Either a key or a value: both are still possible.
        case open
    }

    /// From the top of the file to the map, list or value that the place is in.
    package var path: [Step] = []
    package var role = Role.open
    /// The bytes in front of the place that belong to what is being written.
    package var typed: Range<Int>
    /// Indicates whether the place is between braces or brackets.
    package var isFlow = false
    /// The quote that the value begins with; nil without one.
    package var quote: UInt8?
    /// Indicates whether the value is below a `|` or `>`.
    package var isBlock = false
    /// The keys that the map already has, with the text after them on their lines.
    package var beside: [String: String] = [:]
    /// The same of the map around, in whose value the place is.
    package var around: [String: String] = [:]
    /// The column of the map's keys, from 0.
    package var column = 0
    /// The place of a key at the level of the key above, if its value is complete: editors indent
    /// the next line more. At most one.
    package var besideKeyAbove: [CursorPlace] = []
}

extension CursorPlace {
    /// The entry of a section that the place is in.
    var entry: String? {
        guard path.count > 1, case .key(let name) = path[1] else { return nil }
        return name
    }

    /// The popup whose `after` the place is in: it cannot come after itself.
    var ownPopup: String? {
        guard path.count > 2, path[0] == .key("popups"), path[2] == .key("after"),
            case .key(let name) = path[1]
        else { return nil }
        return name
    }

    /// Nil in a comment. Linear in the text before the place.
    package init?(in bytes: [UInt8], at cursor: Int) {
        var scan = CursorScan(bytes: bytes, cursor: min(max(cursor, 0), bytes.count))
        guard let place = scan.run() else { return nil }
        self = place
    }
}
