internal import PopCEL
internal import PopSource

// Advice on strings that have a special meaning in other languages, and on zones.
extension ExpressionLinter {
    /// `matches("/a$/i")`: slashes of other languages are a part of the pattern here.
    mutating func adviseOnSlashes(_ pattern: String, argument: NodeID) {
        guard pattern.hasPrefix("/"), let end = pattern.lastIndex(of: "/"),
            end > pattern.startIndex
        else { return }
        let inner = pattern[pattern.index(after: pattern.startIndex)..<end]
        let flags = pattern[pattern.index(after: end)...]
        // A path such as `/a/b/` has neither flags nor anchors.
        guard flags.allSatisfy({ "gimsuy".contains($0) }),
            !flags.isEmpty || inner.hasPrefix("^") || inner.hasSuffix("$")
        else { return }
        let kept = flags.filter { "ims".contains($0) }
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare, message: "the slashes are part of the pattern",
            at: tree.range(argument), label: "matches only strings with slashes")
        offer(
            "\(kept.isEmpty ? "" : "(?\(kept))")\(inner)", insteadOf: argument,
            help: kept.isEmpty
                ? "write the pattern without slashes"
                : "write the pattern without slashes, and the flags as `(?\(kept))` at the start",
            to: &diagnostic)
        diagnostics.report(diagnostic)
    }

    /// `contains("%a%")`, and `startsWith("DE")` of a key none of whose values begins so.
    mutating func adviseOnPartOfText(_ node: NodeID) {
        guard tree.kind(of: node) == .memberCall, tree.childCount(node) == 2,
            case .string(let text)? = tree.literal(tree.child(node, at: 1)),
            let part = PartOfText(tree.name(node))
        else { return }
        if let allowed = variable(tree.child(node, at: 0))?.allowedValues {
            if !allowed.contains(where: { part.holds($0, part: text) }) {
                reportNoValue(node, text: text)
            }
            return
        }
        guard let core = part.withoutWildcards(text) else { return }
        reportWildcards(core, argument: tree.child(node, at: 1))
    }

    /// `== "*@example.org"`.
    mutating func adviseOnWildcards(_ literal: NodeID, comparedWith other: NodeID) {
        guard case .string(let text)? = tree.literal(literal), text.utf8.count > 2,
            text.hasPrefix("*") || text.hasPrefix("%"), variable(other)?.allowedValues == nil,
            !text.dropFirst().allSatisfy({ $0 == text.first })
        else { return }
        let end = text.drop { $0 == text.first }
        diagnostics.report(
            .wildcard(
                text, at: tree.range(literal),
                help: text.hasSuffix("*") || text.hasSuffix("%")
                    ? "use `contains` to check for a part of a string"
                    : "use `endsWith(\"\(end)\")` in an expression, or `ends_with: \"\(end)\"` in a"
                        + " map, to check the end of a string"))
    }

    private mutating func reportWildcards(_ core: String, argument: NodeID) {
        guard case .string(let text)? = tree.literal(argument) else { return }
        var diagnostic = Diagnostic.wildcard(text, at: tree.range(argument), help: nil)
        offer(
            core, insteadOf: argument, help: "remove `\(Diagnostic.wildcard(in: text))`",
            to: &diagnostic)
        diagnostics.report(diagnostic)
    }

    private mutating func reportNoValue(_ node: NodeID, text: String) {
        guard let variable = variable(tree.child(node, at: 0)), let values = variable.allowedValues
        else { return }
        let known = alternatives(values.prefix(12).map { "\($0)" })
        let phrase: (verb: String, part: String) =
            switch tree.name(node) {
            case "startsWith": ("starts with", "the start")
            case "endsWith": ("ends with", "the end")
            default: (tree.name(node), "a part")
            }
        diagnostics.report(
            Diagnostic(
                .logicNeverTrue,
                message: "no value of `\(variable.name)` \(phrase.verb) `\(text)`",
                at: tree.range(node), label: "never true",
                help: ["use \(phrase.part) of an allowed value, such as \(known)"]))
    }

    /// Offers a string; in a map condition, the file only contains the string.
    private func offer(
        _ text: String, insteadOf literal: NodeID, help: String,
        to diagnostic: inout Diagnostic
    ) {
        let quote = text.contains("\"") ? "'" : "\""
        let quoted = "\(text.contains("\\") ? "r" : "")\(quote)\(text)\(quote)"
        if let rewriting = tree.rewriting([(literal, quoted)]) {
            return diagnostic.offer(help, rewriting: rewriting, isSafe: false)
        }
        let inMap = "'\(text.replacing("'", with: "''"))'"
        let edit = Diagnostic.Edit(tree.range(literal), replacement: inMap)
        diagnostic.offer(
            help, rewriting: Rewriting(edits: [edit], written: inMap, text: inMap), isSafe: false)
    }

    /// A part of a date in a zone that does not exist.
    mutating func adviseOnUnknownZone(_ node: NodeID) {
        let argument = tree.child(node, at: 1)
        guard tree.kind(of: node) == .memberCall, subject.environment.knowsDays,
            subject.checked.type(tree.child(node, at: 0)) == .timestamp,
            case .string(let zone)? = tree.literal(argument),
            LocalCalendar(zone: zone, zones: .system) == nil
        else { return }
        var diagnostic = Diagnostic(
            .timeUnknownZone, message: "there is no time zone `\(zone)`", at: tree.range(argument),
            label: "not a time zone")
        let folded = zone.lowercased().replacing(" ", with: "_")
        let places = zonesOfNames[folded] ?? []
        let similar =
            places.isEmpty
            ? similarNames(to: zone, among: TimeZones.systemNames, limit: 1) : places
        if similar.count == 1 {
            diagnostic.offer(
                "did you mean `\(similar[0])`",
                rewriting: tree.rewriting([(argument, "\"\(similar[0])\"")]), isSafe: false)
        } else if wordsForLocal.contains(folded) {
            diagnostic.help = [
                "use a `schedule` for the local time of each device, such as"
                    + " `schedule: { hours: 09:00-17:00, zone: local }`, because a condition cannot"
                    + " read the zone of the device"
            ]
        } else {
            diagnostic.help = [
                "use the name of a continent and a city, such as `\"Europe/Berlin\"` or"
                    + " `\"America/New_York\"`, or an offset such as `\"+02:00\"`"
            ]
        }
        diagnostics.report(diagnostic)
    }
}

