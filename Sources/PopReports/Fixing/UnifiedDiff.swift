internal import PopSource

/// The difference between two texts in the unified format, as `diff -u` and `git diff` print it.
public struct UnifiedDiff: Sendable {
    /// Lines around a change that are shown.
    private static let context = 3

    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)

        var isChange: Bool {
            if case .same = self { return false }
            return true
        }
    }

    private let path: String
    private let lines: [Line]

    /// Computes the difference, in n log n steps. It is the shortest difference of short texts, and
    /// between lines that each text has once.
    public init(path: String, old: [UInt8], new: [UInt8]) {
        self.path = path
        let old = Self.lines(old)
        let new = Self.lines(new)
        let (removed, added) = Self.changes(from: old, to: new)
        var lines: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if oldIndex < old.count, removed.contains(oldIndex) {
                lines.append(.removed(old[oldIndex]))
                oldIndex += 1
            } else if newIndex < new.count, added.contains(newIndex) {
                lines.append(.added(new[newIndex]))
                newIndex += 1
            } else {
                lines.append(.same(old[oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        self.lines = lines
    }

    /// Returns the positions of the lines that only one of the texts has.
    private static func changes(
        from old: [Substring], to new: [Substring]
    ) -> (removed: Set<Int>, added: Set<Int>) {
        var changes = LineChanges(old: old, new: new)
        changes.compare(old.indices, with: new.indices)
        return (changes.removed, changes.added)
    }

    /// Returns the diff; empty if the texts are equal.
    public func text(style: TextStyle = .plain) -> String {
        let hunks = hunks
        if hunks.isEmpty { return "" }
        let name = escapedForTerminal(path)
        var text = style.bold("--- a/\(name)\n+++ b/\(name)\n")
        var before = (old: 0, new: 0)
        var end = 0
        for hunk in hunks {
            let between = counts(lines[end..<hunk.lowerBound])
            let own = counts(lines[hunk])
            before = (before.old + between.old, before.new + between.new)
            text += self.text(of: hunk, behind: before, own, style: style)
            before = (before.old + own.old, before.new + own.new)
            end = hunk.upperBound
        }
        return text
    }

    /// The lines of each change with its context; changes near each other form one hunk.
    private var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for (index, line) in lines.enumerated() where line.isChange {
            let lower = max(0, index - Self.context)
            let upper = min(lines.count, index + Self.context + 1)
            if let last = hunks.last, last.upperBound >= lower {
                hunks[hunks.count - 1] = last.lowerBound..<upper
            } else {
                hunks.append(lower..<upper)
            }
        }
        return hunks
    }

    /// Returns a hunk. `start` and `own` count the lines before the hunk and in it.
    private func text(
        of hunk: Range<Int>, behind start: (old: Int, new: Int), _ own: (old: Int, new: Int),
        style: TextStyle
    ) -> String {
        var body = ""
        for line in lines[hunk] {
            switch line {
            case .same(let text): body += row(" ", text: text)
            case .removed(let text): body += style.bad(row("-", text: text))
            case .added(let text): body += style.good(row("+", text: text))
            }
        }
        let place =
            "@@ -\(own.old == 0 ? start.old : start.old + 1),\(own.old)"
            + " +\(own.new == 0 ? start.new : start.new + 1),\(own.new) @@"
        return style.dim(place) + "\n" + body
    }

    private func row(_ mark: String, text: Substring) -> String {
        var content = text.unicodeScalars
        let isWhole = content.last == "\n"
        if isWhole { content.removeLast() }
        // Part of the line break: not shown, but required by a tool that applies the change.
        let isWindows = isWhole && content.last == "\r"
        if isWindows { content.removeLast() }
        let end = isWhole ? "\n" : "\n\\ No newline at end of file\n"
        return mark + escapedForTerminal(String(content)) + (isWindows ? "\r" : "") + end
    }

    private func counts(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
        lines.reduce(into: (0, 0)) { counts, line in
            switch line {
            case .same:
                counts.0 += 1
                counts.1 += 1
            case .removed: counts.0 += 1
            case .added: counts.1 += 1
            }
        }
    }

    /// Returns the lines with their line breaks.
    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        let text = Substring(decoding: bytes, as: UTF8.self)
        var lines: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n"))
            let next = end.map { text.utf8.index(after: $0) } ?? text.endIndex
            lines.append(text[start..<next])
            start = next
        }
        return lines
    }
}

