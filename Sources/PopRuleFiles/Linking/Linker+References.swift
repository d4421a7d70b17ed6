internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Linker {
    /// Looks up every name by which something refers to something else.
    mutating func checkReferences() {
        for index in model.popups.entries.indices {
            look(in: model.popups.entries[index].name.range.file) {
                $0.checkReferences(ofPopup: index)
            }
        }
        for limit in model.limits {
            look(in: limit.range.file) {
                $0.check([Located(limit.value.window, at: limit.range)], of: "`limits`")
                $0.check(limit.value.popups, zone: nil, of: "`limits`")
            }
        }
        if let quiet = model.quiet {
            look(in: quiet.range.file) {
                $0.check(quiet.value.popups, zone: quiet.value.zone, of: "`quiet`")
            }
        }
        if let holdout = model.holdout {
            look(in: holdout.range.file) { $0.check(holdout.value) }
        }
        for layer in model.layers.entries {
            look(in: layer.name.range.file) { $0.check(layer) }
        }
        for experiment in model.experiments.entries {
            look(in: experiment.name.range.file) { $0.check(experiment) }
        }
        for group in model.groups.entries {
            look(in: group.name.range.file) {
                $0.check(group.caps?.value ?? [], of: "group `\(group.name.value)`")
            }
        }
        for scheduler in model.schedulers.entries {
            look(in: scheduler.name.range.file) {
                let subject = "scheduler `\(scheduler.name.value)`"
                $0.check([scheduler.cap].compactMap(\.self), of: subject)
            }
        }
    }

    /// Checks a part of a file.
    private mutating func look(in file: FileID, body: (inout Linker) -> Void) {
        if strays.file != file { strays = (file, []) }
        body(&self)
    }

    private mutating func check(
        _ popups: PopupSelectionModel, zone: Located<ZoneModel>?, of section: String
    ) {
        var found = Diagnostics()
        check(zone, into: &found)
        for name in popups.schedulers?.value ?? [] {
            look(
                name, among: model.schedulers, check: .refUndefinedScheduler, kind: "scheduler",
                into: &found)
        }
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(section)) }
    }

    private mutating func check(_ caps: [Located<WindowCapModel>], of subject: String) {
        var found = Diagnostics()
        for cap in caps { check(cap.value, into: &found) }
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(subject)) }
    }

    /// The key of a user's language, which localized fields need.
    mutating func checkLocales() {
        guard let name = model.locales?.value.key else {
            let fields = model.templates.entries.lazy.flatMap(\.fields)
            if model.locales == nil, let field = fields.first(where: \.isLocalized),
                let place = field.localized?.range
            {
                diagnostics.report(.noLocales(field.name.value, at: place))
            }
            return
        }
        guard let key = model.context[name.value] else {
            let names = model.context.names
            var finding = Diagnostic.undefined(
                .refUndefinedKey, kind: "context key", name: name, among: names)
            finding.subject = "`locales`"
            return diagnostics.report(finding)
        }
        guard let type = key.type else { return }
        if type.value != .string {
            return diagnostics.report(.localeIsNoText(name, type: type))
        }
        guard let values = key.allowedValues else { return }
        let texts = values.value.map(\.value)
        let isNeverLanguage = texts.allSatisfy { value in
            guard case .string(let text) = value else { return true }
            return LocaleProblem(text, among: []) != nil
        }
        if isNeverLanguage { diagnostics.report(.localeIsNoLanguage(name, values: values.range)) }
    }

    // Part by part, because a popup as a whole would be copied.
    private mutating func checkReferences(ofPopup index: Int) {
        var found = Diagnostics()
        if let place = model.popups.entries[index].placeIfAny { checkPlace(place, into: &found) }
        if let name = model.popups.entries[index].template {
            look(
                name, among: model.templates, check: .refUndefinedTemplate, kind: "template",
                into: &found)
        }
        let limits = model.popups.entries[index].limitsIfAny
        checkUsers(limits?.rollout?.value.by, into: &found)
        if let experiment = limits?.experiment { check(experiment.value, into: &found) }
        for entry in model.popups.entries[index].timingIfAny?.schedule?.value ?? [] {
            check(entry.value.zone, into: &found)
        }
        if let cap = limits?.cap?.value {
            check(cap, of: model.popups.entries[index].name.value, into: &found)
        }
        if let triggers = model.popups.entries[index].trigger {
            check(triggers.value, into: &found)
        }
        for goal in limits?.goals?.value ?? [] {
            guard let event = goal.value.event else { continue }
            look(
                event, among: model.events, check: .refUndefinedEvent, kind: "event", into: &found)
        }
        if let claim = model.popups.entries[index].checksIfAny?.claim {
            check(claim, of: model.popups.entries[index])
        }
        if !found.isEmpty {
            let name = model.popups.entries[index].name.value
            diagnostics.report(contentsOf: found.about("popup `\(name)`"))
        }
    }

    private mutating func check(
        _ cap: CapModel, of popup: String, into found: inout Diagnostics
    ) {
        for window in cap.windows?.value ?? [] { check(window.value, into: &found) }
        if let key = cap.closes?.value.per { checkCounted(key, into: &found) }
        for (name, _) in cap.afterClose?.value.actions ?? [] {
            check(name, of: popup, as: .closable, into: &found)
        }
    }

    /// A zone may be named by a context key.
    mutating func check(_ zone: Located<ZoneModel>?, into found: inout Diagnostics) {
        guard let zone, case .key(let name) = zone.value,
            model.context.index(of: name) == nil
        else { return }
        let readings = readingsOfZoneWord(name)
        if !name.contains(".") || !readings.isEmpty {
            suggestions -= 1
            let isHelped = suggestions >= 0 && readings.isEmpty
            return found.report(
                .undefinedZone(
                    name, readings: readings,
                    similar: isHelped ? similarNames(to: name, among: TimeZones.systemNames) : [],
                    keys: suggestions >= 0
                        ? similarNames(to: name, among: model.context.names) : [],
                    at: zone.range))
        }
        look(
            Located(name, at: zone.range), among: model.context, check: .refUndefinedKey,
            kind: "context key", otherwise: helpWithKeyOfZone, into: &found)
    }

    private mutating func checkPlace(_ place: PopupModel.Place, into found: inout Diagnostics) {
        if let name = place.scheduler {
            look(
                name, among: model.schedulers, check: .refUndefinedScheduler, kind: "scheduler",
                into: &found)
        }
        if let name = place.group {
            look(name, among: model.groups, check: .refUndefinedGroup, kind: "group", into: &found)
        }
        guard let predecessors = place.after?.value else { return }
        for predecessor in predecessors {
            look(
                predecessor.popup, among: model.popups, check: .refUndefinedPopup, kind: "popup",
                into: &found)
            check(predecessor.action, of: predecessor.popup.value, as: .end, into: &found)
        }
    }

    private mutating func check(
        _ triggers: [Located<TriggerModel>], into found: inout Diagnostics
    ) {
        for trigger in triggers {
            switch trigger.value {
            case .event(let trigger)
            where model.context.index(of: trigger.event.value) != nil
                && model.events.index(of: trigger.event.value) == nil:
                found.report(.keyAsEvent(trigger.event))
            case .event(let trigger)
            where Trigger.Occasion(rawValue: trigger.event.value) != nil
                && model.events.index(of: trigger.event.value) == nil:
                found.report(.occasionAsEvent(trigger.event))
            case .changed(let key)
            where model.events.index(of: key.value) != nil
                && model.context.index(of: key.value) == nil:
                found.report(.eventAsKey(key))
            case .event(let trigger):
                look(
                    trigger.event, among: model.events, check: .refUndefinedEvent, kind: "event",
                    into: &found)
            case .changed(let key):
                look(
                    key, among: model.context, check: .refUndefinedKey, kind: "context key",
                    into: &found)
            case .acted(let popup, let action):
                look(
                    popup, among: model.popups, check: .refUndefinedPopup, kind: "popup",
                    into: &found)
                check(action, of: popup.value, as: .closable, into: &found)
            case .occasion, .unread: break
            case .word(let word):
                suggestions -= 1
                found.report(
                    .noTrigger(
                        Located(word, at: trigger.range), events: model.events.names,
                        keys: model.context.names, isHelped: suggestions >= 0))
            }
        }
    }

    mutating func look<Entry>(
        _ name: Located<String>, among section: Section<Entry>, check: Check, kind: String,
        otherwise help: [String]? = nil, into found: inout Diagnostics
    ) {
        if section.index(of: name.value) != nil { return }
        let isInFile = name.range.file == strays.file
        if isInFile, !strays.places.insert(name.range).inserted { return }
        suggestions -= 1
        let names = suggestions >= 0 ? section.names : nil
        found.report(.undefined(check, kind: kind, name: name, among: names, otherwise: help))
    }
}

