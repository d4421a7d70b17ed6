internal import PopSource

extension Linker {
    /// Looks up every name by which a popup refers to something else.
    mutating func checkReferences() {
        for index in model.popups.entries.indices {
            checkReferences(of: model.popups.entries[index])
        }
    }

    private mutating func checkReferences(of popup: PopupModel) {
        var found = Diagnostics()
        if let name = popup.scheduler {
            look(name, among: model.schedulers, .refUndefinedScheduler, "scheduler", &found)
        }
        if let name = popup.group {
            look(name, among: model.groups, .refUndefinedGroup, "group", &found)
        }
        if let name = popup.template {
            look(name, among: model.templates, .refUndefinedTemplate, "template", &found)
        }
        if let name = popup.rollout?.value.by {
            look(name, among: model.context, .refUndefinedKey, "context key", &found)
        }
        if let predecessors = popup.after?.value {
            isOrdered = true
            for name in predecessors {
                look(name, among: model.popups, .refUndefinedPopup, "popup", &found)
            }
        }
        check(popup.trigger?.value ?? [], &found)
        if let claim = popup.claim { check(claim, of: popup) }
        if !found.isEmpty {
            diagnostics.report(contentsOf: found.about("popup `\(popup.name.value)`"))
        }
    }

    private mutating func check(
        _ triggers: [Located<TriggerModel>], _ found: inout Diagnostics
    ) {
        for trigger in triggers {
            switch trigger.value {
            case .event(let trigger):
                look(trigger.event, among: model.events, .refUndefinedEvent, "event", &found)
            case .changed(let key):
                look(key, among: model.context, .refUndefinedKey, "context key", &found)
            case .start, .manual: break
            case .word(let word):
                suggestions -= 1
                found.report(
                    .noTrigger(
                        Located(word, at: trigger.range), events: model.events.names,
                        keys: model.context.names, isHelped: suggestions >= 0))
            }
        }
    }

    private mutating func look<Entry>(
        _ name: Located<String>, among section: Section<Entry>, _ check: Check, _ kind: String,
        _ found: inout Diagnostics
    ) {
        if section.index(of: name.value) != nil { return }
        suggestions -= 1
        let names = suggestions >= 0 ? section.names : nil
        found.report(.undefined(check, kind, name, among: names))
    }
}

extension Diagnostic {
    /// A name that leads nowhere; without names to compare it with, none is suggested.
    static func undefined(
        _ check: Check, _ kind: String, _ name: Located<String>, among names: [String]?
    ) -> Self {
        let section = kind == "context key" ? "context" : "\(kind)s"
        var diagnostic = Diagnostic(
            check, "there is no \(kind) `\(name.value.shortened)`", at: name.range,
            label: "not defined under `\(section)`")
        diagnostic.help = ["define it under `\(section)`, or name one that is there"]
        guard let names else { return diagnostic }
        let similar = similarNames(to: name.value, among: names)
        if similar.count == 1 { diagnostic.fixes = [.rename(name.range, to: similar[0])] }
        if !similar.isEmpty {
            diagnostic.help = [
                "\(withArticle(kind)) with a similar name exists: \(alternatives(similar))"
            ]
        } else if names.isEmpty {
            diagnostic.help = ["define it under `\(section)`, which has no entries yet"]
        } else if names.count == 1 {
            diagnostic.help = ["the only \(kind) is `\(names[0])`"]
        } else if names.count <= 5 {
            diagnostic.help = ["the \(kind)s that exist are \(enumeration(names.sorted()))"]
        }
        return diagnostic
    }
}
