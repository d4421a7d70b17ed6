internal import PopSource

/// The report on reading a log, in addition to the results of its events.
struct ReadingSummary: Sendable, Hashable {
    /// A row that is an example for others.
    struct Example: Sendable, Hashable {
        var file: String
        /// From 1; of files of columns the names are the first.
        var line: Int
        var text: String
        var hint: String?
    }

    /// A count under a name.
    struct Group: Sendable, Hashable {
        var name: String
        var count: Int
        var example: Example
    }

    /// An item that no row has.
    struct Unfound: Sendable, Hashable {
        /// Such as `event`, or `column`.
        var kind: String
        var name: String
        /// Its names in the log: names of events, or a place.
        var log: [String]
    }

    /// The number of events of a name that rules do not know.
    struct UnknownName: Sendable, Hashable {
        var name: String
        var count: Int
    }

    /// By reason, in their order.
    var skipped: [Group] = []
    /// By context key or field, the values that aren't valid for it.
    var misfits: [Group] = []
    var unfound: [Unfound] = []
    /// The unknown names, the most common first; empty if there are more than
    /// `BacktestLimits.unknownNames`.
    var unknownNames: [UnknownName] = []
    /// Hints about the items that no row has.
    var hints: [String] = []
    /// Indicates whether a row had a time without a zone.
    var hasTimeWithoutZone = false
}

// MARK: From what was noticed

extension ReadingSummary {
    /// `lines` has how many lines each block of each file has.
    init(_ notes: ReadingNotes, of plan: LogPlan, logs: [String], lines: [RowPlace: Int]) {
        func example(_ row: RowExample) -> Example {
            let place = row.place
            let before = (0..<place.block).reduce(0) { sum, block in
                sum + (lines[RowPlace(file: place.file, block: block)] ?? 0)
            }
            return Example(
                file: logs[place.file], line: before + place.line + 1, text: row.text,
                hint: row.hint)
        }
        skipped = SkippedRows.Reason.allCases.compactMap { reason in
            guard let count = notes.skipped.counts[reason],
                let row = notes.skipped.examples[reason]
            else { return nil }
            return Group(name: reason.rawValue, count: count, example: example(row))
        }
        misfits = notes.misfits.sorted { $0.key < $1.key }.map { misfit, found in
            let name =
                switch misfit {
                case .demand(let place): plan.demands[place].name
                case .order: "order"
                case .payload: "payload"
                }
            return Group(name: name, count: found.count, example: example(found.example))
        }
        unfound = notes.unfound(of: plan)
        hints = notes.hints(on: unfound, of: plan)
        hasTimeWithoutZone = notes.hasTimeWithoutZone
        unknownNames = (notes.unknownNames.commonest ?? []).prefix(Self.mostNames)
            .map { UnknownName(name: $0.name, count: $0.count) }
    }

    /// The maximum number of kept names that rules do not know.
    private static let mostNames = 20
}

extension ReadingNotes {
    /// Returns the requested items that no row has.
    fileprivate func unfound(of plan: LogPlan) -> [ReadingSummary.Unfound] {
        let columns = plan.mapping.columns
        var unfound = plan.demands.indices.compactMap { place -> ReadingSummary.Unfound? in
            let demand = plan.demands[place]
            let isEverywhere = demand.logNames.isEmpty
            let hasRows =
                isEverywhere || demand.logNames.contains { rows[plan.reading(of: $0)] > 0 }
            guard hasRows, let path = demand.path else {
                // The fields of a missing event are missing too; only the event is reported.
                if hasRows || demand.kind == .field { return nil }
                return .init(kind: demand.kind.rawValue, name: demand.name, log: demand.logNames)
            }
            if isFound[place] { return nil }
            return .init(
                kind: demand.kind.rawValue, name: demand.name, log: [path.description])
        }
        func note(_ isFound: Bool, _ name: String, _ paths: [LogPath]) {
            if isFound || paths.isEmpty { return }
            unfound.append(.init(kind: "column", name: name, log: paths.map { $0.description }))
        }
        note(hasOrder, "order", columns.order)
        note(hasInsertID, "insert_id", columns.insertID)
        if plan.mapping.mergesIdentities {
            note(hasAlias, "user", Array(columns.user.dropFirst()))
        }
        return unfound
    }
}

