internal import PopCEL
internal import PopExplanations
internal import PopScenario
package import PopScheduler
package import PopSource

extension Collision {
    /// Returns the effect on the second popup as a sentence.
    package func text(in rules: RuleSet) -> String {
        let (first, second) = (rules.popups[winner].id, rules.popups[loser].id)
        switch loss {
        case nil: return "`\(first)` and `\(second)` show to the same users"
        case .postponed?:
            return "`\(first)` shows first; `\(second)` waits until `\(first)` is closed"
                + (isAtEachTrigger ? ", at every trigger of `\(second)`" : "")
        case .lost(let reason)?:
            return "`\(first)` shows first; `\(second)` is lost: \(reason.meaning)"
                + " (\(reason.rawValue))"
        case .keptAway(let reason, let time)?:
            let length = time.map { " for \(PopScheduler.timeText($0))" } ?? ""
            let times = times == 1 ? "" : times == 2 ? " twice" : " \(times) times"
            return "seeing `\(first)`\(times) suppresses `\(second)`\(length): \(reason.meaning)"
                + " (\(reason.rawValue))"
        case .starved(let reason)?:
            return "`\(first)` shows first, and after that `\(second)` cannot show anymore:"
                + " \(reason.meaning) (\(reason.rawValue))"
        case .lapsed(let reason)?:
            return "`\(first)` shows first; when `\(first)` is closed, it is too late for"
                + " `\(second)`: \(reason.meaning) (\(reason.rawValue))"
        }
    }

    /// Returns the context of a user. Adds the date at which the scenario begins if the context
    /// contains dates or if it isn't the requested date.
    fileprivate func userText(at date: Timestamp?) -> String? {
        let hasDate = user.values.contains { if case .timestamp = $0 { true } else { false } }
        let isOther = date.map { story?.beginning.start != $0 } ?? false
        let start = hasDate || isOther ? story?.beginning.start : nil
        if user.isEmpty { return start.map { "for example at \($0)" } }
        return "for example a user with \(YAMLText.map(user))" + (start.map { " at \($0)" } ?? "")
    }

    /// The effect in one word.
    private var outcome: String {
        switch loss {
        case nil: "shared"
        case .postponed?: "postponed"
        case .lost?: "lost"
        case .keptAway?: "kept_away"
        case .starved?: "starved"
        case .lapsed?: "lapsed"
        }
    }

    private var reason: ReasonCode? {
        switch loss {
        case nil, .postponed?: nil
        case .lost(let reason)?, .keptAway(let reason, _)?, .starved(let reason)?,
            .lapsed(let reason)?:
            reason
        }
    }

    /// Returns a description for programs.
    package func json(in rules: RuleSet) -> JSON {
        var cause: JSON
        switch self.cause {
        case .trigger(let trigger, let scheduler):
            cause = .object([
                "kind": .string("trigger"), "trigger": .string(trigger),
                "scheduler": .string(scheduler),
            ])
        case .cap(let owner, let cap):
            cause = .object([
                "kind": .string("cap"), "owner": .string(owner), "cap": .string(cap),
            ])
        case .share(let salt, let total, let since):
            cause = .object([
                "kind": .string("share"), "salt": .string(salt),
                "percent": .string(Value.double(total).yaml),
                "since": since.map { .string($0.description) },
            ])
        }
        return .object([
            "first": .string(rules.popups[winner].id), "second": .string(rules.popups[loser].id),
            "cause": cause, "outcome": .string(outcome),
            "atEachTrigger": isAtEachTrigger ? .bool(true) : nil,
            "reason": reason.map { .string($0.rawValue) }, "times": times > 1 ? .int(times) : nil,
            "start": story.map { .string($0.beginning.start.description) },
            "user": .string(user.isEmpty ? "" : YAMLText.map(user)),
            "story": story.map { .string($0.testFile) },
        ])
    }
}

extension Collision.Cause {
    /// The cause as a heading.
    package var text: String {
        switch self {
        case .trigger(let trigger, let scheduler): "on `\(scheduler)` \(trigger)"
        case .cap(let owner, let cap): "\(owner) may show \(cap)"
        case .share(let salt, let total, let since):
            "rollouts with the salt `\(salt)`, \(total.shortText) % in total"
                + (since.map { " since \($0)" } ?? "")
        }
    }
}

extension Collisions {
    /// Returns a description for users.
    package func text(in rules: RuleSet, limits: AnalysisLimits = .standard) -> String {
        var lines: [String] = []
        var heading: String?
        for collision in found.prefix(limits.printedPairs) {
            let cause = collision.cause.text
            if cause != heading {
                if heading != nil { lines.append("") }
                lines.append(cause)
                heading = cause
            }
            lines.append("  " + collision.text(in: rules))
            if let user = collision.userText(at: at) { lines.append("    " + user) }
        }
        if !lines.isEmpty { lines.append("") }
        let left = found.count - min(found.count, limits.printedPairs)
        if left > 0 {
            lines.append("and \(left) more; give popup ids to see only their collisions")
        }
        lines.append(summary)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        let collisions = "\(found.count) collision\(found.count == 1 ? "" : "s")"
        var text = "\(collisions) in \(pairs) checked pair\(pairs == 1 ? "" : "s")"
        if let at { text += ", from \(at) on" }
        if withoutStory > 0 {
            let pairs =
                withoutStory == 1
                ? "1 pair that may compete"
                : "\(withoutStory) pairs that may compete"
            text += "; no scenario was found for \(pairs)"
        }
        if !isCutShort { return text }
        if untried == 0 {
            return "\(text); not all caps and salts that they share were checked; give popup ids to"
                + " check fewer pairs"
        }
        let more = untried == 1 ? "1 more pair was" : "\(untried) more pairs were"
        let most = isUntriedAtMost ? "up to " : ""
        return "\(text); \(most)\(more) not checked; give popup ids to check fewer pairs"
    }

    /// Returns a description for programs.
    package func json(in rules: RuleSet) -> JSON {
        .object([
            "collisions": .array(found.map { $0.json(in: rules) }), "pairs": .int(pairs),
            "untried": .int(untried), "complete": .bool(!isCutShort),
            "withoutStory": .int(withoutStory), "at": at.map { .string($0.description) },
        ])
    }
}
