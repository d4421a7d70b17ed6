/// What stands around a place of a file that need not be YAML yet: which keys it is in, and what is
/// being written there.
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
        /// Either a key or a value: nothing tells yet.
        case open
    }

    /// From the top of the file to the map, list or value that the place is in.
    package var path: [Step] = []
    package var role = Role.open
    /// The bytes in front of the place that belong to what is being written.
    package var typed: Range<Int>
    /// Whether the place is between braces or brackets.
    package var isFlow = false
    /// The quote that the value begins with; nil without one.
    package var quote: UInt8?
    /// Whether the value stands below a `|` or `>`.
    package var isBlock = false
    /// The keys that the map has already, with what stands behind them on their lines.
    package var beside: [String: String] = [:]
    /// The same of the map around, in whose value the place is.
    package var around: [String: String] = [:]
    /// The column of the map's keys, from 0.
    package var column = 0
}

extension CursorPlace {
    /// The popup whose `after` the place is in: it cannot come after itself.
    var ownPopup: String? {
        guard path.count > 2, path[0] == .key("popups"), path[2] == .key("after"),
            case .key(let name) = path[1]
        else { return nil }
        return name
    }

    /// Nil in a comment. Linear in what stands in front of the place.
    package init?(in bytes: [UInt8], at cursor: Int) {
        var scan = CursorScan(bytes: bytes, cursor: min(max(cursor, 0), bytes.count))
        guard let place = scan.run() else { return nil }
        self = place
    }
}

/// Goes through a file line by line, as far as the place.
private struct CursorScan {
    struct Frame {
        var indent: Int
        var step: CursorPlace.Step
    }

    struct FlowFrame {
        var isMap: Bool
        var key: String?
        /// Where the value of the key begins.
        var value = 0
        var beside: [String: String] = [:]
    }

    let bytes: [UInt8]
    let cursor: Int
    var frames: [Frame] = []
    var flow: [FlowFrame] = []
    var quote: UInt8?
    /// Whether a quote or bracket that is outermost may begin a key.
    var mayBeKey = false
    /// Where what is being written began.
    var start = 0
    /// The column of the key that a block scalar stands below, and where its text begins.
    var block: (indent: Int, start: Int)?

    mutating func run() -> CursorPlace? {
        var lineStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while true {
            var end = lineStart
            while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
            let isLast = cursor <= end
            if let place = scanLine(from: lineStart, to: isLast ? cursor : end, isLast: isLast) {
                return place.typed.lowerBound < 0 ? nil : place
            }
            if isLast { return nil }
            lineStart = end + 1
        }
    }

    private func endOfIndentation(_ start: Int, before end: Int) -> Int {
        var place = start
        while place < end, isSpace(place) { place += 1 }
        return place
    }

    /// How far some bytes of a line reach. A tab, which YAML refuses there, is as wide as one
    /// step of the layout, so that a place is known all the same.
    private func columns(_ range: Range<Int>) -> Int {
        range.count + bytes[range].count { $0 == 0x09 }
    }

    private func isSpace(_ offset: Int) -> Bool { bytes[offset] == 0x20 || bytes[offset] == 0x09 }

    private mutating func scanLine(from line: Int, to end: Int, isLast: Bool) -> CursorPlace? {
        var place = endOfIndentation(line, before: end)
        let indent = columns(line..<place)
        if !flow.isEmpty || quote != nil {
            if isDeeper(place, before: end, indent: indent) {
                return scanFlow(from: line, to: end, isLast: isLast)
            }
            // A bracket or a quote that was never closed: the next key is one all the same.
            flow = []
            quote = nil
        }
        if let block {
            if place == end && !(isLast && indent <= block.indent) || indent > block.indent {
                guard isLast else { return nil }
                return result(.value, from: block.start, isBlock: true)
            }
            self.block = nil
        }
        if place == end, !isLast { return nil }
        if place < end, bytes[place] == UInt8(ascii: "#") { return isLast ? comment : nil }
        pop(to: indent, isItem: isDash(place, before: end))
        while isDash(place, before: end) {
            frames.append(Frame(indent: columns(line..<place), step: .item))
            place = endOfIndentation(place + 1, before: end)
            if place == end { return isLast ? result(.open, from: place) : nil }
        }
        let column = columns(line..<place)
        guard let colon = colon(from: place, to: end) else {
            return scanValue(from: place, to: end, isLast: isLast, key: nil, column: column)
        }
        let key = unquoted(place..<colon)
        frames.append(Frame(indent: column, step: .key(key)))
        var value = colon + 1
        while value < end, isSpace(value) { value += 1 }
        return scanValue(from: value, to: end, isLast: isLast, key: key, column: column)
    }

