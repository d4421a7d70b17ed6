import PopSource

@testable import PopYAML

extension FuzzTarget {
    /// Bytes to a tree: every node has a place, and the text of every scalar can be traced back to
    /// the file.
    static let yaml = FuzzTarget(
        name: "yaml",
        body: .direct { bytes in
            let sources = Findings.sources(("a.yaml", bytes))
            let checked = YAMLDocument.parse(sources.files[0])
            try Findings.check(checked.diagnostics, in: sources)
            guard let root = checked.value?.root else {
                return try require(checked.diagnostics.hasErrors, "nothing was read, or said")
            }
            try walk(root, length: bytes.count)
            try layOut(sources.files[0])
        })

    /// Checks that formatted text can be read, and that formatting it again doesn't change it.
    private static func layOut(_ file: SourceFile) throws {
        guard let bytes = YAMLDocument.formatted(file).value else { return }
        let again = YAMLDocument.formatted(SourceFile(path: file.path, bytes: bytes))
        try require(!again.diagnostics.hasErrors, "what is laid out cannot be read")
        try require(again.value == bytes, "what is laid out twice is laid out otherwise")
    }

    private static func walk(_ root: YAMLNode, length: Int) throws {
        var rest = [root]
        var visited = 0
        while let node = rest.popLast(), visited < 2_000 {
            visited += 1
            try require(
                node.range.lower <= node.range.upper && node.range.upper <= length,
                "a node lies outside of the file")
            rest += node.items
            for entry in node.entries { rest += [entry.key, entry.value] }
            guard let scalar = node.scalar, !node.isBroken else { continue }
            let decoding = scalar.decodedAgain()
            try require(decoding.utf8 == Array(scalar.utf8), "libyaml reads a scalar otherwise")
            for offset in decoding.utf8.indices {
                let place = decoding.map.range(offset..<offset + 1)
                try require(
                    place.lower < place.upper && place.upper <= length, "a byte has no place")
            }
        }
    }
}
