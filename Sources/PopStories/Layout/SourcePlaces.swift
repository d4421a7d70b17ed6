internal import PopReports
package import PopSource

/// Finds lines and columns; each file's index is built once.
package struct SourcePlaces {
    package let sources: SourceSet
    private var indexes: [FileID: LineIndex] = [:]

    package init(_ sources: SourceSet) { self.sources = sources }

    /// The file, line and column at which a range begins.
    package mutating func place(
        of range: SourceRange
    ) -> (path: String, line: Int, column: Int) {
        let file = sources[range.file]
        let index = indexes[range.file] ?? LineIndex(file)
        indexes[range.file] = index
        let place = index.place(at: range.lower)
        return (file.path, place.line, place.column)
    }

    /// Returns a place such as `rules/shop.yaml:12:5`, safe for a terminal.
    package mutating func text(of range: SourceRange) -> String {
        let place = place(of: range)
        return "\(escapedForTerminal(place.path)):\(place.line):\(place.column)"
    }
}
