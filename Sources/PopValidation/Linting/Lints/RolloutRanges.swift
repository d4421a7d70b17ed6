internal import PopRuleFiles
internal import PopSource

/// Ranges of users that leave some users out, although one range begins where another one ends: a
/// range does not include its end, and ranges only join if they have the same salt.
struct RolloutRanges {
    /// A range of the users, and the place of the popup or the experiment that has it.
    private struct Part {
        let name: Located<String>
        let subject: String
        /// The range as written; nil for a percentage.
        let range: Located<Range<Double>>?
        let users: Range<Double>
        /// The order of users, which ranges must share to be adjacent.
        let order: Order
        /// True if the salt is the id of the popup.
        var usesOwnSalt = false
    }

    /// The order of all users in which a range is a part.
    private struct Order: Hashable {
        let key: String
        let salt: String
        var isLayer = false
    }

    /// Returns the findings on all ranges of a rule set.
    static func findings(in model: RuleModel) -> [Diagnostic] {
        let rollouts = model.popups.entries.compactMap { rollout(of: $0) }
        return gaps(between: rollouts + layers(in: model)) + overlaps(between: rollouts)
            + independent(rollouts)
    }

    private static func rollout(of popup: PopupModel) -> Part? {
        guard let rollout = popup.limits.rollout?.value, let by = rollout.by?.value,
            let users = rollout.largestPart
        else { return nil }
        return Part(
            name: popup.name, subject: "popup `\(popup.name.value)`", range: rollout.range,
            users: users, order: Order(key: by, salt: rollout.salt?.value ?? popup.name.value),
            usesOwnSalt: rollout.salt == nil)
    }

    private static func layers(in model: RuleModel) -> [Part] {
        let own = model.popups.entries.map {
            ($0.name, "popup `\($0.name.value)`", $0.limits.experiment?.value.division)
        }
        let named = model.experiments.entries.map {
            ($0.name, "experiment `\($0.name.value)`", Optional($0.division))
        }
        return (named + own).compactMap { name, subject, division in
            guard let layer = division?.layer?.value, let range = division?.range else {
                return nil
            }
            return Part(
                name: name, subject: subject, range: range, users: range.value,
                order: Order(key: layer, salt: "", isLayer: true))
        }
    }

    /// Ranges of one order such as `[0, 50]` and `[51, 100]`.
    private static func gaps(between parts: [Part]) -> [Diagnostic] {
        Dictionary(grouping: parts, by: \.order).values.flatMap { group -> [Diagnostic] in
            let ordered = group.sorted { $0.users.lowerBound < $1.users.lowerBound }
            guard var last = ordered.first else { return [] }
            return ordered.dropFirst().compactMap { part -> Diagnostic? in
                defer { if part.users.upperBound > last.users.upperBound { last = part } }
                let end = Place(key: part.order.key, at: last.users.upperBound)
                guard let range = part.range, !last.users.isEmpty,
                    Place(key: part.order.key, at: range.value.lowerBound).follows(end)
                else { return nil }
                return .gap(
                    before: range, of: part.subject, after: last.users, last.range?.range,
                    of: last.name)
            }
        }.sorted { $0.range < $1.range }
    }

    /// Ranges of one order such as `[0, 60]` and `[50, 100]`, none of which includes the other.
    private static func overlaps(between parts: [Part]) -> [Diagnostic] {
        let ranges = parts.filter { $0.range != nil && !$0.usesOwnSalt }
        return Dictionary(grouping: ranges, by: \.order).values.flatMap { group -> [Diagnostic] in
            let ordered = group.sorted { $0.users.lowerBound < $1.users.lowerBound }
            return zip(ordered, ordered.dropFirst()).compactMap { first, second in
                guard let one = first.range, let other = second.range,
                    first.users.lowerBound < second.users.lowerBound,
                    second.users.lowerBound < first.users.upperBound,
                    first.users.upperBound < second.users.upperBound
                else { return nil }
                return .overlap(
                    of: other, subject: second.subject, with: one, of: first.name)
            }
        }.sorted { $0.range < $1.range }
    }

