internal import PopCEL
internal import PopSource

/// Finds what is likely to be wrong or to fail in an expression that keeps the rules of the
/// language.
struct ExpressionLinter: ~Copyable {
    let subject: CheckedExpression
    // Here too: a property that gives it would retain it each time.
    let tree: SyntaxTree
    /// The diagnostics of the check, followed by the advice.
    var diagnostics: Diagnostics
    /// The names that were reported already: each is reported once.
    private var reported: Set<String> = []
    /// The number of states of all patterns so far.
    private var patternStates = 0
    /// By named condition of the expression, the names that have a value if it is true or false.
    var presences: [String: Guards.Presence] = [:]

    init(_ subject: consuming CheckedExpression, diagnostics: Diagnostics) {
        tree = subject.tree
        self.subject = subject
        self.diagnostics = diagnostics
    }

    /// `failures` are the constant parts that failed when they were folded.
    mutating func advise(constantFailures: [ConstantFailure]) {
        adviseOnValues()
        if subject.mayFail { adviseOnFailures() }
        for (node, message) in constantFailures { report(node, failure: message) }
    }

    /// Reports invalid values and patterns; other mistakes do not matter for these.
    mutating func adviseOnValues() {
        for node in tree.nodes.indices {
            switch tree.kind(of: node) {
            case .operation:
                adviseOnComparison(node)
                adviseOnMoments(node)
                adviseOnNumbers(node)
                adviseOnSameOperands(node)
            case .presence: adviseOnPresenceOfDefault(node)
            case .call, .memberCall:
                adviseOnPattern(node)
                adviseOnZone(node)
                adviseOnPartOfText(node)
            case .literal, .identifier, .select, .list, .map, .message, .optionalEntry, .macro:
                break
            }
        }
    }

    func variable(_ node: NodeID) -> Variable? {
        guard case .variable(let index) = subject.checked.nodes[node].reference else { return nil }
        return subject.environment.variable(at: index)
    }

    /// Returns true if a name hasn't been reported yet, and the limit of reports isn't reached.
    func isNew(_ key: String) -> Bool {
        !reported.contains(key) && diagnostics.list.count < CELLimits.offers
    }

    mutating func reportOnce(_ key: String, diagnostic: Diagnostic) {
        if reported.insert(key).inserted { diagnostics.report(diagnostic) }
    }

    private mutating func report(_ node: NodeID, failure message: String) {
        // A wrong pattern is reported with its place inside the pattern.
        if isCall(node, code: .matches) { return }
        var diagnostic = Diagnostic.constantError(
            subject.expression.text(of: node), message: message, at: tree.range(node))
        if isCall(node, code: .duration),
            case .string(let text)? = tree.literal(tree.child(node, at: 0))
        {
            tree.offerDuration(text, in: node, environment: subject.environment, to: &diagnostic)
        }
        if isCall(node, code: .timestamp),
            case .string? = tree.literal(tree.child(node, at: 0))
        {
            diagnostic.help = [
                "use a date and a time with `Z` or an offset, such as"
                    + " `timestamp(\"2026-11-01T09:00:00+01:00\")`"
            ]
        }
        if isCall(node, code: .version) { adviseOnVersion(node, to: &diagnostic) }
        diagnostics.report(diagnostic)
    }

    /// Advises on `version("v1.2")`, and other strings that aren't versions.
    private func adviseOnVersion(_ node: NodeID, to diagnostic: inout Diagnostic) {
        let argument = tree.child(node, at: 0)
        guard case .string(let text)? = tree.literal(argument) else { return }
        let rest = String(text.dropFirst())
        if text.lowercased().hasPrefix("v"), Version(rest) != nil {
            diagnostic.offer(
                "start a version with a number",
                rewriting: tree.rewriting([(argument, "\"\(rest)\"")]))
        } else if !tree.offerVersions(like: text, in: node, to: &diagnostic) {
            diagnostic.help = ["use numbers joined by dots, such as `version(\"1.12.0\")`"]
        }
    }

    func isCall(_ node: NodeID, code: FunctionCode) -> Bool { subject.isCall(node, code: code) }
}

// MARK: Patterns

