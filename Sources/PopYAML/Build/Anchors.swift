internal import PopSource

/// The anchors of a document, by name and in the order of the file.
struct Anchors {
    struct Definition {
        var name: String
        var node: UInt32
        var range: Range<Int>
        var isComplete = false
        var isUsed = false
        /// The number of nodes that a walk of the value visits, and the depth of its collections.
        var size = 0
        var height = 0
    }

    var definitions: [Definition] = []
    /// The last definition of each name.
    var byName: [String: Int] = [:]
}

extension TreeBuilder {
    /// Records an anchor at the start of its value.
    mutating func begin(_ name: String, at node: UInt32) -> Int {
        let index = anchors.definitions.count
        let start = Int(records[Int(node)].start)
        let range = properties[node]?.anchor ?? start..<start
        anchors.definitions.append(Anchors.Definition(name: name, node: node, range: range))
        anchors.byName[name] = index
        return index
    }

    /// Records the end of an anchor's value; `visited` is the number of nodes that were visited
    /// before it.
    mutating func complete(_ index: Int, since visited: Int, height: Int) {
        anchors.definitions[index].isComplete = true
        let start = records[Int(anchors.definitions[index].node)].start
        let bytes = Int(records.last?.end ?? start) - Int(start)
        anchors.definitions[index].size = max(records.count + repeated - visited, bytes / 32)
        anchors.definitions[index].height = height
    }

    mutating func define(_ name: String, at node: UInt32, since visited: Int, height: Int) {
        complete(begin(name, at: node), since: visited, height: height)
    }

    mutating func addAlias(_ event: LibYAMLEvent, with parser: borrowing LibYAMLParser) {
        let place = offset(event.start)..<offset(event.end)
        let name = parser.anchor ?? ""
        let node = UInt32(records.count)
        var record = NodeRecord(
            start: UInt32(place.lowerBound), end: UInt32(place.upperBound), kind: .alias)
        if let index = anchors.byName[name] {
            anchors.definitions[index].isUsed = true
            let definition = anchors.definitions[index]
            if definition.isComplete {
                record.first = definition.node
                repeated += definition.size
                raiseHeight(to: definition.height)
            } else {
                report(
                    .recursiveAlias(name, at: range(place), anchor: range(definition.range)))
                record.setAside()
            }
        } else {
            report(undefinedAlias(name, at: place))
            record.setAside()
        }
        records.append(record)
        add(node)
    }

    /// Returns the anchor of a name that is after an alias of it.
    private func anchorBelow(_ name: String, behind offset: Int) -> Range<Int>? {
        let anchor = Array("&\(name)".utf8)
        var start = offset
        while let found = bytes[start...].firstRange(of: anchor) {
            let isWhole =
                found.upperBound == bytes.count || !isAnchorCharacter(bytes[found.upperBound])
            let isFree = found.lowerBound > 0 && isBlank(bytes[found.lowerBound - 1])
            if isWhole, isFree { return found }
            start = found.upperBound
        }
        return nil
    }

    private func undefinedAlias(_ name: String, at place: Range<Int>) -> Diagnostic {
        // A hostile file has a million of them, all on one line; files written by hand have few.
        let isAmongFew = diagnostics.list.count < 10 && anchors.byName.count < 200
        guard isAmongFew else {
            return .undefinedAlias(name, at: range(place), similar: [], quote: nil)
        }
        if !name.isEmpty, let below = anchorBelow(name, behind: place.upperBound) {
            return .aliasAboveAnchor(name, at: range(place), anchor: range(below))
        }
        let value = SourceLine(bytes, at: place.lowerBound).value(at: place.lowerBound) ?? place
        return .undefinedAlias(
            name, at: range(place),
            similar: similarNames(to: name, among: anchors.byName.keys),
            quote: value.lowerBound == place.lowerBound
                ? QuoteEdits.edit(value, of: bytes, file: file) : nil)
    }