/// Common words for the zone of the device, in lower case.
private let wordsForLocal: Set<String> = ["local", "device", "host", "phone", "here", "system"]

/// The zones of each name, and of each name of a city, in lower case; made once.
private let zonesOfNames: [String: [String]] = TimeZones.systemNames.reduce(into: [:]) {
    let name = $1.lowercased()
    $0[name, default: []].append($1)
    // The end behind each `/`: `indiana/vincennes` and `vincennes`.
    for place in name.indices where name[place] == "/" {
        $0[String(name[name.index(after: place)...]), default: []].append($1)
    }
}

/// A check for a part of a string.
private enum PartOfText {
    case beginning, end, anywhere

    init?(_ method: String) {
        switch method {
        case "startsWith": self = .beginning
        case "endsWith": self = .end
        case "contains": self = .anywhere
        default: return nil
        }
    }

    func holds(_ value: Value, part: String) -> Bool {
        guard case .string(let text) = value else { return true }
        switch self {
        case .beginning: return text.hasPrefix(part)
        case .end: return text.hasSuffix(part)
        case .anywhere: return part.isEmpty || text.contains(part)
        }
    }

    /// Returns the rest of a string without wildcards of other languages; nil if it has no
    /// wildcards, or only wildcards.
    func withoutWildcards(_ text: String) -> String? {
        let signs: Set<Character> = ["%", "*"]
        let first = text.first.map { signs.contains($0) } ?? false
        let last = text.last.map { signs.contains($0) } ?? false
        guard text.count > 2 else { return nil }
        switch self {
        case .beginning: return last && text.last == "*" ? String(text.dropLast()) : nil
        case .end: return first ? String(text.dropFirst()) : nil
        case .anywhere: return first && last ? String(text.dropFirst().dropLast()) : nil
        }
    }
}

extension Diagnostic {
    /// Returns the first character of a string if it is a wildcard of other languages; otherwise
    /// the last.
    fileprivate static func wildcard(in text: String) -> Substring {
        text.first == "%" || text.first == "*" ? text.prefix(1) : text.suffix(1)
    }

    fileprivate static func wildcard(_ text: String, at range: SourceRange, help: String?) -> Self {
        let sign = wildcard(in: text)
        return Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(sign)` in a string is an ordinary character, not a wildcard", at: range,
            label: "matches only strings with `\(sign)`", help: help.map { [$0] } ?? [])
    }
}
