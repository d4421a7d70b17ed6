internal import PopAnalysis
internal import PopLogic
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories

/// The code lenses above a popup and above a test.
enum CodeLenses {
    static func json(_ site: inout Site) -> JSON {
        var lenses: [JSON] = []
        let outline = site.outline
        let rules = site.rules
        var popups: [String: PopupIndex] = [:]
        if let rules { for place in rules.popups.places { popups[rules.popups[place].id] = place } }
        let declarations = rules.map { Declarations($0) }
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
                guard let rules, let popup = popups[name] else { continue }
                // Without an answer in time the request is answered again later, from the start.
                guard site.budget.mayGoOn else { return .null }
                add("Explain", command: .explain)
                add("Simulate", command: .simulate)
                let count = tests[name, default: 0]
                add(count == 1 ? "1 test" : "\(count) tests", command: .tests)
                let audience = Audience(
                    of: popup, in: rules, declarations: declarations,
                    limits: site.analysisLimits)
                add(
                    site.budget.isUsedUp ? "audience not known" : "seen by \(audience.summary)",
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
    private static func testsByPopup(_ site: inout Site) -> [String: Int] {
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