/// The smallest entry of a section, by its kind; `$` is its name.
private let smallestEntries = [
    "context key": "$: string", "event": "$: {}", "group": "$: {}", "popup": "$: {}",
    "template": "$: { required: { title: string } }",
]

/// Help on a zone that isn't the name of a context key, nor similar to such a name.
private let helpWithKeyOfZone = [
    "define the key under `context` with `type: string`, and let the app set it to a time zone"
        + " such as `Europe/Berlin`", "use `local` for the time zone of the device",
]

extension Diagnostic {
    fileprivate static func noLocales(_ field: String, at range: SourceRange) -> Self {
        let example = "locales: { key: user.locale, required: [en, de], fallback: en }"
        return Diagnostic(
            .contentMissingLocale,
            message: "`\(field)` is localized, but the rules have no `locales`", at: range,
            label: "without `locales`, the language of a user is not known",
            help: ["add `locales` next to `templates`, such as `\(example)`"])
    }

    fileprivate static func localeIsNoText(
        _ name: Located<String>, type: Located<CELType>
    ) -> Self {
        Diagnostic(
            .contentUnknownLocale,
            message: "the key of `locales` must have the type `string`, but `\(name.value)` has"
                + " the type `\(type.value)`", at: name.range, label: "not a string",
            subject: "`locales`",
            secondary: [Label("the type of `\(name.value)` is declared here", at: type.range)],
            help: [
                "use a context key with the type `string` whose values are languages, such as"
                    + " `de-CH`"
            ])
    }

