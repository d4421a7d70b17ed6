internal import PopCEL

extension Scheduler {
    /// Returns the presentation of a task for the host, with the content resolved as of now.
    func presentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        isAsWritten(popup) ? Presentation(id) : Presentation(id, as: look(popup).look)
    }

    /// Returns the presentation at the time of display. An empty placeholder is reported once.
    mutating func finalPresentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        if isAsWritten(popup) { return Presentation(id) }
        let (look, empty) = look(popup)
        for name in empty {
            let event = HostEvent.emptyPlaceholder(popup: catalog.traits[popup].id, name)
            if outcomes.tellsFirst(event) { emit(event) }
        }
        return Presentation(id, as: look)
    }

    /// Returns true if all users see the popup as written.
    private func isAsWritten(_ popup: PopupIndex) -> Bool {
        catalog.traits[popup].needs.isEmpty && !catalog.traits[popup].hasExperiment
    }

    /// Returns the appearance of the popup for the user of its task, and the names of empty
    /// placeholders.
    private func look(_ popup: PopupIndex) -> (look: Look, empty: [String]) {
        let rule = catalog.popups[popup]
        let arm = arm(of: popup)
        let variant = arm.flatMap { arm in rule.experiment?.variants.first { $0.name == arm } }
        if catalog.traits[popup].needs.isEmpty { return (Look(arm: arm, variant: variant), []) }
        var filling = filling(
            of: popup,
            localizedFields: catalog.localizedFields(of: variant?.template ?? rule.template))
        let content = filling.fill(variant?.content ?? rule.content)
        return (
            Look(arm: arm, variant: variant, resolvedContent: content), filling.empty
        )
    }

    private func filling(of popup: PopupIndex, localizedFields: [String]) -> ContentFilling {
        let payload = payloads[queues.tasks.order(of: popup).number] ?? [:]
        return ContentFilling(languages: languages, localizedFields: localizedFields) {
            [catalog, conditions] name in
            if let field = catalog.triggers.keys[name] {
                return conditions.value(ofKey: field.index)
            }
            guard name.hasPrefix(Placeholder.payloadPrefix) else { return nil }
            return payload[String(name.dropFirst(Placeholder.payloadPrefix.count))]
        }
    }

    /// The language of the user, then the fallback language.
    private var languages: [LocaleTag] {
        guard let locales = catalog.rules.locales else { return [] }
        let fallback = LocaleTag(locales.fallback)
        guard case .string(let own)? = conditions.value(ofKey: locales.key) else {
            return [fallback]
        }
        return [LocaleTag(own), fallback]
    }
}

extension Catalog {
    func localizedFields(of template: String?) -> [String] {
        guard let template else { return [] }
        return rules.templates.first { $0.name == template }?.localizedFields ?? []
    }
}