    /// Ranges such as `[0, 50]` and `[50, 100]` of two popups, at least one of which has no salt.
    private static func independent(_ rollouts: [Part]) -> [Diagnostic] {
        let parts = rollouts.filter { $0.range != nil }
        let ends = Dictionary(grouping: parts) { Place(key: $0.order.key, at: $0.users.upperBound) }
        return parts.compactMap { part -> Diagnostic? in
            guard let range = part.range, range.value.lowerBound > 0 else { return nil }
            let start = Place(key: part.order.key, at: range.value.lowerBound)
            // No more than these are compared with it.
            let others = start.endsBefore.flatMap { ends[$0] ?? [] }.prefix(32)
            // It may follow several ranges, one of which has the same salt.
            guard !others.contains(where: { $0.order == part.order }),
                let other = others.first(where: { $0.usesOwnSalt || part.usesOwnSalt }),
                let place = other.range?.range
            else { return nil }
            return .independent(
                Located(part.name.value, at: range.range),
                from: Located(other.name.value, at: place),
                salt: part.usesOwnSalt ? other.order.salt : part.order.salt)
        }
    }

    /// Where a range begins or ends among the users of a key, in thousandths of a percent.
    private struct Place: Hashable {
        let key: String
        let thousandths: Int

        init(key: String, at percent: Double) {
            self.init(key: key, thousandths: Int((percent * 1_000).rounded()))
        }

        private init(key: String, thousandths: Int) {
            self.key = key
            self.thousandths = thousandths
        }

        /// The number before it in counting: 50 before 51, and 33.3 before 33.4.
        private var previous: Place { Place(key: key, thousandths: thousandths - unit) }

        private var next: Place { Place(key: key, thousandths: thousandths + unit) }

        private var unit: Int { [1_000, 100, 10].first { thousandths.isMultiple(of: $0) } ?? 1 }

        /// Returns true if one of two numbers follows the other in counting: 51 follows 50, and 50
        /// follows 49.9.
        func follows(_ end: Place) -> Bool { previous == end || end.next == self }

        /// The ends of ranges that a range beginning there follows.
        var endsBefore: [Place] { [self, previous] }
    }
}

extension Diagnostic {
    fileprivate static func gap(
        before range: Located<Range<Double>>, of subject: String, after last: Range<Double>,
        _ place: SourceRange?, of other: Located<String>
    ) -> Self {
        let (end, start) = (percentText(last.upperBound), percentText(range.value.lowerBound))
        let joined = "[\(end), \(percentText(range.value.upperBound))]"
        let longer =
            place == nil
            ? "percent: \(start)" : "range: [\(percentText(last.lowerBound)), \(start)]"
        return Diagnostic(
            .hygieneRolloutToNobody,
            message: "users from \(end) to \(start) percent are not in any of the ranges",
            at: range.range, label: "starts at \(start) percent", subject: subject,
            secondary: [
                Label("`\(other.value)` ends at \(end) percent", at: place ?? other.range)
            ],
            notes: ["a range includes its start, but not its end"],
            help: [
                "to start this range where the range of `\(other.value)` ends, write"
                    + " `range: \(joined)`",
                "to end the range of `\(other.value)` where this range starts, write `\(longer)`"
                    + " for `\(other.value)`",
            ],
            fixes: [
                Fix(
                    "write \(joined)", edits: [.init(range.range, replacement: joined)],
                    isSafe: false)
            ])
    }

    fileprivate static func overlap(
        of range: Located<Range<Double>>, subject: String, with last: Located<Range<Double>>,
        of other: Located<String>
    ) -> Self {
        let (start, end) = (percentText(range.value.lowerBound), percentText(last.value.upperBound))
        return Diagnostic(
            .hygieneRolloutToNobody,
            message: "users from \(start) to \(end) percent are in both ranges",
            at: range.range, label: "starts at \(start) percent", subject: subject,
            secondary: [Label("`\(other.value)` ends at \(end) percent", at: last.range)],
            help: [
                "to let each user see only one of the two popups, start this range at \(end), or"
                    + " end the range of `\(other.value)` at \(start)"
            ])
    }

    fileprivate static func independent(
        _ popup: Located<String>, from other: Located<String>, salt: String
    ) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "the ranges of `\(other.value)` and `\(popup.value)` select users"
                + " independently",
            at: popup.range, label: "some users are in both ranges, and some in neither",
            subject: "popup `\(popup.value)`",
            secondary: [Label("the range of `\(other.value)`", at: other.range)],
            notes: [
                "ranges divide the users only if they have the same `salt`, which is the id of the"
                    + " popup by default"
            ],
            help: ["write the same salt in both rollouts, such as `salt: \(salt)`"])
    }
}
