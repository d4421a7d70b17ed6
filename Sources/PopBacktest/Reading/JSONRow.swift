/// Finds values in JSON without reading the parts that nobody requests.
///
/// A row is a complete object with nothing after it: its marks, commas and brackets are where they
/// must be. Numbers and words are not checked, so `NaN` is accepted too.
struct JSONRow {
    /// The maximum nesting depth of lists and maps.
    private static let deepest = 64

    let tree: PathTree
    private(set) var found: [FoundValue]
    private var missing = 0
    /// The first string in which values were looked for and that isn't complete JSON: nothing in it
    /// counts.
    private(set) var brokenText: Range<Int>?
    /// The values that were found in the strings of the row, in that order.
    private var inTexts: [Int] = []
    private var textDepth = 0

    init(_ tree: PathTree) {
        self.tree = tree
        found = Array(repeating: .nothing, count: tree.count)
    }

    /// Finds the values in an object between two places; returns false if there is no valid object.
    mutating func read(_ range: Range<Int>, in block: inout [UInt8]) -> Bool {
        clear()
        var place = skipSpace(range.lowerBound, range.upperBound, block)
        guard place < range.upperBound, block[place] == UInt8(ascii: "{"),
            readObject(&place, end: range.upperBound, node: 0, depth: 0, in: &block)
        else { return false }
        return skipSpace(place, range.upperBound, block) == range.upperBound
    }

    /// Looks below a node at a string that contains JSON.
    mutating func read(
        _ range: Range<Int>, below node: Int, in block: inout [UInt8]
    ) {
        readText(range, node: node, depth: 1, in: &block)
    }

    mutating func clear() {
        for place in found.indices { found[place] = .nothing }
        missing = tree.count
        brokenText = nil
        inTexts.removeAll(keepingCapacity: true)
    }

    /// Notes a value for a place; if there are several, the first counts.
    mutating func note(_ value: FoundValue, as path: Int) {
        guard found[path].isUnseen else { return }
        missing -= 1
        found[path] = value
        if textDepth > 0 { inTexts.append(path) }
    }

    private mutating func readObject(
        _ place: inout Int, end: Int, node: Int, depth: Int, in block: inout [UInt8]
    ) -> Bool {
        if depth > Self.deepest { return false }
        place = skipSpace(place + 1, end, block)
        if place < end, block[place] == UInt8(ascii: "}") {
            place += 1
            return true
        }
        while true {
            let start = place
            var isEscaped = false
            guard Self.skipString(&place, end, block, isEscaped: &isEscaped) else { return false }
            let name = start + 1..<place - 1
            // Where all is found, names say nothing any more.
            let child =
                missing == 0 ? nil : child(of: node, named: name, isEscaped, in: &block)
            guard skipColon(&place, end, block) else { return false }
            if let child {
                guard readValue(&place, end: end, node: child, depth: depth + 1, in: &block) else {
                    return false
                }
            } else if !skipValue(&place, end, block) {
                return false
            }
            guard let isLast = skipComma(&place, end, block, closing: UInt8(ascii: "}")) else {
                return false
            }
            if isLast { return true }
        }
    }

    /// The node of a member. A name with escapes is unescaped after the end of the block, and
    /// removed from there again.
    private func child(
        of node: Int, named name: Range<Int>, _ isEscaped: Bool, in block: inout [UInt8]
    ) -> Int? {
        if !isEscaped { return tree.child(of: node, named: name, in: block) }
        let start = block.count
        JSONText.unescape(name, of: &block)
        defer { block.removeLast(block.count - start) }
        return tree.child(of: node, named: start..<block.count, in: block)
    }

    private mutating func readValue(
        _ place: inout Int, end: Int, node: Int, depth: Int, in block: inout [UInt8]
    ) -> Bool {
        guard place < end else { return false }
        let start = place
        if !tree.isLeaf(node) {
            switch block[place] {
            case UInt8(ascii: "{"):
                if let path = tree.nodes[node].path {
                    var behind = place
                    guard skipValue(&behind, end, block) else { return false }
                    note(FoundValue(start: start, end: behind), as: path)
                }
                return readObject(&place, end: end, node: node, depth: depth, in: &block)
            case UInt8(ascii: "["):
                guard tree.nodes[node].isKeyed else { break }
                return readKeyed(&place, end: end, node: node, depth: depth, in: &block)
            case UInt8(ascii: "\""):
                guard skipString(&place, end, block) else { return false }
                readInside(start + 1..<place - 1, node: node, depth: depth, in: &block)
                return true
            default: break
            }
        }
        guard skipValue(&place, end, block) else { return false }
        if let path = tree.nodes[node].path {
            let isNull = block[start] == UInt8(ascii: "n")
            note(isNull ? .null : FoundValue(start: start, end: place), as: path)
        }
        return true
    }

