internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about declarations that nothing uses.
    static let unused: [any Lint.Type] = [
        UnusedCondition.self, UnusedGroup.self, UnusedKey.self, UnusedLimit.self,
        UnusedExperiment.self, UnusedDefault.self, DefaultReplaced.self,
    ]
}

/// A named condition that nothing uses; an info in a file without popups, such as a library of
/// conditions that several rule sets share.
///
/// Bad:
/// ```yaml
/// context: { user.launches: { type: int, default: 0 } }
/// conditions: { newcomer: user.launches <= 3 }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.launches: { type: int, default: 0 } }
/// conditions: { newcomer: user.launches <= 3 }
/// popups: { welcome: { when: newcomer } }
/// ```
public enum UnusedCondition: Lint {
    public static let check = Check.refUnusedCondition
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let conditions = subject.model.conditions.entries
        let files = Set(subject.model.popups.entries.map(\.name.range.file))
        return conditions.places.filter { !subject.usedConditions.contains($0) }
            .map { place in
                let name = conditions[place].name
                return .unused(name, inLibrary: !files.contains(name.range.file))
            }
    }
}

extension Diagnostic {
    fileprivate static func unused(_ name: Located<String>, inLibrary isShared: Bool) -> Self {
        var diagnostic = Diagnostic(
            .refUnusedCondition, message: "nothing uses the condition `\(name.value)`",
            at: name.range,
            label: "not used",
            help: [
                isShared
                    ? "use the condition in a `when`, or keep the condition if other rule sets"
                        + " contain this file"
                    : "use the condition in a `when`, such as `when: \(name.value)`, or remove the"
                        + " condition"
            ])
        if isShared { diagnostic.level = .info }
        return diagnostic
    }
}

/// A group that no popup is in.
///
/// Bad:
/// ```yaml
/// groups: { onboarding: { cap: { max: 2, per: 1d } } }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// groups: { onboarding: { cap: { max: 2, per: 1d } } }
/// popups: { welcome: { group: onboarding } }
/// ```
public enum UnusedGroup: Lint {
    public static let check = Check.refUnusedGroup
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let used = Set(subject.rules.popups.compactMap(\.group))
        let groups = subject.model.groups.entries
        return groups.places.filter { !used.contains($0) }.map { .unused(group: groups[$0].name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(group name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedGroup, message: "no popup is in the group `\(name.value)`", at: name.range,
            label: "not used",
            help: ["write `group: \(name.value)` in a popup, or remove the group"])
    }
}

/// A context key that no condition, trigger or rollout reads.
///
/// Bad:
/// ```yaml
/// context: { user.plan: string }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.plan: string }
/// popups: { welcome: { trigger: { changed: user.plan } } }
/// ```
public enum UnusedKey: Lint {
    public static let check = Check.refUnusedKey
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let keys = subject.model.context.entries
        return keys.places.filter { !subject.usedKeys.contains($0) }.map {
            .unused(key: keys[$0].name)
        }
    }
}

extension Diagnostic {
    fileprivate static func unused(key name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedKey, message: "nothing reads the context key `\(name.value)`", at: name.range,
            label: "not used",
            help: ["remove `\(name.value)`, unless the app uses it for something else"])
    }
}

/// Popups that `limits` or `quiet` name and that do not exist: a tag that no popup has, or
/// schedulers without a popup that is not essential.
///
/// Bad:
///
/// ```yaml
/// limits: [{ max: 1, per: 1d, tags: [promos] }]
/// popups: { offer: { tags: [promo] } }
/// ```
///
/// ```yaml
/// schedulers: { toast: { strategy: fifo } }
/// limits: [{ max: 1, per: 1d, schedulers: [toast] }]
/// popups: { offer: {} }
/// ```
///
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin, tags: [news] }
/// popups: { terms: { tags: [news], essential: true } }
/// ```
///
/// ```yaml
/// defaults: { essential: true }
/// limits: [{ max: 1, per: 1d }]
/// popups: { offer: {} }
/// ```
///
/// Good:
///
/// ```yaml
/// limits: [{ max: 1, per: 1d, tags: [promo] }]
/// popups: { offer: { tags: [promo] } }
/// ```
public enum UnusedLimit: Lint {
    public static let check = Check.refUnusedLimit
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let limits = zip(subject.model.limits, subject.rules.limits).map { model, rule in
            Selection(
                model.value.popups, rule: rule.popups, at: model.range, of: "`limits`")
        }
        let quiet = subject.model.quiet.flatMap { model in
            subject.rules.quiet.map {
                Selection(
                    model.value.popups, rule: $0.popups, at: model.range, of: "`quiet`")
            }
        }
        let popups = subject.rules.popups
        let tags = Set(popups.flatMap(\.texts.tags))
        let known = Array(tags.sorted().prefix(3))
        return (limits + [quiet].compactMap(\.self)).flatMap { selection -> [Diagnostic] in
            let unknown = (selection.model.tags?.value ?? []).filter { !tags.contains($0.value) }
            if !unknown.isEmpty {
                return unknown.map {
                    .noSuchTag($0, among: tags, such: known, of: selection.section)
                }
            }
            let popups = popups.filter {
                selection.rule.includes($0.scheduler, tags: $0.texts.tags)
            }
            // Files without popups may belong to others that have some.
            guard popups.allSatisfy(\.isEssential),
                let place = (selection.model.schedulers ?? selection.model.tags)?.range
                    ?? (popups.isEmpty ? nil : selection.range)
            else { return [] }
            return [
                .noPopup(at: place, areEssential: !popups.isEmpty, of: selection.section)
            ]
        }
    }

    /// Popups that a section names.
    private struct Selection {
        let model: PopupSelectionModel
        let rule: PopupSelection
        let range: SourceRange
        let section: String

        init(
            _ model: PopupSelectionModel, rule: PopupSelection, at range: SourceRange,
            of section: String
        ) {
            (self.model, self.rule, self.range, self.section) = (model, rule, range, section)
        }
    }
}