    /// Whether a line may go on with what brackets or quotes hold: it stands deeper than their key.
    private func isDeeper(_ place: Int, before end: Int, indent: Int) -> Bool {
        guard place < end, let owner = frames.last else { return true }
        return indent > owner.indent || "]}".utf8.contains(bytes[place])
    }

    private mutating func pop(to indent: Int, isItem: Bool) {
        while let last = frames.last {
            // A list may stand as far left as the key that it belongs to.
            let isOwner = last.indent == indent && isItem && last.step != .item
            guard last.indent > indent || last.indent == indent && !isOwner else { return }
            frames.removeLast()
        }
    }

    private func isDash(_ place: Int, before end: Int) -> Bool {
        place < end && bytes[place] == UInt8(ascii: "-")
            && (place + 1 == end || isSpace(place + 1))
    }

    /// The colon behind a key of a block map.
    private func colon(from start: Int, to end: Int) -> Int? {
        var place = start
        if place < end, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
            let quote = bytes[place]
            place += 1
            while place < end, bytes[place] != quote { place += 1 }
            guard place < end else { return nil }
            place += 1
            while place < end, isSpace(place) { place += 1 }
            return place < end && bytes[place] == UInt8(ascii: ":") ? place : nil
        }
        guard place < end, !"{[#&*!|>%@`".utf8.contains(bytes[place]) else { return nil }
        while place < end {
            if bytes[place] == UInt8(ascii: "#"), isSpace(place - 1) { return nil }
            if bytes[place] == UInt8(ascii: ":"), place + 1 == end || isSpace(place + 1) {
                return place
            }
            place += 1
        }
        return nil
    }

    private mutating func scanValue(
        from value: Int, to end: Int, isLast: Bool, key: String?, column: Int
    ) -> CursorPlace? {
        var place = value
        // An anchor or a tag stands in front of the value.
        while place < end, bytes[place] == UInt8(ascii: "&") || bytes[place] == UInt8(ascii: "!") {
            while place < end, !isSpace(place) { place += 1 }
            while place < end, isSpace(place) { place += 1 }
        }
        let role: CursorPlace.Role = key == nil ? .open : .value
        guard place < end else { return isLast ? result(role, from: place) : nil }
        switch bytes[place] {
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            if isLast { return result(role, from: place) }
            block = (key == nil ? max(column - 1, 0) : column, end + 1)
            return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"):
            mayBeKey = key == nil
            return scanFlow(from: place, to: end, isLast: isLast)
        case UInt8(ascii: "#"): return isLast ? comment : nil
        default:
            guard isLast else { return nil }
            var index = place
            while index < end {
                if bytes[index] == UInt8(ascii: "#"), isSpace(index - 1) { return comment }
                index += 1
            }
            return result(role, from: place)
        }
    }

    /// Says that there is nothing to write: in a comment.
    private var comment: CursorPlace { CursorPlace(typed: -1..<0) }

    private mutating func scanFlow(from begin: Int, to end: Int, isLast: Bool) -> CursorPlace? {
        var place = begin
        if quote == nil { start = begin }
        while place < end {
            let byte = bytes[place]
            if let open = quote {
                if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") { place += 1 }
                if byte == open { quote = nil }
                place += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // Only in front of a value: `it's` is text.
                if text(start..<place).isEmpty {
                    quote = byte
                    start = place
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                flow.append(FlowFrame(isMap: byte == UInt8(ascii: "{")))
                start = place + 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = flow.popLast()
                start = place + 1
                if flow.isEmpty { return isLast ? result(.value, from: end) : nil }
            case UInt8(ascii: ",") where !flow.isEmpty:
                if let key = flow[flow.count - 1].key {
                    flow[flow.count - 1].beside[key] = unquoted(flow[flow.count - 1].value..<place)
                }
                flow[flow.count - 1].key = nil
                start = place + 1
            case UInt8(ascii: ":"):
                if let last = flow.last, last.isMap, last.key == nil,
                    place + 1 == end || isSpace(place + 1) || bytes[place - 1] == UInt8(ascii: "\"")
                {
                    flow[flow.count - 1].key = unquoted(start..<place)
                    flow[flow.count - 1].value = place + 1
                    start = place + 1
                }
            case UInt8(ascii: "#") where place > 0 && isSpace(place - 1):
                return isLast ? comment : nil
            default: break
            }
            place += 1
        }
        guard isLast else { return nil }
        let isKey = flow.last.map { $0.isMap && $0.key == nil } ?? false
        let role: CursorPlace.Role = isKey ? .key : flow.isEmpty && mayBeKey ? .open : .value
        var first = start
        while quote == nil, first < end, isSpace(first) { first += 1 }
        return result(role, from: quote == nil ? first : start + 1)
    }

    private func result(
        _ role: CursorPlace.Role, from start: Int, isBlock: Bool = false
    ) -> CursorPlace {
        var place = CursorPlace(typed: min(start, cursor)..<cursor)
        place.path = frames.map(\.step)
        place.role = role
        place.quote = quote
        place.isBlock = isBlock
        place.isFlow = !flow.isEmpty
        for frame in flow {
            if !frame.isMap { place.path.append(.item) }
            if let key = frame.key { place.path.append(.key(key)) }
        }
        if let last = flow.last {
            place.beside = last.beside
            place.around =
                flow.count > 1 ? flow[flow.count - 2].beside : keysAround(frames.count)
        } else {
            place.column =
                role == .value
                ? frames.last?.indent ?? 0 : column(of: quote == nil ? start : start - 1)
            place.beside = keysBeside(column: place.column)
            place.around = keysAround(role == .value ? frames.count - 1 : frames.count)
        }
        return place
    }

    /// The keys beside the last of some frames.
    private func keysAround(_ count: Int) -> [String: String] {
        guard count > 0, count <= frames.count else { return [:] }
        return keysBeside(column: frames[count - 1].indent)
    }

    private func column(of offset: Int) -> Int {
        var line = offset
        while line > 0, bytes[line - 1] != 10, bytes[line - 1] != 13 { line -= 1 }
        return columns(line..<offset)
    }

    /// The keys of the map that keys at a column around the place belong to, in lines before and
    /// behind it.
    private func keysBeside(column: Int) -> [String: String] {
        var found: [String: String] = [:]
        var start = cursor
        while start > 0, bytes[start - 1] != 10 { start -= 1 }
        var line = start
        while line > 0 {
            var previous = line - 1
            while previous > 0, bytes[previous - 1] != 10 { previous -= 1 }
            line = previous
            guard note(line, column: column, in: &found) else { break }
            if startsWithItem(line, column: column) { break }
        }
        line = start
        while let next = nextLine(behind: line) {
            line = next
            if startsWithItem(line, column: column) { break }
            guard note(line, column: column, in: &found) else { break }
        }
        return found
    }

    private func nextLine(behind line: Int) -> Int? {
        guard let end = bytes[line...].firstIndex(of: 10), end + 1 < bytes.count else { return nil }
        return end + 1
    }

    /// Whether an item of a list begins in the line, whose map has keys at the column.
    private func startsWithItem(_ line: Int, column: Int) -> Bool {
        let place = endOfIndentation(line, before: bytes.count)
        return place < bytes.count && bytes[place] == UInt8(ascii: "-")
            && columns(line..<place) < column
    }

    /// Takes up the key of a line at the column; answers whether the map can go on behind the line.
    private func note(_ line: Int, column: Int, in found: inout [String: String]) -> Bool {
        var place = endOfIndentation(line, before: bytes.count)
        var end = place
        while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
        if place == end || bytes[place] == UInt8(ascii: "#") { return true }
        while isDash(place, before: end) {
            place = endOfIndentation(place + 1, before: end)
        }
        let indent = columns(line..<place)
        if indent < column { return false }
        if indent == column, let colon = colon(from: place, to: end) {
            found[unquoted(place..<colon)] = unquoted(min(colon + 1, end)..<end)
        }
        return true
    }

    private func text(_ range: Range<Int>) -> Substring {
        let text = String(decoding: bytes[range], as: UTF8.self)
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return rest
    }

    private func unquoted(_ range: Range<Int>) -> String {
        let text = text(range)
        guard text.utf8.count >= 2, let first = text.first, first == "\"" || first == "'",
            text.last == first
        else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}