    fileprivate static func localeIsNoLanguage(
        _ name: Located<String>, values: SourceRange
    ) -> Self {
        Diagnostic(
            .contentUnknownLocale,
            message: "`locales` needs a context key with a language, but no value of"
                + " `\(name.value.shortened)` is a language", at: name.range,
            label: "all users would see the fallback", subject: "`locales`",
            secondary: [Label("the values of the key", at: values)],
            help: [
                "use a context key with the type `string` whose values are languages, such as"
                    + " `de-CH`"
            ])
    }

    fileprivate static func keyAsEvent(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUndefinedEvent, message: "there is no event `\(name.value.shortened)`",
            at: name.range,
            label: "the name of a context key",
            help: ["to trigger on a change of a context key, use `changed: \(name.value)`"])
    }

    fileprivate static func occasionAsEvent(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUndefinedEvent, message: "there is no event `\(name.value)`", at: name.range,
            label: "a trigger, not an event",
            help: ["use only `\(name.value)`, without `event:` and braces"])
    }

    /// A word that isn't a zone or a key, and what may be meant: zones, and keys with similar
    /// names.
    fileprivate static func undefinedZone(
        _ name: String, readings: [Reading], similar: [String], keys: [String],
        at range: SourceRange
    ) -> Self {
        var finding = unknownZone(name, readings: readings, similar: similar, at: range)
        finding.label = "neither a time zone nor a key under `context`"
        if !keys.isEmpty {
            finding.help.append("did you mean the context key \(alternatives(keys))?")
            finding.fixes += keys.count == 1 ? [.rename(range, to: keys[0])] : []
        } else if readings.isEmpty, similar.isEmpty {
            finding.help.append(
                "use `local` for the time zone of the device, or a context key such as"
                    + " `user.zone` for the time zone of a user")
        }
        return finding
    }

    fileprivate static func eventAsKey(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUndefinedKey, message: "there is no context key `\(name.value.shortened)`",
            at: name.range,
            label: "the name of an event",
            help: ["to trigger on an event, use `event: \(name.value)`"])
    }

    /// An undefined name; without names to compare it with, none is suggested. `otherwise` is the
    /// help if no name is similar, for a reference that need not be one of the known names.
    package static func undefined(
        _ check: Check, kind: String, name: Located<String>, among names: [String]?,
        otherwise help: [String]? = nil
    ) -> Self {
        let section = kind == "context key" ? "context" : "\(kind)s"
        let isNamed = !name.value.isEmpty
        var diagnostic = Diagnostic(
            check,
            message: isNamed
                ? "there is no \(kind) `\(name.value.shortened)`"
                : "the name of \(withArticle(kind)) is empty",
            at: name.range,
            label: isNamed
                ? "not defined under `\(section)`"
                : "must be the name of \(withArticle(kind))")
        if kind == "context key", isOfEngine(name.value) {
            diagnostic.label = "set by poprules itself; only conditions can read this value"
            diagnostic.help = ["use a key that is declared under `context`"]
            return diagnostic
        }
        diagnostic.help =
            help ?? [
                isNamed
                    ? "define `\(name.value.shortened)` under `\(section)`, or use a name that is"
                        + " defined there"
                    : "use a name that is defined under `\(section)`"
            ]
        guard let names else { return diagnostic }
        let similar = similarNames(to: name.value, among: names)
        if similar.count == 1 { diagnostic.fixes = [.rename(name.range, to: similar[0])] }
        if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        } else if help != nil {
            return diagnostic
        } else if names.isEmpty {
            let form: NameForm = ["context key", "event"].contains(kind) ? .dotted : .id
            let entry = form.fits(name.value.utf8) ? smallestEntries[kind] : nil
            let example = entry.map {
                ", such as `\(section): { \($0.replacing("$", with: name.value)) }`"
            }
            diagnostic.help = [
                isNamed
                    ? "define `\(name.value.shortened)` under `\(section)`\(example ?? "");"
                        + " this section has no entries yet"
                    : "define an entry under `\(section)`; this section has no entries yet"
            ]
        } else {
            // Sorting all names of a large rule set for each finding would take too long.
            let few = names.count <= 5 ? helpOnFew(kind, names.sorted()) : []
            if !few.isEmpty { diagnostic.help = few }
            if kind == "scheduler", isNamed, NameForm.id.fits(name.value.utf8) {
                diagnostic.help.append(
                    "if popups of `\(name.value)` may show at the same time as those of other"
                        + " schedulers, declare it, such as"
                        + " `schedulers: { \(name.value): {} }` at the top level")
            }
        }
        return diagnostic
    }
}

