/// Goes through a file line by line, as far as the place.
struct CursorScan {
    struct Frame {
        var indent: Int
        var step: CursorPlace.Step
        /// Indicates whether the value of the key is complete on its line, as far as the line
        /// shows.
        var isWhole = false
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
    /// Indicates whether an outermost quote or bracket may begin a key.
    var mayBeKey = false
    /// Where what is being written began.
    var start = 0
    /// The column of the key above a block scalar, and the start of its text.
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

    func endOfIndentation(_ start: Int, before end: Int) -> Int {
        var place = start
        while place < end, isSpace(place) { place += 1 }
        return place
    }

    /// Returns the width of some bytes of a line. A tab, which YAML refuses there, is as wide as
    /// one step of the layout, so that a place is found anyway.
    func columns(_ range: Range<Int>) -> Int {
        range.count + bytes[range].count { $0 == 0x09 }
    }

    func isSpace(_ offset: Int) -> Bool { bytes[offset] == 0x20 || bytes[offset] == 0x09 }

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
        var column = indent
        while isDash(place, before: end) {
            frames.append(Frame(indent: column, step: .item))
            let next = endOfIndentation(place + 1, before: end)
            column += columns(place..<next)
            place = next
            if place == end { return isLast ? result(.open, from: place) : nil }
        }
        guard let colon = colon(from: place, to: end) else {
            return scanValue(from: place, to: end, isLast: isLast, key: nil, column: column)
        }
        let key = unquoted(place..<colon)
        if let above = frames.last, above.isWhole {
            // It is deeper than a key that has its value: it is meant as the next key.
            frames.removeLast()
            column = above.indent
        }
        frames.append(Frame(indent: column, step: .key(key)))
        var value = colon + 1
        while value < end, isSpace(value) { value += 1 }
        let found = scanValue(from: value, to: end, isLast: isLast, key: key, column: column)
        frames[frames.count - 1].isWhole = isWhole(value..<end)
        return found
    }

    /// Returns true if a value needs no further line: nothing is open in it, and no operator ends
    /// it.
    private func isWhole(_ value: Range<Int>) -> Bool {
        let last = value.last { !isSpace($0) }.map { bytes[$0] }
        guard let last, flow.isEmpty, quote == nil, block == nil else { return false }
        return bytes[value.lowerBound] != UInt8(ascii: "#") && !"&|=<>!+-*/?,(:".utf8.contains(last)
    }

    /// Returns true if a line may continue the content of brackets or quotes: it is indented more
    /// than their key.
    private func isDeeper(_ place: Int, before end: Int, indent: Int) -> Bool {
        guard place < end, let owner = frames.last else { return true }
        return indent > owner.indent || "]}".utf8.contains(bytes[place])
    }

    private mutating func pop(to indent: Int, isItem: Bool) {
        while let last = frames.last {
            // A list may have the same indentation as the key that it belongs to.
            let isOwner = last.indent == indent && isItem && last.step != .item
            guard last.indent > indent || last.indent == indent && !isOwner else { return }
            frames.removeLast()
        }
    }

    func isDash(_ place: Int, before end: Int) -> Bool {
        place < end && bytes[place] == UInt8(ascii: "-")
            && (place + 1 == end || isSpace(place + 1))
    }

    /// Returns the colon after a key of a block map.
    func colon(from start: Int, to end: Int) -> Int? {
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
        // An anchor or a tag precedes the value.
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

    /// The place in a comment, where nothing is completed.
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
}

// The surroundings of the place at which the scan ends.
extension CursorScan {
    func result(
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
            place.besideKeyAbove = placeBesideKeyAbove(place).map { [$0] } ?? []
        }
        return place
    }

    private func placeBesideKeyAbove(_ place: CursorPlace) -> CursorPlace? {
        guard place.role == .open, !place.isBlock, let above = frames.last, above.isWhole else {
            return nil
        }
        var beside = CursorPlace(typed: place.typed)
        beside.path = Array(place.path.dropLast())
        beside.role = .key
        beside.quote = place.quote
        beside.column = above.indent
        beside.beside = keysBeside(column: above.indent)
        beside.around = keysAround(frames.count - 1)
        return beside
    }

    /// Returns the keys at the level of the last of some frames.
    private func keysAround(_ count: Int) -> [String: String] {
        guard count > 0, count <= frames.count else { return [:] }
        return keysBeside(column: frames[count - 1].indent)
    }

    private func column(of offset: Int) -> Int {
        var line = offset
        while line > 0, bytes[line - 1] != 10, bytes[line - 1] != 13 { line -= 1 }
        return columns(line..<offset)
    }

    /// Returns the keys of the map whose keys are at a column around the place, in lines before and
    /// after it.
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

    /// Returns true if the line begins a list item whose map has keys at the column.
    private func startsWithItem(_ line: Int, column: Int) -> Bool {
        let place = endOfIndentation(line, before: bytes.count)
        return place < bytes.count && bytes[place] == UInt8(ascii: "-")
            && columns(line..<place) < column
    }

    /// Notes the key of a line at the column; returns whether the map can continue after the line.
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

    func text(_ range: Range<Int>) -> Substring {
        let text = String(decoding: bytes[range], as: UTF8.self)
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return rest
    }

    func unquoted(_ range: Range<Int>) -> String {
        let text = text(range)
        guard text.utf8.count >= 2, let first = text.first, first == "\"" || first == "'",
            text.last == first
        else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

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
