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
