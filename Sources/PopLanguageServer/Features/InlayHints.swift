internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories
internal import PopValidation
internal import PopYAML

/// Hints after a value that show its result.
enum InlayHints {
    static func json(_ site: inout RequestContext, in range: Range<Int>?) -> JSON {
        var hints: [JSON] = []
        func add(_ text: String, behind offset: Int) {
            hints.append(
                .object([
                    "position": site.lines.json(at: offset), "label": .string(text),
                    "paddingLeft": true,
                ]))
        }
        if let root = site.outline.root {
            for scalar in scalars(root) where range.map(scalar.range.bytes.overlaps) ?? true {
                guard let text = scalar.text else { continue }
                if let words = words(forDuration: text)
                    ?? words(forTime: text, zone: site.desk.zone)
                {
                    add(words, behind: scalar.range.upper)
                }
            }
        }
        for mark in site.outline.marks {
            guard case .expression(let expression) = mark.kind,
                range.map(mark.range.overlaps) ?? true
            else { continue }
            for chain in expression.chains where chain.isCall {
                guard expression.name(chain, words: chain.words.count) == "duration" else {
                    continue
                }
                for argument in expression.texts(ofCall: chain) {
                    if let words = words(forDuration: argument.text) {
                        add(words, behind: argument.range.upperBound + 1)
                    }
                }
            }
        }
        for (offset, text) in ties(site) where range.map({ $0.contains(offset) }) ?? true {
            add(text, behind: offset)
        }
        return .array(hints)
    }

    private static func scalars(_ node: YAMLNode) -> [YAMLNode] {
        if node.isAlias { return [] }
        switch node.kind {
        case .scalar: return [node]
        case .sequence: return node.items.flatMap(scalars)
        case .mapping: return node.entries.flatMap { scalars($0.value) }
        }
    }

    /// Returns a duration in larger units, if it is written in small ones: `90m` is 1 h 30 min.
    private static func words(forDuration text: String) -> String? {
        guard text.utf8.count <= 20, text.utf8.contains(where: { $0 &- 48 < 10 }),
            let milliseconds = milliseconds(in: text), milliseconds >= 60_000
        else { return nil }
        var rest = milliseconds
        var parts: [String] = []
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)]
            as [(String, Int64)]
        {
            let count = rest / length
            rest %= length
            if count > 0 { parts.append("\(count) \(unit)") }
        }
        let words = parts.joined(separator: " ")
        // For `2h`, the hint would add nothing.
        let same = words.replacing(" ", with: "").replacing("min", with: "m")
        return rest > 0 || same == text || parts.isEmpty ? nil : words
    }

    /// The time in the zone of this device, for one that is written in UTC.
    private static func words(forTime text: String, zone: String?) -> String? {
        guard text.utf8.count >= 20, text.hasSuffix("Z"), let time = Timestamp(parsing: text),
            let zone, let calendar = LocalCalendar(zone: zone, zones: .system)
        else { return nil }
        let local = calendar.civil(at: time)
        let isSame = local == LocalCalendar(zone: nil, zones: .system)?.civil(at: time)
        return isSame ? nil : "\(local.text) \(zone)"
    }

    /// Returns the order of popups with the same priority, as the check of ties found it.
    private static func ties(_ site: RequestContext) -> [(Int, String)] {
        guard let project = site.project, let outcome = site.desk.outcomes[project] else {
            return []
        }
        return outcome.findings(in: site.path).compactMap { finding in
            guard finding.check == .scheduleTie else { return nil }
            let line = site.lines.bytes(ofLine: site.lines.line(at: finding.range.lower))
            return (line.upperBound, finding.label)
        }
    }
}

extension CivilTime {
    /// Such as `2026-11-20 10:00`.
    fileprivate var text: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(day)) \(padded(hour)):\(padded(minute))"
    }
}

/// The code lenses above a popup and above a test.
enum CodeLenses {
    static func json(_ site: inout RequestContext) -> JSON {
        var lenses: [JSON] = []
        let outline = site.outline
        let rules = site.rules
        var popups: [String: PopupIndex] = [:]
        if let rules { for place in rules.popups.places { popups[rules.popups[place].id] = place } }
        var audiences = rules.map { Audiences(of: $0, limits: site.analysisLimits) }
        let tests = testsByPopup(&site)
        let uri = site.uri
        for mark in outline.marks {
            guard case .declares(let kind, let name, nil, _) = mark.kind else { continue }
            func add(_ title: String, command: ServerCommand?, arguments: [JSON] = []) {
                lenses.append(
                    .object([
                        "range": site.lines.json(mark.range),
                        "command": .object([
                            "title": .string(title),
                            "command": .string(command?.rawValue ?? ""),
                            "arguments": .array([.string(uri), .string(name)] + arguments),
                        ]),
                    ]))
            }
            switch kind {
            case "popup":
                guard let popup = popups[name] else { continue }
                // Without an answer in time the request is answered again later, from the start.
                guard site.budget.mayGoOn else { return .null }
                add("Explain", command: .explain)
                add("Simulate", command: .simulate)
                let count = tests[name, default: 0]
                add(count == 1 ? "1 test" : "\(count) tests", command: .tests)
                let summary = audiences?.audience(of: popup).summary
                add(
                    site.budget.isUsedUp
                        ? "audience not known" : "audience: \(summary ?? "not known")",
                    command: .audience)
            case "test":
                add("Run", command: .run)
                add("Debug step by step", command: .debug)
            default: continue
            }
        }
        return .array(lenses)
    }

    /// Returns the number of tests that mention each popup.
    private static func testsByPopup(_ site: inout RequestContext) -> [String: Int] {
        var counts: [String: Int] = [:]
        let names = site.names
        for file in site.files where TestFile.isTestFile(file.path) {
            var mentioned: Set<String> = []
            for mention in site.outline(of: file).mentions(names) {
                if mention.kind == "test" {
                    for name in mentioned { counts[name, default: 0] += 1 }
                    mentioned = []
                } else if mention.kind == "popup" {
                    mentioned.insert(mention.name)
                }
            }
            for name in mentioned { counts[name, default: 0] += 1 }
        }
        return counts
    }
}

extension Audience {
    private static let longestSummary = 60

    /// The popup's audience, in a few words.
    fileprivate var summary: String {
        let text = users.start + users.lines.joined(separator: "; or ")
        return text.count <= Self.longestSummary
            ? text : text.prefix(Self.longestSummary - 1) + "…"
    }
}