/// The lines that only one of two texts has.
///
/// Long texts are divided at the lines that each of them has exactly once and that are in the same
/// order in both (patience diff, Bram Cohen); short parts get their shortest difference (Myers
/// 1986).
struct LineChanges {
    /// The number of lines of two parts together up to which their shortest difference is computed:
    /// that takes time in proportion to the square.
    private static let linesOfShortParts = 500
    /// The depth to which parts are divided.
    private static let mostDivisions = 16

    let old: [Substring]
    let new: [Substring]
    /// The positions of the lines that only the old text has.
    private(set) var removed: Set<Int> = []
    /// The positions of the lines that only the new text has.
    private(set) var added: Set<Int> = []

    init(old: [Substring], new: [Substring]) {
        (self.old, self.new) = (old, new)
    }

    /// Compares two parts of the texts.
    mutating func compare(_ olds: Range<Int>, with news: Range<Int>, divisions: Int = 0) {
        var (olds, news) = (olds, news)
        // Fixes rarely add or remove lines.
        if olds.count == news.count, divisions == 0 { return compareByPlace() }
        while let one = olds.first, let other = news.first, old[one] == new[other] {
            (olds, news) = (olds.dropFirst(), news.dropFirst())
        }
        while let one = olds.last, let other = news.last, old[one] == new[other] {
            (olds, news) = (olds.dropLast(), news.dropLast())
        }
        if olds.isEmpty || news.isEmpty {
            removed.formUnion(olds)
            added.formUnion(news)
        } else if olds.count + news.count <= Self.linesOfShortParts {
            compareShort(olds, with: news)
        } else {
            let common = divisions < Self.mostDivisions ? uniqueCommon(of: olds, and: news) : []
            if common.isEmpty { return compareInOrder(olds, with: news) }
            var (oldStart, newStart) = (olds.lowerBound, news.lowerBound)
            for pair in common {
                compare(oldStart..<pair.old, with: newStart..<pair.new, divisions: divisions + 1)
                (oldStart, newStart) = (pair.old + 1, pair.new + 1)
            }
            compare(
                oldStart..<olds.upperBound, with: newStart..<news.upperBound,
                divisions: divisions + 1)
        }
    }

    private mutating func compareByPlace() {
        let changed = old.indices.filter { old[$0] != new[$0] }
        removed.formUnion(changed)
        added.formUnion(changed)
    }

    private mutating func compareShort(_ olds: Range<Int>, with news: Range<Int>) {
        for change in new[news].difference(from: old[olds]) {
            switch change {
            case .remove(let offset, _, _): removed.insert(olds.lowerBound + offset)
            case .insert(let offset, _, _): added.insert(news.lowerBound + offset)
            }
        }
    }

    /// Pairs equal lines as they come; blank lines that only one text has are passed over.
    private mutating func compareInOrder(_ olds: Range<Int>, with news: Range<Int>) {
        var (olds, news) = (olds, news)
        while let one = olds.first, let other = news.first {
            if old[one] == new[other] {
                (olds, news) = (olds.dropFirst(), news.dropFirst())
                continue
            }
            let isOldBlank = Self.isBlank(old[one])
            if isOldBlank || !Self.isBlank(new[other]) {
                removed.insert(one)
                olds.removeFirst()
            }
            if !isOldBlank {
                added.insert(other)
                news.removeFirst()
            }
        }
        removed.formUnion(olds)
        added.formUnion(news)
    }

    private static func isBlank(_ line: Substring) -> Bool {
        line.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Returns the positions of lines that each part has once, as many as are in the same order.
    private func uniqueCommon(
        of olds: Range<Int>, and news: Range<Int>
    ) -> [(old: Int, new: Int)] {
        let (inOld, inNew) = (places(of: olds, in: old), places(of: news, in: new))
        let pairs = olds.compactMap { place -> (old: Int, new: Int)? in
            guard inOld[old[place]] == .some(.some(place)),
                case .some(.some(let other)) = inNew[old[place]]
            else { return nil }
            return (place, other)
        }
        return longestAscending(pairs)
    }

    /// Returns the position of each line; nil for lines that occur several times.
    private func places(of range: Range<Int>, in lines: [Substring]) -> [Substring: Int?] {
        var places: [Substring: Int?] = [:]
        for place in range {
            places[lines[place]] = places.keys.contains(lines[place]) ? .some(nil) : place
        }
        return places
    }

    /// Returns the longest part of pairs whose positions in the new text ascend (patience sorting).
    private func longestAscending(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        /// The last pair of the best part of each length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: pairs.count)
        for index in pairs.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pairs[index].new {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var found: [(old: Int, new: Int)] = []
        var next = ends.last
        while let index = next {
            found.append(pairs[index])
            next = previous[index]
        }
        return found.reversed()
    }
}
