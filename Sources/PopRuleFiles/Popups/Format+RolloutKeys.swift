public import PopScheduler
public import PopSource
internal import PopYAML

/// The part of the users that a popup is shown to.
public struct RolloutModel: Sendable {
    /// The percentage of users who see it, 0 to 100.
    public var percent: Located<Double>?
    /// The range of percentages of users who see it, its upper bound not included; never together
    /// with `percent`.
    public var range: Located<Range<Double>>?
    /// The percentages of users who see it from dates on; never together with `percent` and
    /// `range`.
    public var steps: Located<[RolloutStepModel]>?
    /// The IANA zone or the offset in which the days of `steps` begin; nil is UTC.
    public var zone: Located<String>?
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides which users are chosen; nil is the popup's id.
    public var salt: Located<String>?
}

extension RolloutModel {
    /// The place of the share of users who see the popup.
    public var shareRange: SourceRange? { percent?.range ?? range?.range ?? steps?.range }
}

/// A part of the users from a date on.
public struct RolloutStepModel: Sendable {
    /// When it begins.
    public var begins: Located<Schedule.Bound>
    /// The percentage of users who see the popup from then on, 0 to 100.
    public var percent: Located<Double>
}

private let helpOnPercentage =
    "\nwrite `rollout: { percent: $, by: user.id }`, with the context key that identifies users"

extension Table<RolloutModel> {
    static let rollout = Table(
        "a rollout",
        keys: [
            Key(
                "percent", format: .number(0...100), store: { $0.percent = $1 },
                alsoCalled: ["percentage", "share"],
                summary: "the percentage of users who see the popup"
            ).such(as: ["percentage": helpOnPercentage, "share": helpOnPercentage]),
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                summary: "the context key that identifies users"
            ).required,
            Key(
                "range", format: .partOfHundred, store: { $0.range = $1 },
                alsoCalled: ["part", "between", "bucket", "buckets"],
                summary: "the range of users who see the popup, in percent, such as `[50, 100]` for"
                    + " the second half"
            ),
            Key(
                "steps", format: .rolloutSteps, store: { $0.steps = $1 },
                alsoCalled: ["stages", "ramp", "phases", "schedule"],
                summary: "the percentage of users who see the popup, starting at each date"
            ).such(as: "{ 2027-01-10: 5, 2027-01-20: 100 }"),
            Key(
                "zone", format: .zoneOfAllUsers, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone in which the days of `steps` start; by default UTC"),
            Key(
                "salt", format: .text, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary: "a word; changing it selects other users (default: the popup's id)"),
        ],
        rules: [
            .oneOf(["percent", "range", "steps"]), .with("zone", "steps"),
        ])
}

extension Format<Range<Double>> {
    /// Two numbers from 0 to 100, the smaller one first; the second is not included.
    static var partOfHundred: Self {
        let schema = Schema.list(.number(0...100), count: 2...2)
        return Format(schema) { node, decoder in
            guard node.kind == .sequence, node.items.count == 2 else {
                return decoder.mismatch(
                    schema, at: node,
                    help: ["write the start and the end of the range, such as `[50, 100]`"])
            }
            let bounds = decoder.read(.list(of: .number(0...100)), at: node)?.value ?? []
            guard bounds.count == 2 else { return nil }
            guard bounds[0].value < bounds[1].value else {
                decoder.report(.emptyPart(bounds[0], bounds[1], at: node.range))
                return nil
            }
            return bounds[0].value..<bounds[1].value
        }
    }
}

extension Format<[RolloutStepModel]> {
    /// A map of dates to numbers from 0 to 100.
    static var rolloutSteps: Self {
        let schema = Schema.map(.number(0...100))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping, !node.entries.isEmpty else {
                return decoder.mismatch(
                    schema, at: node,
                    help: [
                        "write dates with percentages, such as `{ 2027-01-10: 5, 2027-01-20: 100 }`"
                    ])
            }
            return node.entries.compactMap { entry in
                let begins = decoder.read(.bound, at: entry.key)
                let percent = decoder.read(.number(0...100), at: entry.value)
                guard let begins, let percent else { return nil }
                return RolloutStepModel(begins: begins, percent: percent)
            }
        }
    }
}

extension Format<RolloutModel> {
    static var rollout: Self {
        let table = Self.table(.rollout, startingWith: RolloutModel())
        return Format(table.schema) { node, decoder in
            guard let text = node.scalar?.text else { return table.read(node, &decoder) }
            let number = Double(text.replacing("%", with: ""))
            let percent = number.flatMap { (0...100).contains($0) ? $0 : nil } ?? 25
            let written = percent.rounded() == percent ? "\(Int(percent))" : "\(percent)"
            let needed = "add the key that identifies users, such as"
            guard percent > 0, percent < 1 else {
                return decoder.mismatch(
                    table.schema, at: node,
                    help: ["\(needed) `rollout: { percent: \(written), by: user.id }`"])
            }
            let hundredfold = (percent * 10_000).rounded() / 100
            let share =
                hundredfold == hundredfold.rounded() ? "\(Int(hundredfold))" : "\(hundredfold)"
            return decoder.mismatch(
                table.schema, at: node,
                help: [
                    "\(needed) `rollout: { percent: \(share), by: user.id }` for"
                        + " \(share) percent of users",
                    "if you mean \(written) percent of users:"
                        + " `rollout: { percent: \(written), by: user.id }`",
                ])
        }
    }
}

extension Diagnostic {
    fileprivate static func emptyPart(
        _ from: Located<Double>, _ until: Located<Double>, at range: SourceRange
    ) -> Self {
        let isEqual = from.value == until.value
        return Diagnostic(
            .schemaRange,
            message: isEqual
                ? "the range of users is empty"
                : "the bounds of the range are in the wrong order",
            at: range, label: isEqual ? "contains no users" : "the smaller bound must come first",
            help: ["write a number and then a larger number, such as `[50, 100]`"])
    }
}
