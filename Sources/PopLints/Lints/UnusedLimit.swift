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
            at: tag.range, label: "selects no popup of the rules", subject: section,
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
        Diagnostic(
            .refUnusedLimit,
            message: areEssential
                ? "all popups that are selected here are essential, so they are never blocked"
                : "this selects no popup of the rules",
            at: range, label: "no effect", subject: section,
            help: ["select popups that \(section) should block, or remove \(section)"])
    }
}
