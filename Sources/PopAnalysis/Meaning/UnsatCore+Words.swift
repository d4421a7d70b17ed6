internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScheduler
internal import PopSource

// MARK: Never and always true

extension Diagnostic {
    /// Returns the diagnostic for a single condition that is never true.
    static func never(_ clash: UnsatCore, owner: Owner, at range: SourceRange) -> Self {
        var diagnostic = Diagnostic(
            .logicNeverTrue, message: "\(clash.statement), \(owner.never)", at: range,
            label: "never true", subject: owner.subject, help: [clash.help])
        diagnostic.point(at: clash.parts, primary: clash.parts.count - 1) { _ in nil }
        return diagnostic
    }

    /// Returns the diagnostic for the conditions of a popup that never hold together; those of its
    /// `dismiss_when` come last.
    static func neverShows(
        _ clash: UnsatCore, popup: String, owners: [Owner], at range: SourceRange
    ) -> Self {
        let needed = clash.parts.filter { !$0.isForbidden }
        let message: String
        if needed.count == clash.parts.count {
            message = "\(clash.statement), so the popup never shows"
        } else if needed.isEmpty {
            message = "the popup never shows, because `dismiss_when` is always true"
        } else {
            let verb = needed.count == 1 ? "is" : "are"
            message =
                "the popup never shows, because `dismiss_when` is true whenever"
                + " \(needed.map { $0.quoted }.joinedAsWords) \(verb) true"
        }
        var diagnostic = Diagnostic(
            .logicNeverTrue, message: message, at: range, label: "never true",
            subject: "popup `\(popup)`", help: [clash.help])
        let own = clash.parts.lastIndex { part in
            if case .popup = owners[part.place] { true } else { part.isForbidden }
        }
        diagnostic.point(at: clash.parts, primary: own ?? clash.parts.count - 1) {
            owners[$0.place]
        }
        return diagnostic
    }

    /// Underlines parts, one of them as the primary one.
    private mutating func point(
        at parts: [UnsatCore.Part], primary: Int, owner: (UnsatCore.Part) -> Owner?
    ) {
        range = parts[primary].use
        let count = parts.count
        let forbidden = parts.count { $0.isForbidden }
        if count == 1 {
            if forbidden == 1 { label = "always true" }
        } else if forbidden == count {
            label =
                count == 2
                ? "true whenever the other part is false"
                : "part \(primary + 1) of \(count); at any time, one of these parts is true"
        } else if parts[primary].isForbidden {
            label =
                forbidden == 1
                ? "true whenever the popup may show"
                : "one part of `dismiss_when` is true whenever the popup may show"
        } else {
            label =
                count == 2
                ? "never true together with \(parts[1 - primary].quoted)"
                : "part \(primary + 1) of \(count); these parts are never all true at the same time"
        }
        var labels: [Label] = []
        for (position, part) in parts.enumerated() {
            let what =
                if forbidden == 0 || forbidden == count, count > 2 {
                    "part \(position + 1) of \(count)"
                } else if part.isForbidden {
                    "\(forbidden == 2 ? "the other" : "another") part of `dismiss_when`"
                } else if forbidden > 0 {
                    part.names.isEmpty
                        ? "required to show the popup" : "which decides whether the popup may show"
                } else {
                    "never true together with \(parts[primary].quoted)"
                }
            if let name = part.names.last {
                if position == primary {
                    labels.append(Label("the condition of `\(name)`", at: part.range))
                } else {
                    labels.append(Label("part of `\(name)`, \(what)", at: part.range))
                    labels.append(Label("uses `\(part.names[0])`", at: part.use))
                }
            } else if position != primary {
                let isElsewhere: Bool
                switch owner(part) {
                case .group?, .schedule?: isElsewhere = true
                case .popup?, .dismissal?, .trigger?, .goal?, .condition?, nil: isElsewhere = false
                }
                let place = isElsewhere ? owner(part).map { "part of \($0.place), " } ?? "" : ""
                labels.append(Label(place + what, at: part.range))
            }
        }
        var seen: Set<SourceRange> = [range]
        secondary = labels.filter { seen.insert($0.range).inserted }
    }

    static func always(_ condition: Condition, owner: Owner) -> Self {
        let text = quoted(condition.program.expression.description)
        return Diagnostic(
            .logicAlwaysTrue, message: "\(text) is always true, \(owner.always)",
            at: condition.range, label: "always true", subject: owner.subject,
            help: ["correct the condition, or remove it"])
    }
}

// MARK: Parts without an effect

