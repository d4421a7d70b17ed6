import PopRuleFiles
import PopSource

@testable import PopCEL

extension FuzzTarget {
    /// Durations, dates, hours and zones, in expressions and in rule files.
    static let time = FuzzTarget(
        name: "time",
        body: .direct { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let duration = DurationText.parse(text) {
                let written = DurationText.format(duration)
                try require(
                    DurationText.parse(written) == duration, "`\(text)` is written `\(written)`")
            }
            if let moment = Timestamp(parsing: text) {
                try require(
                    Timestamp(parsing: moment.description) == moment,
                    "`\(text)` is written `\(moment)`")
            }
            try Rules.check(Findings.sources(("rules.yaml", Array(rules(text).utf8))))
        })

    /// Every key that takes a time has the text, as far as it fits on a line.
    private static func rules(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        let keys = [
            "delay: \(line)", "max_wait: '\(line)'", "cap: { every: \(line) }",
            "schedule: { from: \(line) }", "schedule: { until: '\(line)', zone: Europe/Berlin }",
            "schedule: { days: [\(line)] }", "schedule: { hours: \(line), zone: Asia/Tokyo }",
            "schedule: { hours: 09:00-10:00, zone: '\(line)' }",
        ]
        return "poprules: 1\npopups:\n"
            + keys.enumerated().map { "  p\($0):\n    \($1)\n" }.joined()
    }
}