    /// Reports the anchors that no alias has used, except those whose alias is above them.
    mutating func reportUnusedAnchors() {
        let early = Set(
            diagnostics.list.filter { $0.check == .yamlUndefinedAlias }.flatMap(\.secondary)
                .map(\.range))
        for definition in anchors.definitions
        where !definition.isUsed && hasRoom && !early.contains(range(definition.range)) {
            report(.unusedAnchor(definition.name, at: range(definition.range)))
        }
    }

    /// Returns the anchor and the tag before a value.
    func skipProperties(
        from start: Int, to limit: Int
    ) -> (properties: NodeProperties, end: Int) {
        var found = NodeProperties()
        var offset = start
        while offset < limit {
            let byte = bytes[offset]
            let lineBreak = lineBreakLength(bytes, at: offset)
            if lineBreak > 0 || isBlank(byte) {
                offset += max(lineBreak, 1)
                // libyaml skips a byte order mark at the start of a line.
                if lineBreak > 0, bytes[offset...].starts(with: byteOrderMark) { offset += 3 }
            } else if byte == UInt8(ascii: "#") {
                while offset < limit, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
            } else if byte == UInt8(ascii: "&"), found.anchor == nil {
                let first = offset
                offset += 1
                while offset < limit, isAnchorCharacter(bytes[offset]) { offset += 1 }
                found.anchor = first..<offset
            } else if byte == UInt8(ascii: "!"), found.tag == nil {
                let first = offset
                while offset < limit, !isBlank(bytes[offset]),
                    lineBreakLength(bytes, at: offset) == 0
                {
                    offset += 1
                }
                found.tag = first..<offset
            } else {
                break
            }
        }
        return (found, offset)
    }
}

extension NodeRecord {
    /// Turns the record into an empty scalar that decoders skip.
    mutating func setAside() {
        kind = .scalar
        flags.insert(.isBroken)
        first = start
        count = 0
    }
}

extension Diagnostic {
    fileprivate static func recursiveAlias(
        _ name: String, at range: SourceRange, anchor: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlRecursiveAlias, message: "`*\(name)` is inside the value that it refers to",
            at: range,
            label: "the value would contain itself",
            secondary: [Label("the value of `&\(name)` starts here", at: anchor)],
            help: ["write out the value, or use an anchor whose value ends above this line"])
    }

    fileprivate static func aliasAboveAnchor(
        _ name: String, at range: SourceRange, anchor: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlUndefinedAlias, message: "no anchor `&\(name)` is defined above `*\(name)`",
            at: range, label: "not defined above",
            secondary: [Label("defined here, after its first use", at: anchor)],
            help: ["move the value with `&\(name)` above the first `*\(name)`"])
    }

    fileprivate static func undefinedAlias(
        _ name: String, at range: SourceRange, similar: [String], quote: Edit?
    ) -> Self {
        var found = Diagnostic(
            .yamlUndefinedAlias, message: "no anchor `&\(name)` is defined above `*\(name)`",
            at: range,
            label: "not defined above",
            notes: [
                "a value that starts with `*` repeats the value marked with `&` above it in the"
                    + " same file; an anchor cannot be used in another file"
            ])
        if !similar.isEmpty {
            let names = similar.map { "*\($0)" }
            found.help.append("did you mean \(alternatives(names))?")
        } else {
            found.help.append(
                "to repeat a value, put `&\(name)` before that value, above the first `*\(name)`")
        }
        if let quote {
            found.help.append(
                "if you mean a string that starts with `*`, put the string in quotes:"
                    + " `\(quote.replacement)`")
            found.fixes.append(Fix("quote the string", edits: [quote], isSafe: false))
        }
        return found
    }

    fileprivate static func unusedAnchor(_ name: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlUnusedAnchor, message: "the anchor `&\(name)` is never used", at: range,
            label: "no `*\(name)` in this file",
            help: [
                "remove `&\(name)`, or repeat the value further down in this file with"
                    + " `*\(name)`; other files cannot use this anchor"
            ])
    }
}
