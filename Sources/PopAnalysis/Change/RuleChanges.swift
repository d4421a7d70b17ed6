internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReports
public import PopScheduler
public import PopSource

/// The effects of replacing one rule set by another, compared by meaning and not by source.
public struct RuleChanges: Sendable {
    /// One difference.
    public struct Line: Sendable, Hashable {
        /// The subject: a key, or `audience`.
        public let key: String
        /// The change of the subject.
        public let text: String
        /// Details, one line each.
        public var details: [String] = []
    }

    /// The changes of a popup, or of another entry of the rules.
    public struct Entry: Sendable, Hashable {
        /// The way in which the entry changes.
        public enum Kind: String, Sendable, Hashable {
            /// The entry exists only in the later rules.
            case added
            /// The entry exists only in the earlier rules.
            case removed
            /// The entry exists in both and differs.
            case changed
        }

        /// The name of the entry, such as `popup welcome`.
        public let name: String
        /// The way in which the entry changes.
        public let kind: Kind
        /// The lines, one for each key that differs.
        public let lines: [Line]
    }

    /// A user who may see a popup only before or only after the change.
    package struct Affected: Sendable {
        /// The id of the popup.
        package let popup: String
        package let person: Person
        /// True if the popup may show only after the change; false if it may show only before.
        package let isGained: Bool
        /// The facts about the user, as the conditions of both rule sets read them.
        let facts: [Witness.Fact]
        /// The event whose trigger decides; nil if the conditions of the popup decide.
        package var event: String?
    }

    /// The affected users: one per popup whose audience grows, and one per popup whose audience
    /// shrinks.
    package private(set) var affected: [Affected] = []
    /// The changed popups, followed by the parts that popups share.
    public private(set) var entries: [Entry] = []
    /// True if everything could be determined.
    public private(set) var isDecided = true

    /// True if both rule sets mean the same.
    public var isSame: Bool { entries.isEmpty }

    /// Compares an earlier with a later rule set.
    public init(
        from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits = .standard
    ) {
        let comparison = Comparison(earlier, later, limits)
        var audiences = Audiences(of: later, limits: limits)
        var formerAudiences = Audiences(of: earlier, limits: limits)
        var removed: [String: PopupIndex] = [:]
        for place in earlier.popups.places { removed[earlier.popups[place].id] = place }
        for place in later.popups.places {
            let popup = later.popups[place]
            guard let old = removed.removeValue(forKey: popup.id) else {
                entries.append(
                    Entry(
                        name: "popup \(popup.id)", kind: .added,
                        lines: Line.whole(audiences.audience(of: place))))
                continue
            }
            let finding = comparison.finding(from: earlier.popups[old], to: popup)
            isDecided = isDecided && finding.isDecided
            affected += finding.affected
            add("popup \(popup.id)", lines: finding.lines)
        }
        for place in earlier.popups.places where removed[earlier.popups[place].id] != nil {
            entries.append(
                Entry(
                    name: "popup \(earlier.popups[place].id)", kind: .removed,
                    lines: Line.whole(formerAudiences.audience(of: place))))
        }
        var steps = PairSteps(limits)
        let former = SharedParts(
            earlier, names: { earlier.groups[$0].name }, steps: &steps)
        let latter = SharedParts(later, names: { comparison.name(of: $0) }, steps: &steps)
        add(from: former, to: latter, &steps)
        isDecided = isDecided && comparison.isOrderDecided && !steps.isUsedUp
        let collisions = CollisionChanges(
            of: popupsConcerned(from: earlier, to: later), from: earlier, to: later, limits: limits)
        add("collisions", lines: collisions.lines)
        isDecided = isDecided && limits.budget.isAllDecided
    }

    /// The keys that don't affect which popups meet.
    private static let keysWithoutMeeting: Set = [
        "description", "owner", "content", "gap", "holdout", "quiet", "session", "locales",
    ]

    /// Returns the ids of the popups whose relations to others may change.
    private func popupsConcerned(from earlier: RuleSet, to later: RuleSet) -> Set<String> {
        var ids: Set<String> = []
        var (groups, schedulers): (Set<String>, Set<String>) = ([], [])
        var areAll = false
        for entry in entries {
            let words = entry.name.split(separator: " ", maxSplits: 1).map { String($0) }
            let isDeep =
                entry.kind != .changed
                || entry.lines.contains { !Self.keysWithoutMeeting.contains($0.key) }
            guard isDeep, let kind = words.first, let name = words.last else { continue }
            switch kind {
            case "popup": ids.insert(name)
            case "rules": areAll = true
            case "group": groups.insert(name)
            case "scheduler": schedulers.insert(name)
            default: break
            }
        }
        for rules in [earlier, later] {
            for popup in rules.popups {
                let isOfGroup = popup.group.map { groups.contains(rules.groups[$0].name) } ?? false
                let isOfLane = schedulers.contains(rules.schedulers[popup.scheduler].name)
                if areAll || isOfGroup || isOfLane { ids.insert(popup.id) }
            }
        }
        return ids
    }