extension Diagnostic {
    fileprivate static func noSuchTag(
        _ tag: Located<String>, among tags: Set<String>, such known: [String], of section: String
    ) -> Self {
        let similar = similarNames(to: tag.value, among: tags)
        let known = known.isEmpty ? "" : ", such as \(alternatives(known))"
        return Diagnostic(
            .refUnusedLimit, message: "no popup has the tag `\(tag.value)`",
            at: tag.range, label: "selects no popup", subject: section,
            help: [
                similar.isEmpty
                    ? "add the tag to popups, or use a tag that popups have\(known)"
                    : "did you mean \(alternatives(similar))?"
            ],
            fixes: similar.count == 1 ? [.rename(tag.range, to: similar[0])] : [])
    }

    fileprivate static func noPopup(
        at range: SourceRange, areEssential: Bool, of section: String
    ) -> Self {
        let entry = section == "`limits`" ? "this limit" : section
        return Diagnostic(
            .refUnusedLimit,
            message: areEssential
                ? "all popups that \(entry) selects are essential, so they are never blocked"
                : "\(entry) applies to no popup",
            at: range, label: areEssential ? "selects only essential popups" : "selects no popup",
            subject: section,
            help: [
                areEssential
                    ? "remove `essential: true` from the popups that \(entry) should apply to, or"
                        + " from `defaults`; or remove \(entry)"
                    : "use `tags` or `schedulers` of existing popups, or remove \(entry)"
            ])
    }
}

/// An experiment that no popup takes part in, or a layer that no experiment belongs to.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// experiments: { tone: { by: user.id, variants: { short: 1, long: 1 } } }
/// popups: { welcome: {} }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// layers: { offers: { by: user.id } }
/// popups: { welcome: {} }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// layers: { offers: { by: user.id } }
/// experiments: { tone: { layer: offers, range: [0, 50], variants: { short: 1, long: 1 } } }
/// popups: { welcome: { experiment: { of: tone, variants: { short: {}, long: {} } } } }
/// ```
public enum UnusedExperiment: Lint {
    public static let check = Check.refUnusedExperiment
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let own = model.popups.entries.compactMap { $0.limits.experiment?.value }
        let experiments = Set(own.compactMap { $0.of?.value })
        let layers = Set(
            own.compactMap { $0.division.layer?.value }
                + model.experiments.entries.compactMap { $0.division.layer?.value })
        return model.experiments.entries.filter { !experiments.contains($0.name.value) }
            .map { .unused(experiment: $0.name) }
            + model.layers.entries.filter { !layers.contains($0.name.value) }
            .map { .unused(layer: $0.name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(experiment name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedExperiment, message: "no popup takes part in the experiment `\(name.value)`",
            at: name.range, label: "not used",
            help: [
                "use the experiment in a popup, such as `experiment: { of: \(name.value) }`, or"
                    + " remove the experiment"
            ])
    }

    fileprivate static func unused(layer name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedExperiment, message: "no experiment is in the layer `\(name.value)`",
            at: name.range, label: "not used",
            help: [
                "use the layer in an experiment, such as `layer: \(name.value)`, or remove the"
                    + " layer"
            ])
    }
}

/// A default of a file or a group that no popup takes, because each has a value of its own.
///
/// Bad:
/// ```yaml
/// defaults: { owner: team-growth, priority: low }
/// popups: { welcome: { priority: high } }
/// ```
/// Good:
/// ```yaml
/// defaults: { owner: team-growth, priority: low }
/// popups: { welcome: { priority: high }, tips: {} }
/// ```
public enum UnusedDefault: Lint {
    public static let check = Check.refUnusedDefault
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let ofGroups = model.groups.entries.filter { $0.defaults != nil }
        if model.defaults.isEmpty, ofGroups.isEmpty { return [] }
        let popups = model.popups.entries
        var found: [Diagnostic] = []
        for defaults in model.defaults {
            let own = popups.filter { $0.name.range.file == defaults.range.file }
            found += defaults.value.names.compactMap { name in
                let isTaken = own.contains { popup in
                    !popup.writes(name.value)
                        && !model.group(of: popup, hasDefault: name.value)
                }
                return isTaken ? nil : .taken(byNoneOf: "the file", name, isEmpty: own.isEmpty)
            }
        }
        for group in ofGroups {
            let own = popups.filter { $0.place.group?.value == group.name.value }
            // A group without popups has a finding of its own.
            if own.isEmpty { continue }
            found += (group.defaults?.value.names ?? []).compactMap { name in
                own.allSatisfy { $0.writes(name.value) }
                    ? .taken(byNoneOf: "the group", name, isEmpty: false) : nil
            }
        }
        return found
    }
}

extension RuleModel {
    /// Returns true if the group of a popup has a default for a key that the popup does not write.
    fileprivate func group(of popup: PopupModel, hasDefault key: String) -> Bool {
        guard let name = popup.place.group?.value else { return false }
        return groups[name]?.defaults?.value.names.contains { $0.value == key } ?? false
    }
}

extension Diagnostic {
    fileprivate static func taken(
        byNoneOf whole: String, _ key: Located<String>, isEmpty: Bool
    ) -> Self {
        Diagnostic(
            .refUnusedDefault, message: "no popup of \(whole) uses `\(key.value)` from `defaults`",
            at: key.range, label: "not used",
            help: [
                isEmpty
                    ? "move `defaults` to a file with popups: `defaults` sets values only for the"
                        + " popups of its own file"
                    : "remove this default, or remove the key in the popups that should use the default"
            ])
    }
}
