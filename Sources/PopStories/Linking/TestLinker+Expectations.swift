internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension TestLinker {
    mutating func expectations(_ written: Expectation) -> [RunnableExpectation] {
        let popups =
            entries(written.showing) { $0.showing($1) }
            + entries(written.waiting) { $0.waiting($1) }
        return popups + reasons(written) + entries(written.shown) { $0.shown($1) }
            + entries(written.variant) { $0.arm($1) { .variant(popup: $0, $1) } }
            + entries(written.exposed) { $0.arm($1) { .exposed(popup: $0, $1) } }
            + entries(written.converted) { $0.converted($1) }
            + (written.content?.value.entries.map { $0 } ?? []).flatMap { contents($0) }
    }

    /// Returns the expected reason codes; help on an unknown code offers those that can be expected
    /// in its place.
    private mutating func reasons(_ written: Expectation) -> [RunnableExpectation] {
        let waiting = Format<ReasonCode>.reasonCode(offering: { $0.keepsAway })
        let reasons = entries(written.reasons) {
            $0.reportsShown($1)
                ? nil : $0.reason($1, format: waiting) { .reason(popup: $0, $1) }
        }
        let dismissal = Format<ReasonCode>.reasonCode(offering: { $0.endsWhatShows })
        let dismissed = entries(written.dismissed) {
            $0.reason($1, format: dismissal) { .dismissed(popup: $0, $1) }
        }
        let ending = Format<ReasonCode>.reasonCode(offering: { $0.endsTasks })
        let ended = entries(written.ended) {
            $0.reason($1, format: ending) { .ended(popup: $0, $1) }
        }
        let dropped = entries(written.dropped) {
            $0.reason($1, format: waiting) { .dropped(popup: $0, $1) }
        }
        return reasons + dismissed + ended + dropped
    }

    private mutating func entries(
        _ map: Located<YAMLNode>?,
        read: (inout TestLinker, YAMLEntry) -> RunnableExpectation.Kind?
    ) -> [RunnableExpectation] {
        (map?.value.entries.map { $0 } ?? []).compactMap { entry in
            read(&self, entry).map { RunnableExpectation(kind: $0, range: entry.value.range) }
        }
    }

    private mutating func showing(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let lane = name(entry.key), check(scheduler: lane) else { return nil }
        if case .null? = entry.value.scalar?.value {
            if entry.value.scalar?.text.isEmpty ?? false {
                var finding = Diagnostic.noPopup(lane, entry: entry)
                if let popup = decoder.source.popupBehindTag(entry) {
                    finding.label = "`!\(popup)` is a YAML tag, not a value"
                    finding.help = Diagnostic.helpOnAbsence(of: popup, lane: lane.value)
                }
                decoder.report(finding)
            }
            return .showing(scheduler: lane.value, popup: nil)
        }
        if let text = entry.value.scalar?.text, text.hasPrefix("!"),
            names.popups.contains(String(text.dropFirst()))
        {
            decoder.report(
                .negatedPopup(Located(text, at: entry.value.range), lane: lane.value))
            return nil
        }
        let text = decoder.inside(key: entry.key) {
            $0.read(.reference(to: "popup"), at: entry.value)
        }
        guard let popup = text else { return nil }
        if popup.value == "none" { return .showing(scheduler: lane.value, popup: nil) }
        guard check(popup: popup), check(popup, on: lane) else { return nil }
        return .showing(scheduler: lane.value, popup: popup.value)
    }

    private mutating func waiting(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let lane = name(entry.key), check(scheduler: lane) else { return nil }
        if entry.value.scalar?.text == "none" {
            decoder.report(.noneWaits(lane, at: entry.value.range))
            return nil
        }
        let list = decoder.inside(key: entry.key) { decoder in
            decoder.read(.list(of: .reference(to: "popup")), at: entry.value)
        }
        guard let popups = list?.value else { return nil }
        guard popups.allSatisfy({ check(popup: $0) && check($0, on: lane) }) else { return nil }
        return .waiting(scheduler: lane.value, popups: popups.map(\.value))
    }

    /// Returns true if the popup can ever be on the scheduler; reports it otherwise.
    private mutating func check(_ popup: Located<String>, on lane: Located<String>) -> Bool {
        let lanes = names.lanes[popup.value] ?? []
        if lanes.contains(lane.value) { return true }
        decoder.report(.otherScheduler(popup, lane: lane, lanes: lanes.sorted()))
        return false
    }

    /// Reports that a popup which shows is expected by a reason code, and returns true; false for
    /// anything else.
    private mutating func reportsShown(_ entry: YAMLEntry) -> Bool {
        let words: Set<String> = [
            "shown", "shows", "showing", "show", "visible", "displayed", "presented", "on_screen",
        ]
        guard let popup = entry.key.scalar?.text, let lane = names.lanes[popup]?.sorted().first,
            let text = entry.value.scalar?.text,
            words.contains(text.lowercased().replacing(" ", with: "_"))
        else { return false }
        decoder.report(
            .noReasonToShow(
                Located(text, at: entry.value.range), shows: "{ \(lane): \(popup) }",
                instead: "\(popup): \(text)"))
        return true
    }

    private mutating func reason(
        _ entry: YAMLEntry, format: Format<ReasonCode>,
        make: (String, ReasonCode) -> RunnableExpectation.Kind
    ) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup) else { return nil }
        let code = decoder.inside(key: entry.key) { $0.read(format, at: entry.value) }
        return code.map { make(popup.value, $0.value) }
    }

    private mutating func arm(
        _ entry: YAMLEntry, make: (String, String?) -> RunnableExpectation.Kind
    ) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup),
            let arm = decoder.inside(key: entry.key, { $0.read(.text, at: entry.value) })
        else { return nil }
        if arm.value == "none" { return make(popup.value, nil) }
        return check(arm: arm, of: popup) ? make(popup.value, arm.value) : nil
    }

    private mutating func converted(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup) else { return nil }
        let known = (names.goals[popup.value] ?? []).sorted()
        let list = decoder.inside(key: entry.key) { decoder -> Located<[Located<String>]>? in
            let format = Format<[Located<String>]>.list(of: .text)
            guard case .bool(let isReached)? = entry.value.coreValue else {
                return decoder.read(format, at: entry.value)
            }
            let reached = known.prefix(5).map {
                Reading("[\($0)]", meaning: "the goal `\($0)`", isExact: false)
            }
            let readings =
                isReached ? reached : [Reading("[]", meaning: "no goal at all", isExact: false)]
            return decoder.mismatch(
                format.schema, at: entry.value, readings: readings,
                help: ["declare `goals` in `\(popup.value)`, which has none"])
        }
        guard let goals = list else { return nil }
        guard goals.value.allSatisfy({ check(goal: $0, of: popup.value) }) else { return nil }
        return .converted(popup: popup.value, goals.value.map(\.value))
    }

    private mutating func shown(_ entry: YAMLEntry) -> RunnableExpectation.Kind? {
        guard let popup = name(entry.key), check(popup: popup) else { return nil }
        let count = decoder.inside(key: entry.key) { decoder in
            guard case .bool(let isShown)? = entry.value.coreValue else {
                return decoder.read(.integer(0...Int.max), at: entry.value)
            }
            let times = Reading(
                isShown ? "1" : "0", meaning: "how often the popup was shown", isExact: !isShown)
            return decoder.mismatch(.integer(0...Int.max), at: entry.value, readings: [times])
        }
        return count.map { .shown(popup: popup.value, $0.value) }
    }
}