extension Diagnostic {
    static func idle(_ part: Logic.IdlePart, owner: Owner) -> Self {
        let text = quoted(part.text)
        let message: String
        let other: String
        switch part.reason {
        case nil:
            message = "the condition is the same without \(text)"
            other = ""
        case let reason? where reason.kind == .leaves:
            message = "\(text) is always true if \(quoted(reason.text)) is false"
            other = "if this part is true, \(text) has no effect"
        case let reason? where part.isTrue:
            message = "\(quoted(reason.text)) already implies \(text)"
            other = "already implies \(text)"
        case let reason? where reason.kind == .clash:
            message = "\(text) is never true together with \(quoted(reason.text))"
            other = "never true together with \(text)"
        case let reason?:
            message = "\(quoted(reason.text)) is true whenever \(text) is true"
            other = "true whenever \(text) is true"
        }
        return Diagnostic(
            .logicRedundantPart, message: message, at: part.range, label: "has no effect",
            subject: owner.subject,
            secondary: part.reason.map { [.init(other, at: $0.range)] } ?? [],
            help: ["remove \(text), or correct the condition"])
    }

    /// Returns the diagnostic for a group or a schedule that requires everything that a popup
    /// requires.
    static func repeats(_ own: Required, alreadyIn other: Required) -> Self {
        let text = quoted(own.condition.program.expression.description)
        var diagnostic = Diagnostic(
            .logicAlwaysTrue,
            message: "\(text) is always true if \(other.owner.place) lets the popup show",
            at: own.condition.range, label: "has no effect", subject: own.owner.subject,
            secondary: [.init("already ensures \(text)", at: other.condition.range)],
            help: ["remove \(text) from the popup, or correct the condition"])
        diagnostic.level = .info
        return diagnostic
    }

    /// Returns the diagnostic for a group or a schedule that requires a part of a popup's
    /// condition.
    static func repeats(_ part: Logic.IdlePart, of own: Required, alreadyIn other: Required) -> Self
    {
        var diagnostic = Diagnostic(
            .logicRedundantPart,
            message: "\(other.owner.place) already requires \(quoted(part.text))", at: part.range,
            label: "has no effect", subject: own.owner.subject,
            secondary: [
                .init("already requires \(quoted(part.text))", at: other.condition.range)
            ],
            help: ["remove \(quoted(part.text)) from the popup, or correct the condition"])
        diagnostic.level = .info
        return diagnostic
    }
}

// MARK: The same users

extension Diagnostic {
    static func sameAudience(
        _ popup: String, at range: SourceRange, as other: String, place: SourceRange
    ) -> Self {
        Diagnostic(
            .logicSameAudience,
            message: "`\(popup)` and `\(other)` target the same users with differently written"
                + " conditions",
            at: range, label: "same users as `\(other)`", subject: "popup `\(popup)`",
            secondary: [.init("same users as `\(popup)`", at: place)],
            help: [
                "if both popups should target the same users, define the condition once under"
                    + " `conditions`, and write the name of the condition as the `when` of both"
                    + " popups; if not, correct one of the two conditions"
            ])
    }
}

// MARK: Parts as text

/// Returns a part of a condition in backticks, on one line.
private func quoted(_ text: String) -> String {
    let line = text.split { $0.isNewline || $0 == " " }.joined(separator: " ")
    return "`\(bounded(line))`"
}

extension UnsatCore.Part {
    fileprivate var quoted: String {
        guard isNegated else { return PopAnalysis.quoted(text) }
        let isName = condition.expression.tree.kind(of: node) != .operation
        return PopAnalysis.quoted(isName ? "!\(text)" : "!(\(text))")
    }

    /// The key of a comparison, and the rest of the comparison as text: `pro`, `> 3`.
    fileprivate var fact: (key: String, text: String)? {
        let tree = condition.expression.tree
        guard !isNegated, let operation = tree.operation(node), tree.childCount(node) == 2,
            operation.isOrdering || operation == .equal || operation == .notEqual
        else { return nil }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        let isMirrored = tree.dottedName(left) == nil
        let value = isMirrored ? left : right
        guard let key = tree.dottedName(isMirrored ? right : left),
            let literal = tree.literal(value)
        else { return nil }
        let sign = (isMirrored ? operation.mirrored : operation).symbol
        if operation != .equal { return (key, "\(sign) \(literal)") }
        if case .string(let text) = literal, !text.isEmpty { return (key, text) }
        return (key, "\(literal)")
    }
}

extension UnsatCore {
    /// The advice to change one of the parts.
    fileprivate var help: String {
        if parts.contains(where: { $0.isForbidden }) {
            return "correct `dismiss_when`, so that it is false when the popup should show"
        }
        return parts.count == 1
            ? "correct the condition, or remove it"
            : "correct or remove one of the conflicting parts"
    }

    /// The statement that the parts never hold together.
    fileprivate var statement: String {
        if parts.count == 1 { return "\(parts[0].quoted) is never true" }
        if parts.count == 2, let (key, first) = parts[0].fact,
            let (other, second) = parts[1].fact, key == other, first != second
        {
            return "`\(key)` cannot be `\(first)` and `\(second)` at the same time"
        }
        if parts.count == 2, parts[0].range == parts[1].range {
            let names = parts.map { $0.names.first.map { "`\($0)`" } ?? $0.quoted }
            return "\(names.joinedAsWords) are never true together"
        }
        return "\(parts.map { $0.quoted }.joinedAsWords) are never true together"
    }
}

extension [String] {
    fileprivate var joinedAsWords: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and \(last)"
    }
}
