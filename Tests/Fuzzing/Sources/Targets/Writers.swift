@testable import PopAnalysis
@testable import PopReports
@testable import PopRuleFiles
@testable import PopScheduler
@testable import PopSource
@testable import PopStories
@testable import PopValidation
@testable import PopWire
@testable import PopYAML

extension FuzzTarget {
    /// A byte that chooses the writer, and then a rule file. `fmt` must keep its meaning; `--fix`
    /// must end, and make nothing worse; a baseline must know the findings that it was made from;
    /// and the code of `generate swift` must consist of complete words, string literals and
    /// brackets.
    static let writers = FuzzTarget(
        name: "writers",
        body: .direct { bytes in
            guard let choice = bytes.first else { return }
            let text = choice & 0x80 == 0 ? Array(bytes.dropFirst()) : written(bytes.dropFirst())
            switch choice % 4 {
            case 0: try layOut(text)
            case 1: try fix(text)
            case 2: try keep(text)
            default: try generate(text)
            }
        })

    private static func written(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text = RuleText(Array(bytes), mostPopups: 2)
        let popups = text.popups().split(separator: "\n").dropFirst().joined(separator: "\n")
        return Array((text.declarations() + popups + "\n").utf8)
    }

    private static func rules(_ bytes: [UInt8]) -> Checked<RuleSet> {
        RuleSet.check(Findings.sources(("rules.yaml", bytes)))
    }

    private static func layOut(_ bytes: [UInt8]) throws {
        let source = SourceFile(path: "rules.yaml", bytes: bytes)
        guard let formatted = YAMLDocument.formatted(source).value else { return }
        let (before, after) = (rules(bytes), rules(formatted))
        let says = String(decoding: formatted, as: UTF8.self)
        try require(
            before.diagnostics.hasErrors == after.diagnostics.hasErrors,
            "`fmt` changes what is found: \(says)")
        try require(
            before.value?.bundle() == after.value?.bundle(), "`fmt` changes the rules: \(says)")
    }

    /// All that `validate` finds but for what conditions mean, which has fixes of the same kinds.
    private static func findings(in sources: SourceSet) -> Diagnostics {
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        var diagnostics = checked.diagnostics
        if let model = model.value, let rules = checked.value, !diagnostics.hasErrors {
            diagnostics.report(
                contentsOf: Lints.findings(
                    in: LintSubject(model, rules: rules, now: Rules.now, gaps: nil)))
        }
        return diagnostics.withoutRepeats.withoutBlindFixes(in: sources)
    }

    private static func fix(_ bytes: [UInt8]) throws {
        var bytes = bytes
        var sources = Findings.sources(("rules.yaml", bytes))
        var found = findings(in: sources)
        let first = found
        var wasRead = YAMLDocument.parse(sources.files[0]).value != nil
        for _ in 0..<10 {
            let fixed = FixedFiles(found, sources: sources)
            guard let new = fixed.contents.values.first else { break }
            try require(new != bytes, "\(fixed.count) fixes change nothing")
            bytes = new
            sources = Findings.sources(("rules.yaml", bytes))
            found = findings(in: sources)
            let isRead = YAMLDocument.parse(sources.files[0]).value != nil
            try require(isRead || !wasRead, "a fix makes a file that is no YAML")
            wasRead = isRead
        }
        let text = String(decoding: bytes, as: UTF8.self)
        try require(
            FixedFiles(found, sources: sources).contents.isEmpty,
            "ten rounds are not enough: \(text)")
        try require(
            first.hasErrors || !found.hasErrors,
            "what had no error has one when it is mended: \(found.list.map(\.message)) in \(text)")
    }

    private static func keep(_ bytes: [UInt8]) throws {
        let sources = Findings.sources(("rules.yaml", bytes))
        let found = findings(in: sources)
        let report = Report(
            found, sources: sources, summary: Summary(popups: 0, files: 1, diagnostics: found))
        guard let (text, count) = Baseline.text(for: report) else { return }
        try require(Baseline.isBaseline(Array(text.utf8)), "a baseline is not recognised")
        let read = Baseline.parse(SourceFile(path: "baseline.json", bytes: Array(text.utf8)))
        guard let baseline = read.value, read.diagnostics.list.isEmpty else {
            throw Violation(
                description: "a baseline of \(count): \(read.diagnostics.list.map(\.message))")
        }
        let rest = baseline.remove(from: report) { _ in true }
        try require(
            rest.list.allSatisfy(\.check.isAlwaysTold),
            "a baseline leaves \(rest.list.map(\.message))")
    }

    private static func generate(_ bytes: [UInt8]) throws {
        let sources = Findings.sources(("rules.yaml", bytes))
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        guard let model = model.value, let rules = checked.value, !checked.diagnostics.hasErrors,
            let code = try? SwiftCode(rules, model: model)
        else { return }
        if let fault = SwiftWords.fault(in: code.text) {
            throw Violation(description: "\(fault) in\n\(code.text)")
        }
    }
}

/// Reads just enough of Swift code to distinguish its string literals, comments and brackets.
private enum SwiftWords {
    /// Returns the part of some code that can't be right; nil if nothing is wrong.
    static func fault(in code: String) -> String? {
        var open: [Unicode.Scalar] = []
        for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                switch scalar {
                case "/" where rest.first == "/": rest = rest.dropFirst(rest.count)
                case "\"":
                    guard let end = end(ofText: rest) else { return "no end of a text: \(line)" }
                    rest = end
                case "(", "[", "{": open.append(scalar)
                case ")", "]", "}":
                    let wanted: Unicode.Scalar = scalar == ")" ? "(" : scalar == "]" ? "[" : "{"
                    guard open.popLast() == wanted else { return "a bracket too many: \(line)" }
                case "`":
                    guard let end = rest.firstIndex(of: "`") else { return "half a name: \(line)" }
                    rest = rest[rest.index(after: end)...]
                default:
                    // All names of rules are ASCII.
                    guard (32...126).contains(scalar.value) else { return "\(scalar) in \(line)" }
                }
            }
        }
        return open.isEmpty ? nil : "\(open.count) open brackets"
    }

    /// Returns the rest of the line after a string literal without interpolations.
    private static func end(
        ofText text: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView? {
        var rest = text
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return rest }
            guard scalar == "\\" else {
                if scalar.value < 32 { return nil }
                continue
            }
            guard let escaped = rest.popFirst(), escaped != "(" else { return nil }
        }
        return nil
    }
}