// MARK: content

extension TestLinker {
    /// Returns the expected fields of a popup's content.
    private mutating func contents(_ entry: YAMLEntry) -> [RunnableExpectation] {
        guard let popup = name(entry.key), check(popup: popup) else { return [] }
        let map = decoder.inside(key: entry.key) { $0.read(.map(of: .any), at: entry.value) }
        return (map?.value.entries.map { $0 } ?? []).compactMap { field in
            guard let name = name(field.key), check(field: name, of: popup.value) else {
                return nil
            }
            let value = decoder.inside(key: field.key) { $0.value(field.value, as: .dyn) }
            return value.map {
                RunnableExpectation(
                    kind: .content(popup: popup.value, field: name.value, $0),
                    range: field.value.range)
            }
        }
    }

    private mutating func check(field: Located<String>, of popup: String) -> Bool {
        let fields = names.fields[popup] ?? []
        if fields.contains(field.value) { return true }
        decoder.report(
            .unknown(
                "field", name: field, among: fields, check: .testUnknownKey,
                label: "not in the content of `\(popup)`"))
        return false
    }
}

extension SourceFile {
    /// Returns the name in `main: !promo`, which YAML reads as a tag without a value; nil for
    /// anything else.
    fileprivate func popupBehindTag(_ entry: YAMLEntry) -> String? {
        var rest = bytes[entry.key.range.bytes.upperBound...].prefix(200)
        rest = rest.drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
        guard rest.first == UInt8(ascii: "!") else { return nil }
        let name = rest.dropFirst().prefix { !" ,}\n\r".utf8.contains($0) }
        let text = String(decoding: name, as: UTF8.self)
        return NameForm.id.fits(text.utf8) ? text : nil
    }
}

extension Diagnostic {
    fileprivate static func helpOnAbsence(of popup: String, lane: String) -> [String] {
        [
            "to check that `\(popup)` never shows, write next to `steps`:"
                + " `never: ['showing.\(lane) == \"\(popup)\"']`",
            "to check that nothing shows, write `\(lane): none`",
        ]
    }

    fileprivate static func negatedPopup(_ name: Located<String>, lane: String) -> Self {
        Diagnostic(
            .testUnknownPopup, message: "unknown popup `\(name.value)`", at: name.range,
            label: "a name cannot be negated with `!`",
            help: helpOnAbsence(of: String(name.value.dropFirst()), lane: lane))
    }

    fileprivate static func noReasonToShow(
        _ word: Located<String>, shows: String, instead entry: String
    ) -> Self {
        Diagnostic(
            .schemaEnum, message: "unknown reason code `\(word.value)`", at: word.range,
            label: "not a reason code",
            notes: ["reason codes say why a popup does not show"],
            help: [
                "to check that the popup shows, use `showing: \(shows)` instead of"
                    + " `reasons: { \(entry) }`"
            ])
    }

    fileprivate static func otherScheduler(
        _ popup: Located<String>, lane: Located<String>, lanes: [String]
    ) -> Self {
        let names = lanes.map { "`\($0)`" }.joined(separator: " or ")
        return Diagnostic(
            .testImpossible, message: "`\(popup.value)` is never on the scheduler `\(lane.value)`",
            at: popup.range, label: "belongs to \(names)",
            help: ["write it under \(names), or name a popup of `\(lane.value)` here"])
    }

    fileprivate static func noneWaits(_ lane: Located<String>, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType,
            message: "`\(lane.value)` must be a list of popups, but is the string `none`",
            at: range,
            label: "not a list", help: ["to check that nothing waits, write `\(lane.value): []`"])
    }

    fileprivate static func noPopup(_ lane: Located<String>, entry: YAMLEntry) -> Self {
        Diagnostic(
            .schemaType, message: "`\(lane.value)` has no value", at: entry.key.range,
            label: "no value after this key",
            help: [
                "write the popup that shows, or `\(lane.value): none` if nothing shows"
            ])
    }
}
