internal import PopCEL
internal import PopSource
internal import PopYAML

/// A key with a list of values that is compared with single values of such lists.
struct Membership {
    let key: Located<String>
    let test: ConditionModel.Test
    /// The place of all comparisons with the key.
    let place: SourceRange
    /// The values, as they are written in a list in brackets.
    private let items: [String]
    private let isPlain: Bool
    /// True if the key is alone in its map, and the test is the only one of the key.
    private let isAlone: Bool
    /// True if it is below `not`.
    private let isBelowNot: Bool

    /// Nil if the key can be compared with all of the written values, and nothing else is likely.
    init?(
        _ match: ConditionModel.KeyMatch, test: ConditionModel.Test, element: CELType,
        isAlone: Bool, in source: SourceFile
    ) {
        let operand = test.operand
        isPlain = operand.range == test.matcher.range
        let nodes = operand.kind == .sequence ? operand.items.map { $0 } : [operand]
        guard [.eq, .ne, .in, .notIn].contains(test.matcher.value), !nodes.isEmpty,
            nodes.count <= 20, nodes.allSatisfy({ $0.kind == .scalar && !$0.isBroken })
        else { return nil }
        // A list after `eq` or `ne` can be meant as a whole.
        let isWhole = test.matcher.value == .eq || test.matcher.value == .ne
        if isWhole, !isPlain, operand.kind == .sequence { return nil }
        if case .list = element { return nil }
        key = match.key
        self.test = test
        place = match.value
        self.isAlone = isAlone && match.tests.count == 1
        isBelowNot = match.isNegated
        items = nodes.allSatisfy { $0.fits(element) } ? Self.items(nodes, in: source) : []
    }

    /// True if the written value is a list that may be meant as the whole value of the key.
    var isList: Bool { isPlain && test.operand.kind == .sequence }

    /// In brackets; nothing when that needs more than a line.
    private static func items(_ nodes: [YAMLNode], in source: SourceFile) -> [String] {
        var items: [String] = []
        for node in nodes {
            let text = source.text(in: node.range)
            let parts = (node.text ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            if nodes.count == 1, parts.count > 1, !text.contains("\n"),
                parts.allSatisfy({ NameForm.dotted.fits($0.utf8) })
            {
                return parts
            }
            guard !text.contains("\n"),
                !node.isPlain || !text.contains(where: { ",[]{}".contains($0) })
            else { return [] }
            items.append(text)
        }
        return items
    }

    private var isNegated: Bool { test.matcher.value == .ne || test.matcher.value == .notIn }

    private var parts: String {
        items.map { "{ \(key.value): { contains: \($0) } }" }.joined(separator: ", ")
    }

    /// The replacements of the whole entry.
    private var readings: [Reading] {
        if items.isEmpty { return [] }
        if isNegated { return [Reading("none: [\(parts)]", isExact: false)] }
        guard items.count > 1 else {
            return [Reading("\(key.value): { contains: \(items[0]) }", isExact: false)]
        }
        return [
            Reading("any: [\(parts)]", meaning: "that it contains one of them", isExact: false),
            Reading("all: [\(parts)]", meaning: "that it contains all of them", isExact: false),
        ] + (isList ? [whole] : [])
    }

    private var whole: Reading {
        Reading(
            "\(key.value): { eq: [\(items.joined(separator: ", "))] }",
            meaning: "that it is exactly this list", isExact: false)
    }

    var finding: Diagnostic {
        let operand = test.operand.range
        var diagnostic: Diagnostic =
            isList
            ? .comparedWithWhole(key.value, at: operand)
            : .comparedWithPart(
                key.value, matcher: test.matcher.value, isPlain: isPlain, at: operand)
        if isBelowNot {
            diagnostic.help = [
                "use `not: { contains: … }` to check that a list does not contain a value; for"
                    + " several values, write a list of conditions under `none`"
            ]
            return diagnostic
        }
        let readings = isList && items.count == 1 ? readings + [whole] : readings
        if isAlone, !readings.isEmpty {
            diagnostic.help =
                readings.count == 2 && items.count == 1
                ? zip(readings, ["that it contains this", "that it is exactly this list"]).map {
                    "if you mean \($1): `\($0.text)`"
                } : readings.help
            diagnostic.fixes = readings.fixes(at: key.range.union(place)).map(\.uncertain)
            return diagnostic
        }
        if items.count == 1, !isNegated, !isList {
            diagnostic.help = readings.help
            let isWhole = place == test.operand.range
            diagnostic.fixes =
                isWhole
                ? readings.fixes(at: key.range.union(place))
                : [Reading("contains: \(items[0])", isExact: false)]
                    .fixes(at: test.matcher.range.union(operand))
            return diagnostic
        }
        diagnostic.help = [
            "use `contains` to check what a list contains; for several values, write a list of"
                + " conditions under \(isNegated ? "`none`" : "`any` or `all`")"
        ]
        return diagnostic
    }
}

extension Diagnostic.Fix {
    /// The same for a fix that may not be what the author meant.
    fileprivate var uncertain: Self { Self(title, edits: edits, isSafe: false) }
}

extension YAMLNode {
    /// Returns true if the value can be an element of a list of the type.
    fileprivate func fits(_ element: CELType) -> Bool {
        switch (coreValue, element) {
        case (.string?, .string), (.bool?, .bool): true
        case (.int?, .int), (.int?, .uint), (.int?, .double), (.float?, .double): true
        case (nil, _), (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.hugeInteger, _),
            (.float, _), (.string, _):
            element == .dyn
        }
    }
}

extension Diagnostic {
    fileprivate static func comparedWithPart(
        _ key: String, matcher: Matcher, isPlain: Bool, at range: SourceRange
    ) -> Self {
        let isWhole = matcher == .eq || matcher == .ne
        return Diagnostic(
            .conditionTypeMismatch,
            message: isWhole
                ? "`\(key)` is a list, which is never equal to a single value"
                : "`\(key)` is a list, which `\(matcher.rawValue)` compares as a whole",
            at: range, label: isWhole ? "not a list" : "contains no lists")
    }

    fileprivate static func comparedWithWhole(_ key: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(key)` is compared with this list as a whole", at: range,
            label: "matches only these values in this order, and no others")
    }
}