    private mutating func add(_ name: String, lines: [Line]) {
        if lines.isEmpty { return }
        entries.append(Entry(name: name, kind: .changed, lines: lines))
    }

    private mutating func add(
        from earlier: SharedParts, to later: SharedParts, _ steps: inout PairSteps
    ) {
        for part in later.parts {
            guard let old = earlier[part.name] else {
                if part.isUsed { entries.append(Entry(name: part.name, kind: .added, lines: [])) }
                continue
            }
            guard part.isUsed || old.isUsed else { continue }
            var lines: [Line] = []
            for (key, text) in part.keys {
                let before = old.keys.first { $0.key == key }?.text
                if !isSameText(before, text) {
                    var line = Line(key: key, text: step(from: before, to: text))
                    line.details = ComparedSharedCap.details(
                        from: old.caps[key] ?? [], to: part.caps[key] ?? [], &steps)
                    lines.append(line)
                }
            }
            add(part.name, lines: lines)
        }
        for part in earlier.parts where part.isUsed && later[part.name] == nil {
            entries.append(Entry(name: part.name, kind: .removed, lines: []))
        }
    }
}

extension RuleChanges.Line {
    /// Returns the lines of a popup that only one of two rule sets has: its triggers and its
    /// audience.
    fileprivate static func whole(_ audience: Audience) -> [Self] {
        var causes = audience.causes.flatMap { cause in
            let events = cause.events?.texts ?? []
            let first = cause.trigger + (events.isEmpty ? "" : ", where \(events[0])")
            return [first] + events.dropFirst()
        }
        if causes.isEmpty { causes = ["manual"] }
        let users = audience.users.texts
        return [
            Self(key: "trigger", text: causes[0], details: Array(causes.dropFirst())),
            Self(key: "audience", text: users[0], details: Array(users.dropFirst())),
        ]
    }
}

extension RuleChanges {
    /// A description for users.
    public var text: String {
        if isSame { return "No behavior changes.\n" }
        var lines: [String] = []
        for entry in entries {
            lines.append(
                entry.kind == .changed ? entry.name : "\(entry.name) \(entry.kind.rawValue)")
            for line in entry.lines {
                // Further lines of a value must not look like lines of the report.
                let margin = String(repeating: " ", count: 16)
                let text = line.text.replacing("\n", with: "\n\(margin)")
                lines.append("  \(line.key.padded(to: 14))\(text)")
                lines += line.details.map { margin + $0.replacing("\n", with: "\n\(margin)") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first line of the pull request comment, which identifies it for updates.
    public static let mark = markdownMark.source

    /// The text of a pull request comment.
    public var markdown: String {
        let lines = [Self.markdownMark, "### Rule changes and affected users", ""] + markdownLines
        return (lines.joined(separator: "\n") + "\n").source
    }

    private static let markdownMark: Markdown = "<!-- poprules diff -->"

    private var markdownLines: [Markdown] {
        var lines: [Markdown] = []
        if isSame { lines.append("No behavior changes.") }
        for entry in entries {
            let name = Markdown.message(entry.name)
            lines.append(
                entry.kind == .changed ? "**\(name)**" : "**\(name)** \(entry.kind.rawValue)")
            lines.append("")
            for line in entry.lines {
                lines.append("- \(message: line.key): \(message: line.text)")
                lines += line.details.map { "  - \(message: $0)" }
            }
            if !entry.lines.isEmpty { lines.append("") }
        }
        if !isDecided { lines += ["The effect of some changes could not be determined.", ""] }
        return lines
    }

    /// A description for programs.
    public var json: JSON {
        .object([
            "same": .bool(isSame), "decided": .bool(isDecided),
            "changes": .array(
                entries.map { entry in
                    .object([
                        "name": .string(entry.name), "kind": .string(entry.kind.rawValue),
                        "lines": .array(
                            entry.lines.map { line in
                                .object([
                                    "key": .string(line.key), "text": .string(line.text),
                                    "details": .array(line.details.map { .string($0) }),
                                ])
                            }),
                    ])
                }),
        ])
    }
}