    /// Reads a string that may contain JSON: it is unescaped after the end of the block, and read
    /// there.
    private mutating func readInside(
        _ range: Range<Int>, node: Int, depth: Int, in block: inout [UInt8]
    ) {
        let start = block.count
        JSONText.unescape(range, of: &block)
        readText(start..<block.count, node: node, depth: depth + 1, in: &block)
    }

    /// Reads a string that is blank, `null`, or a complete JSON value.
    private mutating func readText(
        _ range: Range<Int>, node: Int, depth: Int, in block: inout [UInt8]
    ) {
        let end = range.upperBound
        var place = skipSpace(range.lowerBound, end, block)
        if place == end { return }
        // A node that is a value itself may be a plain text.
        let mayBePlain = tree.nodes[node].path != nil
        let isNested = block[place] == UInt8(ascii: "{") || block[place] == UInt8(ascii: "[")
        let known = inTexts.count
        if isNested ? depth <= Self.deepest : mayBePlain {
            textDepth += 1
            defer { textDepth -= 1 }
            if readValue(&place, end: end, node: node, depth: depth, in: &block),
                skipSpace(place, end, block) == end
            {
                return
            }
        } else if block[place..<end].starts(with: "null".utf8), skipWord(&place, end, block),
            skipSpace(place, end, block) == end
        {
            return
        }
        if mayBePlain { return }
        for path in inTexts[known...] {
            found[path] = .nothing
            missing += 1
        }
        inTexts.removeLast(inTexts.count - known)
        brokenText = brokenText ?? range
    }
}

// MARK: Lists of keys with values

extension JSONRow {
    /// `[{"key": "plan", "value": {"string_value": "pro"}}, …]`
    private mutating func readKeyed(
        _ place: inout Int, end: Int, node: Int, depth: Int, in block: inout [UInt8]
    ) -> Bool {
        if depth > Self.deepest { return false }
        place = skipSpace(place + 1, end, block)
        if place < end, block[place] == UInt8(ascii: "]") {
            place += 1
            return true
        }
        while place < end, block[place] == UInt8(ascii: "{") {
            let start = place
            guard skipValue(&place, end, block) else { return false }
            readEntry(start..<place, node: node, in: &block)
            guard let isLast = skipComma(&place, end, block, closing: UInt8(ascii: "]")) else {
                return false
            }
            if isLast { return true }
        }
        return false
    }

    private mutating func readEntry(_ range: Range<Int>, node: Int, in block: inout [UInt8]) {
        var entry = JSONRow(Self.keyAndValue)
        guard entry.read(range, in: &block), !entry.found[0].isNothing, !entry.found[1].isNothing
        else { return }
        let (key, value) = (entry.found[0], entry.found[1])
        guard block[key.start] == UInt8(ascii: "\"") else { return }
        let name = key.start + 1..<key.end - 1
        let isEscaped = block[name].contains(UInt8(ascii: "\\"))
        guard let child = child(of: node, named: name, isEscaped, in: &block) else { return }
        guard block[value.start] == UInt8(ascii: "{") else {
            var place = value.start
            _ = readValue(&place, end: value.end, node: child, depth: 1, in: &block)
            return
        }
        // Of the kinds that a value may be of, all but one are null.
        var place = value.start + 1
        while let member = Self.nextMember(&place, end: value.end, in: block) {
            if block[member.lowerBound] == UInt8(ascii: "n") { continue }
            var start = member.lowerBound
            _ = readValue(&start, end: member.upperBound, node: child, depth: 1, in: &block)
            return
        }
    }

    private static let keyAndValue = PathTree([LogPath("key"), LogPath("value")])

    /// Returns the value of the next member of an object, after its brace.
    private static func nextMember(
        _ place: inout Int, end: Int, in block: [UInt8]
    ) -> Range<Int>? {
        while place < end, block[place] != UInt8(ascii: "\"") { place += 1 }
        guard skipString(&place, end, block) else { return nil }
        while place < end, block[place] != UInt8(ascii: ":") { place += 1 }
        place = skipSpace(place + 1, end, block)
        let start = place
        guard place < end, skipValue(&place, end, block) else { return nil }
        return start..<place
    }
}

// MARK: Passing over

extension JSONRow {
    private func skipSpace(_ start: Int, _ end: Int, _ block: [UInt8]) -> Int {
        Self.skipSpace(start, end, block)
    }

    private func skipString(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        Self.skipString(&place, end, block)
    }

    private func skipWord(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        Self.skipWord(&place, end, block)
    }

    private func skipValue(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        Self.skipValue(&place, end, block)
    }

    private static func skipSpace(_ start: Int, _ end: Int, _ block: [UInt8]) -> Int {
        var place = start
        while place < end, block[place] <= UInt8(ascii: " ") { place += 1 }
        return place
    }

    private static func skipString(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        var isEscaped = false
        return skipString(&place, end, block, isEscaped: &isEscaped)
    }