// A cap may count for each value of a context key, or in the time zone that a context key contains.
extension Linker {
    mutating func check(_ cap: WindowCapModel, into found: inout Diagnostics) {
        check(cap.zone, into: &found)
        guard let per = cap.per, case .value(let name) = per.value else { return }
        let key = Located(name, at: per.range)
        let isDeclared = model.context.index(of: name) != nil
        // For an unknown key it isn't known whether it counts by a calendar.
        if let zone = cap.zone, isDeclared { found.report(.zoneWithoutClock(zone, beside: key)) }
        if name.contains(".") || isDeclared { return checkCounted(key, into: &found) }
        suggestions -= 1
        let keys = suggestions >= 0 ? model.context.entries : []
        let ends = keys.map(\.name.value).filter { $0.hasSuffix(".\(name)") }
        found.report(
            .neitherPeriodNorKey(
                key,
                similar: ends.isEmpty
                    ? similarNames(to: name, among: keys.map(\.name.value)) : ends,
                others: keys.filter { $0.type?.value.isCountable == true }.map(\.name.value),
                readings: periodReadings(name)))
    }

    /// Checks a key for each of whose values something is counted.
    mutating func checkCounted(_ key: Located<String>, into found: inout Diagnostics) {
        if isOfEngine(key.value) { return found.report(.ofEngine(key)) }
        look(
            key, among: model.context, check: .refUndefinedKey, kind: "context key", into: &found)
        guard let type = model.context[key.value]?.type, !type.value.isCountable else { return }
        found.report(.uncountable(key, type: type))
    }
}

extension CELType {
    /// True if its values can be compared by their plain text.
    fileprivate var isCountable: Bool { self != .dyn && hasPlainText }
}

extension Diagnostic {
    fileprivate static func neitherPeriodNorKey(
        _ name: Located<String>, similar: [String], others: [String], readings: [Reading]
    ) -> Self {
        let rename = similar.count == 1 ? [Fix.rename(name.range, to: similar[0])] : []
        var finding = Diagnostic(
            .refUndefinedKey,
            message: "`\(name.value.shortened)` is neither a period nor a context key",
            at: name.range, label: "not defined under `context`",
            help: readings.help, fixes: readings.fixes(at: name.range) + rename)
        if readings.isEmpty {
            finding.help = [
                "use a duration such as `7d`, or \(alternatives(wordsOfPeriod))"
            ]
        }
        if !similar.isEmpty {
            finding.help.append(
                "did you mean the context key \(alternatives(similar))?")
        } else if readings.isEmpty {
            let names = others.sorted().prefix(3)
            finding.help.append(
                "to count for each value of a context key, use a key "
                    + (names.isEmpty
                        ? "declared under `context`, such as `app.version`"
                        : "such as \(alternatives(Array(names)))"))
        }
        return finding
    }

    fileprivate static func ofEngine(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUndefinedKey, message: "`\(name.value.shortened)` is not a context key",
            at: name.range,
            label: "set by poprules itself; only conditions can read this value",
            help: [
                "use a key that is declared under `context`"
                    + (name.value.hasPrefix("session")
                        ? "; to count per session, use `per: \(sessionWord)`" : "")
            ])
    }

    fileprivate static func uncountable(
        _ key: Located<String>, type: Located<CELType>
    ) -> Self {
        Diagnostic(
            .schemaType,
            message: "a cap cannot count separately for each value of"
                + " `\(key.value.shortened)`, which has the type `\(type.value)`", at: key.range,
            label: "values of the type `\(type.value)` cannot be counted separately",
            secondary: [
                Label("the type of `\(key.value.shortened)` is declared here", at: type.range)
            ],
            help: ["use a key whose values are strings, numbers, times, or `true` and `false`"])
    }

    fileprivate static func zoneWithoutClock(
        _ zone: Located<ZoneModel>, beside key: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`zone` has no effect if a cap counts separately for each value of"
                + " `\(key.value.shortened)`", at: zone.range,
            label: "this cap does not count by the calendar, so it needs no time zone",
            secondary: [
                Label("the cap counts separately for each value of this key", at: key.range)
            ],
            help: ["remove `zone`"])
    }
}
