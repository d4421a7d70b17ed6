internal import PopRuleFiles
internal import PopSource

/// Which popups come after which: `after` as calls.
enum CallHierarchy {
    static func items(_ site: inout Site) -> JSON {
        guard let mention = site.mention, mention.kind == "popup",
            let popup = site.model?.popups[mention.name],
            let item = item(popup, model: site.model, desk: site.desk)
        else { return .null }
        return .array([item])
    }

    private static func item(_ popup: PopupModel, model: RuleModel?, desk: Desk) -> JSON? {
        guard let model else { return nil }
        var places = Places(sources: model.sources, desk: desk)
        guard let uri = places.uri(of: popup.name.range.file) else { return nil }
        let range = places.range(popup.name.range)
        return .object([
            "name": .string(popup.name.value), "kind": .int(Symbols.number(of: "popup")),
            "detail": "popup", "uri": .string(uri), "range": range, "selectionRange": range,
        ])
    }

    /// Incoming calls are the popups that follow a popup, outgoing ones those that it follows.
    static func calls(_ server: inout LanguageServer, of item: JSON, isIncoming: Bool) -> JSON {
        guard let name = item["name"]?.text,
            let path = item["uri"]?.text.flatMap({ DocumentURI.path(of: $0) }),
            let index = server.desk.projects(with: path).first,
            let set = server.desk.projects[index].ruleSets(of: path).first,
            let model = server.desk.projects[index].model(set)
        else { return .array([]) }
        var places = Places(sources: model.sources, desk: server.desk)
        var calls: [JSON] = []
        for popup in model.popups.entries {
            for predecessor in popup.place.after?.value ?? [] {
                let other = predecessor.popup
                let isWanted = isIncoming ? other.value == name : popup.name.value == name
                guard isWanted,
                    let end = isIncoming ? popup : model.popups[other.value],
                    let item = Self.item(end, model: model, desk: server.desk)
                else { continue }
                calls.append(
                    .object([
                        isIncoming ? "from" : "to": item,
                        "fromRanges": .array([places.range(other.range)]),
                    ]))
            }
        }
        return .array(calls)
    }
}
