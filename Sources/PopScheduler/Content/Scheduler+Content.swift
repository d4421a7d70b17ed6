internal import PopCEL

extension Scheduler {
    /// What the host needs to show a task of a popup, its content as it is to be read now.
    func presentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        if catalog.traits[popup].needs.isEmpty { return Presentation(id) }
        return Presentation(id, resolvedContent: filled(popup).content)
    }

    /// The same at the moment of display. That a placeholder is empty is told once.
    mutating func finalPresentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        if catalog.traits[popup].needs.isEmpty { return Presentation(id) }
        let (content, empty) = filled(popup)
        for name in empty {
            let event = HostEvent.emptyPlaceholder(popup: catalog.traits[popup].id, name)
            if outcomes.tellsFirst(event) { emit(event) }
        }
        return Presentation(id, resolvedContent: content)
    }

    private func filled(_ popup: PopupIndex) -> (content: Value, empty: [String]) {
        let rule = catalog.popups[popup]
        let payload = payloads[queues.tasks.order(of: popup).number] ?? [:]
        var filling = ContentFilling(
            languages: languages, localizedFields: catalog.localizedFields(of: rule)
        ) { [catalog, conditions] name in
            if let field = catalog.triggers.keys[name] {
                return conditions.value(ofKey: field.index)
            }
            guard name.hasPrefix(Placeholder.payloadPrefix) else { return nil }
            return payload[String(name.dropFirst(Placeholder.payloadPrefix.count))]
        }
        let content = filling.fill(rule.content)
        return (content, filling.empty)
    }

    /// The user's, then the one for everybody.
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
    func localizedFields(of rule: PopupRule) -> [String] {
        guard let template = rule.template else { return [] }
        return rules.templates.first { $0.name == template }?.localizedFields ?? []
    }
}