extension ReadingNotes {
    /// Returns hints about where items that no row has may be, each once.
    fileprivate func hints(
        on unfound: [ReadingSummary.Unfound], of plan: LogPlan
    ) -> [String] {
        var hints: [String] = []
        for item in unfound where item.kind == LogDemand.Kind.context.rawValue {
            switch plan.mapping.context[item.name] {
            case .column(let path)?:
                hints.append(
                    "if `\(path)` is a field of the payload, use `field` in `context`:"
                        + " `\(item.name): { field: \(path) }`")
            case .field(_, let events?)?, .happened(let events)?:
                for event in events where item.log == events {
                    guard let names = plan.mapping.events[event]?.names, !names.isEmpty,
                        !names.contains(event)
                    else { continue }
                    hints.append(
                        "`events` in `context` are names in the log: for `\(item.name)`, use"
                            + " \(alternatives(names)) instead of `\(event)`")
                }
            case .field(_, nil)?, .user?, nil: break
            }
        }
        let payload = plan.mapping.columns.payload
        let places = plan.demands.indices.filter { place in
            plan.demands[place].path?.names.starts(with: payload.names) == true
        }
        let isLacking = unfound.contains { item in
            item.log.first.map { $0.hasPrefix("\(payload).") } == true
        }
        if !payload.names.isEmpty, isLacking, !places.contains(where: { isFound[$0] }) {
            hints.append(
                "fields of events are read from `\(payload)`; if the rows have them in another"
                    + " place, set `columns: { payload: NAME }` in a mapping, or `payload: .` if"
                    + " they are in the row itself")
        }
        return hints
    }
}

// MARK: For users

extension ReadingSummary {
    /// The report, one line per fact.
    var lines: [String] {
        var lines: [String] = []
        if !skipped.isEmpty {
            lines.append("Skipped rows: \(skippedCounts).")
            lines += examples(of: skipped, named: Self.words).map { "  " + $0 }
        }
        if !misfits.isEmpty {
            let counts = misfits.map { "\(numberText($0.count)) of `\($0.name)`" }
            lines.append("Invalid values: \(Self.list(counts)).")
            lines += examples(of: misfits) { "`\($0)`" }.map { "  " + $0 }
        }
        if !unfound.isEmpty {
            lines.append("Not found in any row: \(Self.list(unfound.map { $0.words })).")
            lines += hints.prefix(Self.mostTold).map { "  " + $0 }
            if unfound.contains(where: { $0.kind != "column" }), !unknownNames.isEmpty {
                let names = unknownNames.map { "`\($0.name)` \(numberText($0.count))" }
                lines.append("Events that are not in the rules: \(Self.list(names)).")
            }
        }
        return lines
    }

    /// The reason why nothing could be read.
    var reasonForNothing: String {
        if skipped.isEmpty { return "the logs are empty" }
        return ([skippedCounts] + examples(of: skipped, named: Self.words))
            .joined(separator: "; ")
    }

    private var skippedCounts: String {
        skipped.map { "\(numberText($0.count)) \(Self.words($0.name))" }.joined(separator: ", ")
    }

    private func examples(of groups: [Group], named: (String) -> String) -> [String] {
        groups.prefix(Self.mostTold).map { group in
            let row = group.example
            let file = row.file == "-" ? "standard input" : row.file
            return "\(named(group.name)): `\(row.text)`, \(file):\(row.line)"
                + (row.hint.map { "; \($0)" } ?? "")
        }
    }

    private static func words(_ reason: String) -> String {
        SkippedRows.Reason(rawValue: reason)?.words ?? reason
    }

    /// The maximum number of items of a kind that users see.
    private static let mostTold = 8

    private static func list(_ parts: [String]) -> String {
        let more = parts.count > mostTold ? " and \(parts.count - mostTold) more" : ""
        return parts.prefix(mostTold).joined(separator: ", ") + more
    }
}

