internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReports
package import PopScheduler
package import PopSource

/// The share of some rules that the tests have seen.
package struct CoverageReport: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case popups
        case conditions
        case behaviours
        case reasonCodes = "reason codes"
    }

    /// One thing that can be seen.
    package struct Item: Sendable {
        package var kind: Kind
        /// The place where it is written; nil for a reason code.
        package var range: SourceRange?
        /// The observation to be made: "`welcome` shows"; a part of a condition as it is written.
        package var text: String
        /// A popup's id, if the item is that it shows.
        package var popup: String?
        /// The owner of the item: a popup's id, or a group or named condition.
        package var owner: String?
        /// The outcome of a part of a condition.
        package var outcome: Bool?
        package var count: Int
        /// True if the item is unseen because nothing of the enclosing part was seen.
        package var isImplied = false
    }

    /// The items in the order of the files.
    package private(set) var items: [Item] = []
    /// The untried parts of the audiences of enabled popups, in the order of the rules.
    package private(set) var untried: [Untried] = []

    /// The places of the conditions that the items are about: a condition that many popups share by
    /// an alias or by `defaults` counts once.
    private var places: Set<SourceRange> = []

    /// Compares the observations with the contents of these rules.
    package init(_ coverage: Coverage, of ruleSets: [RuleSet]) {
        for rules in ruleSets {
            for popup in rules.popups { add(popup, in: rules, coverage: coverage) }
            for group in rules.groups {
                add(group.when, coverage: coverage, of: "group `\(group.name)`")
            }
            for condition in rules.conditions {
                add(condition.condition, coverage: coverage, of: "condition `\(condition.name)`")
            }
        }
        items.sort { ($0.range?.lowerPlace ?? .last) < ($1.range?.lowerPlace ?? .last) }
        addReasonCodes(ruleSets, coverage: coverage)
        for rules in ruleSets { untried += Self.untried(coverage, of: rules) }
    }

    private mutating func add(_ popup: PopupRule, in rules: RuleSet, coverage: Coverage) {
        if popup.isEnabled {
            items.append(
                Item(
                    kind: .popups, range: popup.range, text: "`\(popup.id)` shows",
                    popup: popup.id, owner: popup.id, count: coverage.shown[popup.range] ?? 0))
        }
        for behaviour in rules.behaviours(of: popup) {
            let isSeen = coverage.sights[popup.range]?.contains(behaviour.sight) ?? false
            items.append(
                Item(
                    kind: .behaviours, range: popup.range,
                    text: "`\(behaviour.key)` of `\(popup.id)` (\(behaviour.sight.text))",
                    owner: popup.id, count: isSeen ? 1 : 0))
        }
        for condition in popup.ownConditions { add(condition, coverage: coverage, of: popup.id) }
        for (_, condition) in popup.eventConditions {
            add(condition, coverage: coverage, of: popup.id)
        }
    }

    private mutating func add(_ condition: Condition?, coverage: Coverage, of owner: String) {
        guard let condition, places.insert(condition.range).inserted else { return }
        let program = condition.program
        let slots = SlotValues(count: (program.slots.last?.number ?? -1) + 1)
        guard let root = program.explain(slots).root else { return }
        let first = items.count
        add(root, isImplied: false, coverage: coverage)
        for index in items.indices.dropFirst(first) { items[index].owner = owner }
    }

    private mutating func add(
        _ part: Explanation.Part, isImplied: Bool, coverage: Coverage
    ) {
        let conditions = part.parts.filter(\.isCondition)
        // A negation has the outcomes of its operand.
        let isNegation = conditions.count == 1 && part.parts.count == 1
        let outcomes = coverage.parts[Coverage.PartID(part)] ?? Coverage.Outcomes()
        if !isNegation {
            for (outcome, count) in [(true, outcomes.yes), (false, outcomes.no)] {
                items.append(
                    Item(
                        kind: .conditions, range: part.range, text: part.lineText,
                        outcome: outcome, count: count, isImplied: isImplied))
            }
        }
        let isUnseen = outcomes.yes + outcomes.no == 0 && !isNegation
        for inner in conditions { add(inner, isImplied: isImplied || isUnseen, coverage: coverage) }
    }

    private mutating func addReasonCodes(_ ruleSets: [RuleSet], coverage: Coverage) {
        let seen = coverage.sights.values.reduce(into: Set<Behaviour.Sight>()) { $0.formUnion($1) }
        let own = Set(ruleSets.flatMap(\.ownReasonCodes))
        for code in ReasonCode.allCases where own.contains(code) {
            items.append(
                Item(
                    kind: .reasonCodes, text: code.rawValue,
                    count: seen.contains(.reason(code)) ? 1 : 0))
        }
    }
}

extension CoverageReport {
    package func share(of kind: Kind) -> Share {
        let items = items.filter { $0.kind == kind }
        return Share(seen: items.count { $0.count > 0 }, total: items.count)
    }

    package var total: Share { Share(seen: items.count { $0.count > 0 }, total: items.count) }

