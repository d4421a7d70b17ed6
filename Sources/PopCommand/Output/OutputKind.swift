import PopBacktest
import PopPages
import PopRuleFiles
import PopStories

/// The kind of a command's output: the command may replace a file of the same kind.
enum OutputKind {
    /// Reports, coverage and schemas, which the next run creates again.
    case result
    case baseline
    /// Bundles, signed or not.
    case bundle
    /// Swift types of rules.
    case swift

    /// The number of bytes at the beginning of a file that determine its kind.
    static let decisiveBytes = 4_096

    /// Returns true if a file with this beginning was written by poprules, and can be replaced.
    func holds(_ beginning: [UInt8]) -> Bool {
        if beginning.isEmpty { return true }
        let text = String(decoding: beginning, as: UTF8.self)
        return switch self {
        case .result: Self.isResult(text)
        case .baseline: Baseline.isBaseline(beginning)
        case .bundle: text.hasPrefix(#"{"popbundle":"#) || text.hasPrefix("popbundle-signed ")
        case .swift: text.hasPrefix(SwiftCode.header)
        }
    }

    /// Returns a description of a file with this beginning.
    static func noun(for beginning: [UInt8], at path: String) -> String {
        if beginning.starts(with: "poprules-private-key:".utf8) { return "a private key" }
        if beginning.starts(with: "poprules-public-key:".utf8) { return "a public key" }
        return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            ? "a YAML file" : "not a file that this command wrote"
    }
}

// MARK: results

extension OutputKind {
    private static func isResult(_ text: String) -> Bool {
        signs.contains { sign in
            text.hasPrefix(sign.beginning) && text.contains(sign.mark)
        } || isForPeople(text) || isCheckstyle(text)
    }

    /// The beginnings of results for programs, each with a mark that only results of poprules have
    /// near the beginning.
    private static let signs: [(beginning: String, mark: String)] = [
        ("{\n  \"schemaVersion\": ", ""), ("{\"check\":\"P", "\"name\":\""),
        ("{\n  \"$schema\": ", "\"poprules"), ("{\n  \"source\": {", "\"name\": \"poprules\""),
        ("[]\n", ""), ("[\n  {\n    \"description\": ", "\"check_name\": \""),
        (xml + "<testsuites name=\"poprules\"", ""), ("<!doctype html>", Page.mark),
        ("<!doctype html>", ">Coverage of the rules<"),
        ("<!doctype html>", BacktestReport.htmlMark), (BacktestReport.csvHead + "\r\n", ""),
        ("TN:\nSF:", ".y"), ("::error ", "title=P"), ("::warning ", "title=P"),
        ("::notice ", "title=P"), ("Finding 1 of ", ""), ("coverage ", "\n  popups "),
    ]

    private static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    private static func isCheckstyle(_ text: String) -> Bool {
        text.hasPrefix(xml + "<checkstyle ")
            && (text.contains("source=\"poprules.") || !text.contains("<error "))
    }

    /// Returns true if the first line belongs to readable text: a diagnostic in one form or the
    /// other, the closing line, or the summary of a backtest.
    private static func isForPeople(_ text: String) -> Bool {
        let line = text.prefix { $0 != "\n" }
        let forms = [
            #/(?:error|warning|info)\[P\d{4}\]: .*/#, #/.*: (?:error|warning|info): .* \[P\d{4}\]/#,
            #/\d+ popups? in \d+ files?: .*/#,
            #/[\d,]+ events? of [\d,]+ users?(?: \(and [\d,]+ cop(?:y|ies)\))?, \d{4}-.* \(.*\)/#,
        ]
        return forms.contains { line.wholeMatch(of: $0) != nil }
    }
}