extension ReadingSummary.Unfound {
    fileprivate var words: String {
        let names = log.filter { $0 != name }
        return "\(kind) `\(name)`" + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
    }
}

// MARK: For programs

extension ReadingSummary {
    /// The members of a report about it.
    var members: [JSON.Member] {
        [
            .init(
                key: "skipped",
                value: .object(skipped.map { .init(key: $0.name, value: .int($0.count)) })),
            .init(
                key: "skippedExamples",
                value: .object(skipped.map { .init(key: $0.name, value: $0.example.json) })),
            .init(
                key: "misfits",
                value: .object(
                    misfits.map { group in
                        .init(
                            key: group.name,
                            value: .object([
                                "count": .int(group.count), "example": group.example.json,
                            ]))
                    })),
            .init(
                key: "inNoRow",
                value: .array(unfound.map { $0.json })),
            .init(
                key: "unknownEvents",
                value: .object(unknownNames.map { .init(key: $0.name, value: .int($0.count)) })),
        ]
    }
}

// MARK: For checkpoints

extension ReadingSummary {
    /// All of it, in lists: a name may come twice.
    var kept: JSON {
        func groups(_ groups: [Group]) -> JSON {
            .array(
                groups.map {
                    .object([
                        "name": .string($0.name), "count": .int($0.count),
                        "example": $0.example.json,
                    ])
                })
        }
        return .object([
            "skipped": groups(skipped), "misfits": groups(misfits),
            "inNoRow": .array(unfound.map { $0.json }),
            "unknownEvents": .array(
                unknownNames.map { .array([.string($0.name), .int($0.count)]) }),
            "hints": .array(hints.map { .string($0) }),
            "timeWithoutZone": .bool(hasTimeWithoutZone),
        ])
    }

    /// Reads the JSON that `kept` has written; nil for anything else.
    init?(_ json: JSON) {
        do throws(CountReader.Flaw) {
            var reader = CountReader()
            skipped = try Self.groups(json["skipped"], &reader)
            misfits = try Self.groups(json["misfits"], &reader)
            for item in try reader.items(json["inNoRow"]) {
                let log = try reader.items(item["log"])
                guard let kind = item["kind"]?.text, let name = item["name"]?.text else {
                    return nil
                }
                unfound.append(Unfound(kind: kind, name: name, log: log.compactMap { $0.text }))
            }
            for pair in try reader.items(json["unknownEvents"]).map({ $0.items }) {
                guard pair.count == 2, let name = pair[0].text else { return nil }
                unknownNames.append(
                    UnknownName(name: name, count: try reader.count(pair[1])))
            }
            // Earlier versions have not written these.
            hints = (json["hints"]?.items ?? []).compactMap { $0.text }
            if case .bool(true)? = json["timeWithoutZone"] { hasTimeWithoutZone = true }
        } catch {
            return nil
        }
    }

    private static func groups(
        _ json: JSON?, _ reader: inout CountReader
    ) throws(CountReader.Flaw) -> [Group] {
        var groups: [Group] = []
        for item in try reader.items(json) {
            guard let name = item["name"]?.text else { throw CountReader.Flaw() }
            let example = try Example(item["example"], reader)
            let count = try reader.count(item["count"])
            groups.append(Group(name: name, count: count, example: example))
        }
        return groups
    }
}

extension ReadingSummary.Unfound {
    fileprivate var json: JSON {
        .object([
            "kind": .string(kind), "name": .string(name),
            "log": .array(log.map { .string($0) }),
        ])
    }
}

extension ReadingSummary.Example {
    fileprivate var json: JSON {
        .object([
            "file": .string(file), "line": .int(line), "text": .string(text),
            "hint": hint.map { .string($0) },
        ])
    }

    fileprivate init(_ json: JSON?, _ reader: CountReader) throws(CountReader.Flaw) {
        guard let file = json?["file"]?.text, let text = json?["text"]?.text else {
            throw CountReader.Flaw()
        }
        let line = try reader.number(json?["line"], in: 1...FleetLimits.standard.counts)
        self.init(file: file, line: line, text: text, hint: json?["hint"]?.text)
    }
}
