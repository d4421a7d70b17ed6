internal import PopExplanations
internal import PopReports
package import PopSource

extension CoverageReport {
    /// Returns the most important results first: the shares, popups that never showed, then the
    /// popups with the most unseen items. If `isWhole`, lists every unseen item with its place.
    package func text(_ places: inout SourcePlaces, isWhole: Bool = false) -> String {
        var lines = summary
        if isWhole {
            lines += wholeList(&places) + wholeUntriedLines(&places)
        } else {
            let unseen = partlySeen()
            let untried = untriedLines()
            lines += neverShown(&places) + unseen + untried
            if !unseen.isEmpty || !untried.isEmpty {
                lines += ["", "use --coverage-all to list everything with its location"]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var missing: [Item] { items.filter { $0.count == 0 && !$0.isImplied } }

    private var summary: [String] {
        let popups = share(of: .popups)
        let unseen = popups.total - popups.seen
        let what = unseen == 0 ? "every popup was shown" : "\(counted(unseen)) never shown"
        var table = TextTable(indent: 2)
        for kind in Kind.allCases {
            let share = share(of: kind)
            table.add(kind.title, "\(share.seen) of \(share.total)", share.text)
        }
        table.add("total", "\(total.seen) of \(total.total)", total.text)
        return ["coverage \(total.text): \(what)"] + table.lines
    }

    private func counted(_ popups: Int) -> String {
        popups == 1 ? "1 popup was" : "\(popups) popups were"
    }

    private func neverShown(_ places: inout SourcePlaces) -> [String] {
        let popups = missing.filter { $0.kind == .popups }
        if popups.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for item in popups.prefix(DrawingLimits.uncoveredPopups) {
            table.add(item.range.map { places.text(of: $0) } ?? "", shortName(item.popup ?? ""))
        }
        let rest = popups.count - DrawingLimits.uncoveredPopups
        return ["", "never shown"] + table.lines + (rest > 0 ? ["  … and \(rest) more"] : [])
    }

    /// Returns lines by popup, those with the most unseen items first. Omits popups that never
    /// showed, since all their items are unseen.
    private func partlySeen() -> [String] {
        let unshown = Set(missing.filter { $0.kind == .popups }.compactMap(\.popup))
        let missing = missing.filter { item in
            item.kind != .popups && !(item.owner.map(unshown.contains) ?? true)
        }
        if missing.isEmpty { return [] }
        var order: [String] = []
        var groups: [String: [Item]] = [:]
        for item in missing {
            let owner = item.owner ?? ""
            if groups[owner] == nil { order.append(owner) }
            groups[owner, default: []].append(item)
        }
        let sorted = order.enumerated().sorted { left, right in
            let counts = (groups[left.element]?.count ?? 0, groups[right.element]?.count ?? 0)
            return (-counts.0, left.offset) < (-counts.1, right.offset)
        }.map(\.element)
        var table = TextTable(indent: 2)
        for owner in sorted.prefix(DrawingLimits.uncoveredPopups) {
            table.add(shortName(owner), Self.phrase(groups[owner] ?? []))
        }
        let rest = sorted.dropFirst(DrawingLimits.uncoveredPopups)
        let more = rest.reduce(0) { $0 + (groups[$1]?.count ?? 0) }
        var lines = ["", "not covered in popups that were shown (most gaps first)"] + table.lines
        if more > 0 { lines.append("  … and \(more) more, of \(rest.count) other popups") }
        return lines
    }

    /// Returns the number of missing items, and some of them: missing outcomes of conditions come
    /// before missing behaviors of keys.
    private static func phrase(_ items: [Item]) -> String {
        let sorted =
            items.filter { $0.kind == .conditions } + items.filter { $0.kind != .conditions }
        let texts = sorted.indices.compactMap { position in
            sorted[position].kind == .behaviours
                ? sorted[position].text.split(separator: " of ").first.map { "effect of \($0)" }
                : text(of: position, in: sorted)
        }
        let shown = texts.prefix(DrawingLimits.uncoveredParts)
        let rest = texts.count - shown.count
        return "\(items.count): " + shown.joined(separator: "; ")
            + (rest > 0 ? "; and \(rest) more" : "")
    }

    private func wholeList(_ places: inout SourcePlaces) -> [String] {
        let missing = missing
        if missing.isEmpty { return [] }
        var rows = TextTable(indent: 2)
        var count = 0
        for kind in Kind.allCases where kind != .reasonCodes {
            for (position, item) in missing.enumerated() where item.kind == kind {
                guard let text = Self.text(of: position, in: missing) else { continue }
                count += 1
                if count > DrawingLimits.happenings { continue }
                rows.add(item.range.map { places.text(of: $0) } ?? "", text)
            }
        }
        let codes = missing.filter { $0.kind == .reasonCodes }.map(\.text)
        if !codes.isEmpty { rows.add("reason codes", codes.joined(separator: ", ")) }
        let rest = count - DrawingLimits.happenings
        return ["", "not covered"] + rows.lines
            + (rest > 0 ? ["  … and \(rest) more; `--coverage json` has all"] : [])
    }

    /// Returns an unseen item in words; both outcomes of a part are one row, so the second is nil.
    private static func text(of position: Int, in missing: [Item]) -> String? {
        let item = missing[position]
        guard let outcome = item.outcome else { return item.text }
        func isOther(_ index: Int) -> Bool {
            guard missing.indices.contains(index) else { return false }
            let other = missing[index]
            return other.range == item.range && other.text == item.text
                && other.outcome == !outcome
        }
        if outcome, isOther(position + 1) { return "`\(bounded(item.text))` is true or false" }
        if !outcome, isOther(position - 1) { return nil }
        return "`\(bounded(item.text))` is \(outcome)"
    }
}

extension CoverageReport {
    /// Returns JSON for programs: the shares, and every item with its place and count.
    package func json(_ places: inout SourcePlaces) -> JSON {
        var list: [JSON] = []
        for item in items {
            let place = item.range.map { places.place(of: $0) }
            list.append(
                .object([
                    "kind": .string(item.kind.word), "text": .string(item.text),
                    "popup": item.popup.map { .string($0) },
                    "outcome": item.outcome.map { .bool($0) },
                    "file": place.map { .string($0.path) },
                    "line": place.map { .int($0.line) }, "column": place.map { .int($0.column) },
                    "count": .int(item.count),
                ]))
        }
        let shares = Kind.allCases.map { kind in
            JSON.Member(key: kind.key, value: share(of: kind).json)
        }
        return .object([
            "schemaVersion": .int(JSONRenderer.schemaVersion),
            "summary": .object(shares + [JSON.Member(key: "total", value: total.json)]),
            "items": .array(list), "untried": .array(untried.map { $0.json(&places) }),
        ])
    }

    /// Returns an `lcov` tracefile for coverage viewers, with popups as functions and conditions as
    /// branches.
    package func lcov(_ places: inout SourcePlaces) -> String {
        var text = ""
        for file in placed(&places) {
            text +=
                "TN:\nSF:\(escapedForTerminal(file.path))\n" + Self.lcov(file.items)
                + "end_of_record\n"
        }
        return text
    }

    private static func lcov(_ items: [(line: Int, item: Item)]) -> String {
        var lines: [String] = []
        let popups = items.filter { $0.item.popup != nil }
        for (line, item) in popups { lines.append("FN:\(line),\(item.popup ?? "")") }
        for (_, item) in popups { lines.append("FNDA:\(item.count),\(item.popup ?? "")") }
        lines += ["FNF:\(popups.count)", "FNH:\(popups.count { $0.item.count > 0 })"]
        let branches = items.filter { $0.item.outcome != nil }
        for (number, (line, item)) in branches.enumerated() {
            // The two outcomes of a part are the branches of one block.
            lines.append("BRDA:\(line),\(number / 2),\(number % 2),\(item.count)")
        }
        lines += ["BRF:\(branches.count)", "BRH:\(branches.count { $0.item.count > 0 })"]
        let byLine = Dictionary(grouping: popups + branches, by: \.line).sorted { $0.key < $1.key }
        for (line, items) in byLine {
            lines.append("DA:\(line),\(items.map(\.item.count).max() ?? 0)")
        }
        let hit = byLine.count { $0.value.contains { $0.item.count > 0 } }
        lines += ["LF:\(byLine.count)", "LH:\(hit)"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the items that have a place, by file, in the order of the files and lines.
    func placed(
        _ places: inout SourcePlaces
    ) -> [(path: String, file: FileID, items: [(line: Int, item: Item)])] {
        var files: [(path: String, file: FileID, items: [(line: Int, item: Item)])] = []
        for item in items {
            guard let range = item.range else { continue }
            let place = places.place(of: range)
            if files.last?.file != range.file { files.append((place.path, range.file, [])) }
            files[files.count - 1].items.append((place.line, item))
        }
        return files
    }
}

extension CoverageReport.Kind {
    fileprivate var word: String {
        switch self {
        case .popups: "popup"
        case .conditions: "condition"
        case .behaviours: "behaviour"
        case .reasonCodes: "reason code"
        }
    }

    /// The name in reports for users.
    var title: String { self == .behaviours ? "behaviors" : rawValue }

    fileprivate var key: String { self == .reasonCodes ? "reasonCodes" : rawValue }
}

extension CoverageReport.Share {
    fileprivate var json: JSON {
        .object(["seen": .int(seen), "total": .int(total)])
    }
}
