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