    /// Moves the place past a string; sets `isEscaped` if the string has a backslash.
    private static func skipString(
        _ place: inout Int, _ end: Int, _ block: [UInt8], isEscaped: inout Bool
    ) -> Bool {
        guard place < end, block[place] == UInt8(ascii: "\"") else { return false }
        place += 1
        while place < end {
            let byte = block[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") {
                place += 1
                isEscaped = true
            }
        }
        return false
    }

    private func skipColon(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        Self.skipColon(&place, end, block)
    }

    private static func skipColon(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        place = skipSpace(place, end, block)
        guard place < end, block[place] == UInt8(ascii: ":") else { return false }
        place = skipSpace(place + 1, end, block)
        return true
    }

    /// Moves the place past the comma after a value, or past the closing bracket; returns which of
    /// these it was, nil if neither is there.
    private func skipComma(
        _ place: inout Int, _ end: Int, _ block: [UInt8], closing: UInt8
    ) -> Bool? {
        place = skipSpace(place, end, block)
        guard place < end else { return nil }
        let byte = block[place]
        place += 1
        if byte == closing { return true }
        guard byte == UInt8(ascii: ",") else { return nil }
        place = skipSpace(place, end, block)
        return false
    }

    private static func skipValue(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        guard place < end else { return false }
        switch block[place] {
        case UInt8(ascii: "\""): return skipString(&place, end, block)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested(&place, end, block)
        default: return skipWord(&place, end, block)
        }
    }

    private static func skipWord(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        let start = place
        while place < end, !isEndOfWord(block[place]) { place += 1 }
        return place > start
    }

    /// Moves the place past a list or a map, in which commas and colons are where they must be.
    private static func skipNested(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        // A bit for each level that is open: 1 for a map.
        var maps: UInt64 = 0
        var depth = 0
        while place < end {
            let byte = block[place]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == deepest { return false }
                depth += 1
                maps = maps << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                place = skipSpace(place + 1, end, block)
                guard place < end else { return false }
                if block[place] != closing(maps) {
                    guard maps & 1 == 0 || skipName(&place, end, block) else { return false }
                    continue
                }
            case UInt8(ascii: "\""): guard skipString(&place, end, block) else { return false }
            default: guard skipWord(&place, end, block) else { return false }
            }
            guard leave(&maps, &depth, &place, end, block) else { return false }
            if depth == 0 { return true }
        }
        return false
    }

    /// Moves the place past the brackets that close after a value, then to the next value.
    private static func leave(
        _ maps: inout UInt64, _ depth: inout Int, _ place: inout Int, _ end: Int, _ block: [UInt8]
    ) -> Bool {
        while true {
            place = skipSpace(place, end, block)
            guard place < end else { return false }
            let byte = block[place]
            place += 1
            if byte == UInt8(ascii: ",") {
                place = skipSpace(place, end, block)
                return maps & 1 == 0 || skipName(&place, end, block)
            }
            guard byte == closing(maps) else { return false }
            depth -= 1
            maps >>= 1
            if depth == 0 { return true }
        }
    }

    private static func closing(_ maps: UInt64) -> UInt8 {
        maps & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }

    /// Goes to the value of a member.
    private static func skipName(_ place: inout Int, _ end: Int, _ block: [UInt8]) -> Bool {
        skipString(&place, end, block) && skipColon(&place, end, block)
    }

    private static func isEndOfWord(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
            || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "\"")
    }
}

/// JSON strings, without the quotes around them.
enum JSONText {
    /// Writes the content of a string after the end of the block that contains it. Half a surrogate
    /// pair is written as the replacement character.
    static func unescape(_ range: Range<Int>, of block: inout [UInt8]) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = block[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < range.upperBound else {
                block.append(byte)
                continue
            }
            let mark = block[place]
            place += 1
            switch mark {
            case UInt8(ascii: "n"): block.append(10)
            case UInt8(ascii: "t"): block.append(9)
            case UInt8(ascii: "r"): block.append(13)
            case UInt8(ascii: "b"): block.append(8)
            case UInt8(ascii: "f"): block.append(12)
            case UInt8(ascii: "u"): unescapeUnit(&place, end: range.upperBound, in: &block)
            default: block.append(mark)
            }
        }
    }

    private static func unescapeUnit(_ place: inout Int, end: Int, in block: inout [UInt8]) {
        guard let first = unit(at: place, end: end, in: block) else { return }
        place += 4
        var code = UInt32(first)
        if first & 0xFC00 == 0xD800, place + 1 < end, block[place] == UInt8(ascii: "\\"),
            block[place + 1] == UInt8(ascii: "u"),
            let second = unit(at: place + 2, end: end, in: block), second & 0xFC00 == 0xDC00
        {
            place += 6
            code = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        block += Array(String(Character(scalar)).utf8)
    }

    private static func unit(at place: Int, end: Int, in block: [UInt8]) -> UInt16? {
        guard place + 4 <= end else { return nil }
        return UInt16(String(decoding: block[place..<place + 4], as: UTF8.self), radix: 16)
    }
}
