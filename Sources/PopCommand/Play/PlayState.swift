import PopCEL
import PopEngine
import PopExplanations
internal import PopReports
import PopScheduler
import PopSource
import PopStories

/// Everything that the page shows, as a value.
struct PlayState: Sendable {
    /// A popup on the screen.
    struct Shown: Sendable {
        var popup: String
        var template: String?
        /// The `content` of the rule file, one string per key, with placeholders filled.
        var content: [String]
    }

    /// The area of a scheduler on the screen.
    struct Area: Sendable {
        var scheduler: String
        var shown: Shown?
    }

    /// A popup that is not on the screen.
    struct Listed: Sendable {
        var popup: String
        /// Nil for the first scheduler, which needs no name.
        var scheduler: String?
        /// Its position among the waiting popups of its scheduler, from 1; nil if it does not wait.
        var place: Int?
    }

    /// A key of the context.
    struct Key: Sendable {
        var name: String
        var value: String
        /// Indicates whether its value differs from the initial one.
        var isChanged = false
    }

    /// Lists that can be scrolled.
    enum Pane: Sendable, CaseIterable {
        case popups, context, log

        var next: Pane {
            switch self {
            case .popups: .context
            case .context: .log
            case .log: .popups
            }
        }
    }

    /// A text that replaces everything else until it is closed.
    struct Reading: Sendable {
        /// One line each if there is room.
        var texts: [String]
        var top = 0

        /// Returns the lines of the text, wrapped at a number of columns; continuation lines are
        /// indented.
        func lines(columns: Int) -> [String] {
            texts.flatMap { text in
                let indent = String(text.prefix { $0 == " " })
                let rows = pageLines(
                    escapedForTerminal(String(text.dropFirst(indent.count))),
                    to: columns - indent.count - 2)
                return rows.enumerated().map { indent + ($0 == 0 ? "" : "  ") + $1 }
            }
        }
    }

    /// The receiver of input in the line at the bottom.
    enum Line: Sendable, Equatable {
        /// Each key is an order of its own.
        case keys
        /// An order is being typed.
        case typing(String)
    }

    var title: String
    var date = Timestamp(seconds: 0)
    var skipped = Duration.zero
    /// The names of the schedulers that are suspended.
    var suspended: Set<String> = []
    var areas: [Area] = []
    /// The waiting popups, in order, then the others.
    var popups: [Listed] = []
    /// The reasons why popups don't show, in words; only for popups in sight.
    var reasons: [String: String] = [:]
    /// The changed keys first, then the others in the order of declaration.
    var context: [Key] = []
    /// The event log, the latest last.
    private(set) var log: [String] = []
    /// The result of the last command.
    var message = ""
    /// The error of the current rules on the disk; the last good rules are in force.
    var rulesError: String?
    var line = Line.keys
    /// The list that the arrows scroll.
    var pane = Pane.popups
    var reading: Reading?
    var columns = 80
    var rows = 24
    /// The number of entries of each list that are scrolled away; for the log, of the latest ones.
    private var tops: [Pane: Int] = [:]

    init(title: String) { self.title = title }

    mutating func note(_ text: String) {
        log.append(text)
        if log.count > PlayLimits.log { log.removeFirst() }
    }

    func count(of pane: Pane) -> Int {
        switch pane {
        case .popups: popups.count
        case .context: context.count
        case .log: log.count
        }
    }

    /// Returns the number of entries of a list that are scrolled away, limited to its length.
    func top(of pane: Pane) -> Int { min(tops[pane] ?? 0, max(count(of: pane) - 1, 0)) }

    /// Scrolls the front pane by a number of entries or lines; up is negative.
    mutating func scroll(by count: Int) {
        if let text = reading {
            let last = max(longest - PlayPage.readingRows(rows), 0)
            reading?.top = min(max(text.top + count, 0), last)
        } else {
            let down = pane == .log ? -count : count
            tops[pane] = max(top(of: pane) + down, 0)
            tops[pane] = top(of: pane)
        }
    }

    /// The popups whose reasons may be in sight.
    var inSight: ArraySlice<Listed> { popups.dropFirst(top(of: .popups)).prefix(rows) }
}

