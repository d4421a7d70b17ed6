internal import PopRuleFiles
internal import PopScheduler
public import PopSource

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
            Selection(model.value.popups, rule: rule.popups, of: "`limits`")
        }
        let quiet = subject.model.quiet.flatMap { model in
            subject.rules.quiet.map {
                Selection(model.value.popups, rule: $0.popups, of: "`quiet`")
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
            guard popups.allSatisfy(\.isEssential),
                let place = (selection.model.schedulers ?? selection.model.tags)?.range
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
        let section: String

        init(_ model: PopupSelectionModel, rule: PopupSelection, of section: String) {
            (self.model, self.rule, self.section) = (model, rule, section)
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
            at: tag.range, label: "about no popup of the rules", subject: section,
            help: [
                similar.isEmpty
                    ? "give it to popups, or name a tag that popups have\(known)"
                    : "a similar tag exists: \(alternatives(similar))"
            ],
            fixes: similar.count == 1 ? [.rename(tag.range, to: similar[0])] : [])
    }

    fileprivate static func noPopup(
        at range: SourceRange, areEssential: Bool, of section: String
    ) -> Self {
        Diagnostic(
            .refUnusedLimit,
            message: areEssential
                ? "all popups that are named here are essential, which nothing holds back"
                : "no popup of the rules is among these",
            at: range, label: "without effect on the rules", subject: section,
            help: ["name popups that \(section) is to hold back, or remove it"])
    }
}