extension ExpressionLinter {
    private mutating func adviseOnPattern(_ node: NodeID) {
        guard isCall(node, code: .matches), tree.childCount(node) == 2 else { return }
        let argument = tree.child(node, at: 1)
        guard case .string(let pattern)? = tree.literal(argument) else { return }
        do throws(RegularExpressionError) {
            var limits = subject.environment.limits
            limits.regexStates = min(
                limits.regexStates, limits.regexStatesTogether - patternStates)
            patternStates += try RegularExpression.states(of: pattern, limits: limits)
            adviseOnSlashes(pattern, argument: argument)
        } catch {
            var finding = Diagnostic.wrongPattern(
                error.message, at: place(error.range, of: pattern, in: argument))
            offerQuestion(insteadOf: pattern, in: node, to: &finding)
            diagnostics.report(finding)
        }
    }

    /// A part of a date without a time zone follows UTC, not the clocks of the users.
    private mutating func adviseOnZone(_ node: NodeID) {
        if tree.childCount(node) == 2 { return adviseOnUnknownZone(node) }
        guard subject.environment.knowsDays, tree.childCount(node) == 1,
            [.getHours, .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear].contains(where: {
                isCall(node, code: $0)
            }), subject.checked.type(tree.child(node, at: 0)) == .timestamp
        else { return }
        let name = tree.name(node)
        var diagnostic = Diagnostic(
            .timeNoZone, message: "`\(name)()` has no time zone", at: tree.range(node),
            label: "uses UTC",
            help: [
                "add the time zone that you mean, such as `\(tree.written(tree.child(node, at: 0)))"
                    + ".\(name)(\"Europe/Berlin\")`"
            ])
        if subject.environment.knowsDays, ["getDayOfWeek", "getHours"].contains(name) {
            diagnostic.help.append(
                "to use the time on the device, replace this check with a schedule next to `when`,"
                    + " such as `schedule:"
                    + (name == "getHours"
                        ? " { hours: 18:00-22:00, zone: local }`"
                        : " { days: [sat, sun], zone: local }`"))
        }
        let utc = "\(tree.written(tree.child(node, at: 0))).\(name)(\"UTC\")"
        diagnostic.offer("if you mean UTC", rewriting: tree.rewriting([(node, utc)]), isSafe: false)
        diagnostics.report(diagnostic)
    }

    /// Offers the equivalent check for `"*checkout*"`, a pattern for file names.
    private func offerQuestion(
        insteadOf pattern: String, in node: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard let match = pattern.wholeMatch(of: #/\*([A-Za-z0-9_ \-]+)(\*?)/#) else { return }
        let isPart = !match.output.2.isEmpty
        let text = tree.operand(tree.child(node, at: 0))
        let question = "\(text).\(isPart ? "contains" : "endsWith")(\"\(match.output.1)\")"
        diagnostic.offer(
            isPart
                ? "use `contains` to check a part of a string"
                : "use `endsWith` to check the end of a string",
            rewriting: tree.rewriting([(node, question)]), isSafe: false)
    }

    /// The place of a part of a string literal, when the literal is written as it reads.
    private func place(_ part: Range<Int>, of text: String, in node: NodeID) -> SourceRange {
        let written = tree.nodes[node]
        guard case .text(let map, let bytes) = tree.origins[written.origin] else {
            return tree.range(node)
        }
        let token = Int(written.start)..<Int(written.end)
        let extra = token.count - text.utf8.count
        let closing = bytes[..<token.upperBound].suffix(3)
        let isTriple = extra >= 6 && Set(closing).count == 1
        let start = token.lowerBound + extra - (isTriple ? 3 : 1)
        guard start >= token.lowerBound,
            bytes[start..<min(start + text.utf8.count, bytes.count)].elementsEqual(text.utf8),
            part.upperBound <= text.utf8.count
        else { return tree.range(node) }
        return map.range(start + part.lowerBound..<start + part.upperBound)
    }
}

extension Diagnostic {
    static func constantError(
        _ text: String, message: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionConstantError, message: "`\(text)` always fails: \(message)", at: range,
            label: "fails for every user")
    }

    fileprivate static func wrongPattern(_ message: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionRegexInvalid, message: "invalid regular expression: \(message)",
            at: range,
            label: "invalid here")
    }
}
