internal import PopSource
internal import PopYAML

extension RequestContext {
    mutating func definitions() -> JSON {
        guard let mention else { return .null }
        return locations(places(of: mention).filter { $0.mention.isDeclaration })
    }

    mutating func references(withDeclaration: Bool) -> JSON {
        guard let mention else { return .null }
        return locations(
            places(of: mention).filter { withDeclaration || !$0.mention.isDeclaration })
    }

    mutating func highlights() -> JSON {
        guard let mention else { return .null }
        let own = places(of: mention).filter { $0.file.path == path }
        return .array(
            own.map { place in
                .object([
                    "range": lines.json(place.mention.range),
                    "kind": .int(place.mention.isDeclaration ? 3 : 2),
                ])
            })
    }

    /// Returns the ranges that can be folded: maps and lists over several lines, and comments.
    mutating func folds() -> JSON {
        var folds: [JSON] = []
        if let root = outline.root { addFolds(of: root, to: &folds) }
        return .array(folds + comments())
    }

    private func addFolds(of node: YAMLNode, to folds: inout [JSON]) {
        func add(from start: Int, _ child: YAMLNode) {
            guard !child.isAlias, child.kind != .scalar || child.scalar?.style.isBlock == true
            else { return }
            let first = lines.line(at: start)
            let last = lines.line(at: max(child.range.upper - 1, start))
            if last > first {
                folds.append(.object(["startLine": .int(first), "endLine": .int(last)]))
            }
            addFolds(of: child, to: &folds)
        }
        for entry in node.entries where entry.key.range.lower < entry.value.range.upper {
            add(from: entry.key.range.lower, entry.value)
        }
        for item in node.items { add(from: item.range.lower, item) }
    }

    private func comments() -> [JSON] {
        var folds: [JSON] = []
        var first: Int?
        for line in 0...lines.count {
            let range = line < lines.count ? lines.bytes(ofLine: line) : 0..<0
            let start = range.first { bytes[$0] != 0x20 }
            let isComment = start.map { bytes[$0] == UInt8(ascii: "#") } ?? false
            if isComment {
                first = first ?? line
            } else if let begin = first {
                if line - 1 > begin {
                    folds.append(
                        .object([
                            "startLine": .int(begin), "endLine": .int(line - 1),
                            "kind": "comment",
                        ]))
                }
                first = nil
            }
        }
        return folds
    }

    /// Around each place the values that hold it, from the inside out.
    mutating func selections(_ positions: [JSON]) -> JSON {
        let root = outline.root
        return .array(
            positions.map { position in
                let offset = lines.offset(position) ?? 0
                var ranges = [0..<bytes.count]
                if let root { addRanges(of: root, around: offset, to: &ranges) }
                var selection: JSON?
                for range in ranges {
                    selection = .object(["range": lines.json(range), "parent": selection])
                }
                return selection ?? .null
            })
    }

    private func addRanges(of node: YAMLNode, around offset: Int, to ranges: inout [Range<Int>]) {
        func add(_ range: Range<Int>) -> Bool {
            guard range.contains(offset) || range.upperBound == offset else { return false }
            if let last = ranges.last, range != last, last.lowerBound <= range.lowerBound,
                range.upperBound <= last.upperBound
            {
                ranges.append(range)
            }
            return true
        }
        guard !node.isAlias, add(node.range.bytes) else { return }
        for entry in node.entries {
            let (key, value) = (entry.key.range, entry.value.range)
            guard value.upper >= key.lower, add(key.lower..<max(key.upper, value.upper)) else {
                continue
            }
            _ = add(key.bytes)
            addRanges(of: entry.value, around: offset, to: &ranges)
        }
        for item in node.items { addRanges(of: item, around: offset, to: &ranges) }
    }

    /// The files that a file names: the schema in its first line, the rules of tests, and what a
    /// configuration names.
    mutating func links() -> JSON {
        guard let slash = path.lastIndex(of: "/") else { return .array([]) }
        let folder = path[..<slash]
        var links: [JSON] = []
        func add(_ range: Range<Int>, to target: String) {
            guard target.first != "/", !target.contains("*") else { return }
            links.append(
                .object([
                    "range": lines.json(range),
                    "target": .string(DocumentURI.uri(of: "\(folder)/\(target)")),
                ]))
        }
        let marker = Array("# yaml-language-server: $schema=".utf8)
        let first = lines.bytes(ofLine: 0)
        if bytes[first].starts(with: marker) {
            let range = first.lowerBound + marker.count..<first.upperBound
            let target = String(decoding: bytes[range], as: UTF8.self)
            if !target.contains(":") { add(range, to: target) }
        }
        guard kind != .rules, let rules = outline.root?["rules"] else { return .array(links) }
        for item in rules.items {
            if let text = item.text { add(item.range.bytes, to: text) }
        }
        return .array(links)
    }
}