/// The limits of a session and its display, whatever the rules and the terminal are.
enum PlayLimits {
    /// The maximum number of lines in the event log.
    static let log = 500
    /// Characters of a line of what happened.
    static let logLine = 400
    /// Bytes of an order that is typed.
    static let order = 4096
    /// The maximum length of a string of a popup's content, in characters, and the maximum number
    /// of its strings.
    static let contentText = 1_000
    static let contentTexts = 40
    /// Lines of an answer to `why`.
    static let answer = 400
    /// Columns and rows of a terminal that are made use of.
    static let terminal = 1_000
}

extension PlayState {
    /// Entries of the list in front, or lines of the text that is read.
    var longest: Int { reading?.lines(columns: columns).count ?? count(of: pane) }
}

extension PlayState.Shown {
    /// `values` are the values of placeholders, by name.
    init(_ popup: Popup, values: [String: Value]) {
        self.popup = popup.id
        template = popup.template
        guard case .map(let map) = popup.content else {
            content = []
            return
        }
        content = map.prefix(PlayLimits.contentTexts).map { entry in
            let text =
                if case .string(let text) = entry.value {
                    String(text.prefix(PlayLimits.contentText))
                } else {
                    "\(entry.key): \(entry.value.text(atMost: PrintLimits.value))"
                }
            return filled(text, values: values)
        }
        let rest = map.count - content.count
        if rest > 0 { content.append("… \(rest) more") }
    }
}

/// Returns a string with its placeholders, such as `{{user.name}}`, replaced; a placeholder without
/// a value stays unchanged.
func filled(_ text: String, values: [String: Value]) -> String {
    var pieces = text.split(separator: "{{", omittingEmptySubsequences: false)[...]
    var result = String(pieces.removeFirst())
    for piece in pieces {
        let parts = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingPrefix(/\ */).reversed().drop { $0 == " " }.reversed()
        guard parts.count == 2, let value = values[String(name)] else {
            result += "{{" + piece
            continue
        }
        if case .string(let text) = value {
            result += text.prefix(PlayLimits.contentText)
        } else {
            result += value.shownText
        }
        result += parts[1]
    }
    return result
}

extension Value {
    fileprivate var shownText: String { String("\(self)".prefix(PlayLimits.contentText)) }
}

extension PopupExplanation {
    /// Returns the whole answer to `why`: the reason, the deciding facts, and the popup's rule.
    func lines(in rules: RuleSet) -> [String] {
        var lines = [sentence]
        if let place = position {
            lines.append("position \(place) of \(waiting) in the queue of `\(scheduler)`")
        }
        if let occupant, occupant != popup { lines.append("`\(occupant)` is on the screen") }
        if let until { lines.append("until \(until)") }
        if let ending = lastEnding {
            lines.append("last time: \(ending.meaning) (\(ending.rawValue))")
        }
        lines += conditionLines
        if let rule = rules.popups.first(where: { $0.id == popup }) {
            lines += ["", "rule"]
            lines += rule.lines(in: rules).map { "  " + $0 }
        }
        let rest = lines.count - PlayLimits.answer
        return rest > 0 ? lines.prefix(PlayLimits.answer) + ["… \(rest) more lines"] : lines
    }

    private var conditionLines: [String] {
        guard let report = conditionReport else { return [] }
        return ["", "\(role?.rawValue ?? "condition"): \(report.decision)"]
            + report.facts.map { "  " + $0 }
            + report.tree(marksDeciding: true).map { "    " + $0 }
    }
}

extension PopupRule {
    fileprivate func lines(in rules: RuleSet) -> [String] {
        let triggers = triggers.map { rules.text(of: $0) }.joined(separator: " or ")
        let after = after.map { "`\(rules.popups[$0.popup].id)`\($0.how)" }
        return [
            "priority \(priority) on `\(rules.schedulers[scheduler].name)`, `switch: \(self.switch.rawValue)`",
            "trigger: \(triggers)",
            after.isEmpty ? nil : "after \(after.joined(separator: ", "))",
            group.map { "in the group `\(rules.groups[$0].name)`" },
            texts.description,
        ].compactMap { $0 }
    }
}
