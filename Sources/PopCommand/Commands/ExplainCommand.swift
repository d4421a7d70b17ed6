import ArgumentParser
import PopCEL
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why a popup does or does not show.",
        discussion: """
            Simulates an app that starts with the given context, and reports what happens
            to the popup.

            Example:
              poprules explain welcome --set app.screen=map --set user.launches=2
              poprules explain thanks --event purchase --payload '{ total: 80.0 }'
              poprules explain offline --set app.online=false --changed app.online
              poprules explain --all --at 2026-11-20T09:00:00Z --zone Europe/Berlin
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, mermaid
    }

    @Argument(
        help: ArgumentHelp(
            "The id of the popup. To name the rules, add their path here or use `--rules`.",
            valueName: "popup"),
        completion: .popups)
    var words: [String] = []

    @Flag(help: "Explain every popup, in a table.")
    var all = false

    @Option(help: "Rule files and folders.", completion: .yamlFiles)
    var rules = ["rules"]

    @OptionGroup var context: ContextOptions

    @OptionGroup var past: HistoryOption

    @Option(help: "An event that the app sends after it starts.")
    var event: String?

    @Option(help: "The payload (fields) of the event, such as '{ total: 80.0 }'.")
    var payload: String?

    @Option(
        help: ArgumentHelp(
            "A context key whose value changes after the app starts.", valueName: "key"))
    var changed: [String] = []

    @Flag(help: "Let the app put the popup into the queue after it starts.")
    var enqueue = false

    @Option(help: "The time at which the app starts, such as 2026-11-20T09:00:00Z; by default now.")
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The time zone of the device, such as Europe/Berlin.",
            valueName: "zone"))
    var zone = ExplainQuery.usualZone

    @Option(help: "How much time passes before the popup is explained, such as 5m.")
    var after: String?

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        let given = PopupsAndRules(words, rules: rules)
        try context.refuseValuesApart(hasOtherMeaning: given.popups.count <= (all ? 0 : 1))
        let popup = given.popups.first
        guard all != (popup != nil) else {
            throw UsageFailure(message: "give a popup id, or `--all` for all popups")
        }
        guard given.popups.count <= 1 else {
            throw UsageFailure(message: "give one popup id, or use `--all` to explain every popup")
        }
        if all, enqueue { throw UsageFailure(message: "`--enqueue` needs a popup id, not `--all`") }
        let workspace = try Workspace(readable: given.rules)
        let ruleSet = try workspace.validRules(
            style: color.style, for: ResultForm(format.rawValue))
        let ids = ruleSet.popups.map(\.id)
        if let popup, !ids.contains(popup) { throw unknownPopup(popup, among: ids) }
        let question = try question(about: ruleSet, popup: popup)
        let simulation = question.played()
        if simulation.isCutShort {
            throw UsageFailure(
                message: "too much happens within `--after`: use a shorter duration")
        }
        let wanted = popup.map { [$0] } ?? RuleList(ruleSet).popups.map(\.id)
        let reports = PopupReport.all(wanted, question: question, in: simulation)
        show(reports, places: SourcePlaces(workspace.sources))
        if !question.budget.isAllDecided {
            Terminal.complain(
                "note: the explanation takes too much work, so some conditions, and some changes"
                    + " that would let popups show, are left out; to get more, explain a single"
                    + " popup")
        }
    }

    /// Returns the error about a name that no popup has; it may be that of a reason code or check.
    private func unknownPopup(_ name: String, among ids: [String]) -> UsageFailure {
        let code = name.uppercased()
        let isReason = ReasonCode(rawValue: code) != nil
        guard isReason || Check.named(code) != nil,
            name == code || similarNames(to: name, among: ids).isEmpty
        else {
            return unknown("popup", name: name, among: ids)
        }
        return UsageFailure(
            message: "there is no popup `\(name)`; this is a \(isReason ? "reason code" : "check"),"
                + " so use `poprules explain-check \(code)`")
    }

    private func question(about rules: RuleSet, popup: String?) throws -> ExplainQuery {
        let style = color.style
        var question = ExplainQuery(
            rules: rules, start: try Clock.time(at), budget: .ofCommand())
        question.context = try context.values(for: rules.keys, style: style)
        guard LocalCalendar(zone: zone, zones: .system) != nil else {
            throw UsageFailure(
                message: "`--zone \(zone)` is not a time zone such as `Europe/Berlin` or `+02:00`")
        }
        question.zone = zone
        for name in changed {
            guard let key = rules.keys.places.first(where: { rules.keys[$0].name == name }) else {
                throw unknown("context key", name: name, among: rules.keys.map(\.name))
            }
            guard question.canChange(key) else {
                throw UsageFailure(
                    message: "`--changed \(name)` needs a new value of the key: add `--set"
                        + " \(name)=VALUE`")
            }
            question.changed.append(key)
        }
        question.history = try past.read(rules, start: question.start, style: style)
        if let event {
            guard let rule = rules.events.first(where: { $0.name == event }) else {
                throw unknown("event", name: event, among: rules.events.map(\.name))
            }
            question.event = event
            question.payload = try payload(of: rule)
        } else if payload != nil {
            throw UsageFailure(message: "`--payload` needs `--event`")
        }
        if enqueue { question.enqueued = popup }
        if let after {
            guard let milliseconds = milliseconds(in: after) else {
                throw UsageFailure(message: "`\(after)` is not a duration such as 30s or 1h30m")
            }
            let limits = RuleFileLimits.standard
            guard milliseconds <= limits.durationMilliseconds else {
                throw UsageFailure(message: "`--after` must be at most \(limits.durationDays)d")
            }
            question.after = .milliseconds(milliseconds)
        }
        return question
    }

    private func payload(of event: EventRule) throws -> [String: Value] {
        guard let payload else { return [:] }
        let file = InputFile(name: "--payload", text: payload)
        return try file.read(color.style) { ContextFile.parse($0, payloadOf: event) } ?? [:]
    }

    private func show(_ reports: [PopupReport], places: SourcePlaces) {
        var places = places
        switch format {
        case .text where all: Terminal.show(.lines(reports.table))
        case .text:
            for report in reports {
                Terminal.show(.styled(report.text(&places, style: color.style)))
            }
        case .json:
            var list: [JSON] = []
            for report in reports { list.append(report.json(&places)) }
            Terminal.putData(
                JSON.object([
                    "schemaVersion": .int(JSONRenderer.schemaVersion), "popups": .array(list),
                ]))
        case .mermaid: for report in reports { Terminal.putData(report.mermaid) }
        }
    }
}

/// A name on the command line that nothing has.
func unknown(_ kind: String, name: String, among names: [String]) -> UsageFailure {
    let similar = similarNames(to: name, among: names)
    let help = similar.isEmpty ? "" : "; did you mean \(alternatives(similar))?"
    return UsageFailure(message: "there is no \(kind) `\(name)`\(help)")
}