    /// A number of seen items out of a total, compared and printed without rounding up.
    package struct Share: Sendable, Hashable {
        package var seen: Int
        package var total: Int

        package init(seen: Int, total: Int) {
            self.seen = seen
            self.total = total
        }

        /// Returns true if the share is at least a percentage.
        package func reaches(_ threshold: Percentage) -> Bool {
            // seen / total >= hundredths / 10 000
            seen * 10_000 >= threshold.hundredths * total
        }

        /// The share rounded down to a tenth of a percent: only a complete share is 100 %.
        package var text: String {
            guard total > 0 else { return "–" }
            let tenths = seen * 1_000 / total
            return tenths.isMultiple(of: 10)
                ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
        }
    }

    /// A percentage as it is written, to the hundredth.
    package struct Percentage: Sendable, Hashable {
        package let hundredths: Int

        /// Nil if the string isn't a number from 0 to 100 with at most two decimals.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, let whole = Int(parts[0]), (0...100).contains(whole),
                parts[0].allSatisfy(\.isNumber)
            else { return nil }
            let decimals = parts.count == 2 ? String(parts[1]) : "0"
            guard (1...2).contains(decimals.count), decimals.allSatisfy(\.isNumber),
                let fraction = Int(decimals.count == 1 ? decimals + "0" : decimals),
                whole < 100 || fraction == 0
            else { return nil }
            hundredths = whole * 100 + fraction
        }
    }
}

/// The start of a range, for sorting.
private struct Place: Comparable {
    var file: UInt32
    var offset: Int

    static let last = Place(file: .max, offset: .max)

    static func < (left: Place, right: Place) -> Bool {
        (left.file, left.offset) < (right.file, right.offset)
    }
}

extension SourceRange {
    fileprivate var lowerPlace: Place { Place(file: file.index, offset: lower) }
}

extension CoverageReport {
    /// The parts of a popup's audience that no test tried.
    package struct Untried: Sendable {
        package var popup: String
        package var range: SourceRange
        /// The parts of the audience from which no user was tested, as `audience` words them.
        package var audiences: [String]
        /// The sides of its bounds on which no value was tested.
        package var bounds: [String]

        var count: Int { audiences.count + bounds.count }
    }

    static func untried(_ coverage: Coverage, of rules: RuleSet) -> [Untried] {
        let declarations = Declarations(rules)
        return rules.popups.places.filter { rules.popups[$0].isEnabled }.compactMap { place in
            let popup = rules.popups[place]
            let trials = AudienceTrials(of: place, in: rules, declarations: declarations)
            let moments = coverage.moments[popup.range] ?? []
            let untried = Untried(
                popup: popup.id, range: popup.range,
                audiences: trials.termsNotTried(at: moments),
                bounds: trials.boundsNotTried(at: moments))
            return untried.count == 0 ? nil : untried
        }
    }

    /// Returns lines for popups that were shown, those with the most untried parts first.
    func untriedLines() -> [String] {
        let unshown = Set(items.filter { $0.kind == .popups && $0.count == 0 }.map(\.range))
        let shown = untried.filter { !unshown.contains($0.range) }.enumerated().sorted {
            (-$0.element.count, $0.offset) < (-$1.element.count, $1.offset)
        }.map(\.element)
        if shown.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for untried in shown.prefix(DrawingLimits.uncoveredPopups) {
            table.add(shortName(untried.popup), untried.text(atMost: DrawingLimits.uncoveredParts))
        }
        let rest = shown.dropFirst(DrawingLimits.uncoveredPopups)
        let more = rest.reduce(0) { $0 + $1.count }
        return ["", "audience gaps (users and bounds without a test)"] + table.lines
            + (more > 0 ? ["  … and \(more) more, of \(rest.count) other popups"] : [])
    }

    /// Returns a line for each untried part, with its place.
    func wholeUntriedLines(_ places: inout SourcePlaces) -> [String] {
        if untried.isEmpty { return [] }
        var table = TextTable(indent: 2)
        var left = DrawingLimits.happenings
        for untried in untried {
            for text in untried.texts.prefix(left) {
                table.add(places.text(of: untried.range), "`\(untried.popup)` \(text)")
            }
            left -= min(left, untried.texts.count)
        }
        let rest = untried.reduce(0) { $0 + $1.count } - DrawingLimits.happenings
        return ["", "audience gaps (users and bounds without a test)"] + table.lines
            + (rest > 0 ? ["  … and \(rest) more; `--coverage json` has all"] : [])
    }
}

extension CoverageReport.Untried {
    fileprivate var texts: [String] {
        audiences.map { "users: \(bounded($0))" } + bounds.map { "bound: \(bounded($0))" }
    }

    fileprivate func text(atMost most: Int) -> String {
        let rest = count - most
        return "\(count): " + texts.prefix(most).joined(separator: "; ")
            + (rest > 0 ? "; and \(rest) more" : "")
    }

    func json(_ places: inout SourcePlaces) -> JSON {
        let place = places.place(of: range)
        return .object([
            "popup": .string(popup), "file": .string(place.path), "line": .int(place.line),
            "column": .int(place.column),
            "audiences": .array(audiences.map { .string($0) }),
            "bounds": .array(bounds.map { .string($0) }),
        ])
    }
}
