internal import PopRuleFiles
internal import PopSource

/// The declarations of files.
enum Symbols {
    static func json(_ site: inout RequestContext) -> JSON {
        let outline = site.outline
        var sections: [(mark: FileOutline.Mark, name: String, children: [Mention])] = []
        for mark in outline.marks {
            switch mark.kind {
            case .topLevel(let key): sections.append((mark, key.name, []))
            case .declares(let kind, let name, nil, let whole):
                guard !sections.isEmpty else { continue }
                sections[sections.count - 1].children.append(
                    Mention(kind: kind, name: name, range: mark.range, whole: whole))
            case .declares, .key, .names, .expression, .placeholder, .word: continue
            }
        }
        guard site.client.nestsSymbols else {
            return .array(
                sections.flatMap(\.children).map { child in
                    .object([
                        "name": .string(child.name), "kind": .int(number(of: child.kind)),
                        "location": .object([
                            "uri": .string(site.uri), "range": site.lines.json(child.range),
                        ]),
                    ])
                })
        }
        return .array(
            sections.map { section in
                let end = section.children.compactMap(\.whole?.upperBound).max()
                let whole =
                    section.mark.range.lowerBound..<max(section.mark.range.upperBound, end ?? 0)
                return symbol(
                    section.name, kind: 3, range: whole, name: section.mark.range,
                    lines: site.lines,
                    children: section.children.map { child in
                        symbol(
                            child.name, kind: number(of: child.kind),
                            range: child.whole ?? child.range, name: child.range, lines: site.lines)
                    })
            })
    }

    private static func symbol(
        _ text: String, kind: Int, range: Range<Int>, name: Range<Int>, lines: TextLines,
        children: [JSON] = []
    ) -> JSON {
        .object([
            "name": .string(text), "kind": .int(kind), "range": lines.json(range),
            "selectionRange": lines.json(name),
            "children": children.isEmpty ? nil : .array(children),
        ])
    }

    /// Returns the symbols of the workspace whose name contains the letters of the query in their
    /// order.
    static func json(ofWorkspace server: inout LanguageServer, query: String) -> JSON {
        var found: [JSON] = []
        var seen: Set<String> = []
        for index in server.desk.projects.indices {
            for file in server.desk.projects[index].sources.files {
                guard let uri = server.desk.uri(of: file.path), seen.insert(uri).inserted else {
                    continue
                }
                let lines = server.desk.lines(of: file)
                for mark in server.desk.projects[index].outline(of: file).marks {
                    guard case .declares(let kind, let name, nil, _) = mark.kind,
                        isFound(query, in: name)
                    else { continue }
                    found.append(
                        .object([
                            "name": .string(name), "kind": .int(number(of: kind)),
                            "containerName": .string(kind),
                            "location": .object([
                                "uri": .string(uri), "range": lines.json(mark.range),
                            ]),
                        ]))
                    if found.count == server.limits.symbols { return .array(found) }
                }
            }
        }
        return .array(found)
    }

    private static func isFound(_ query: String, in name: String) -> Bool {
        var rest = name.lowercased()[...]
        for letter in query.lowercased() where letter != " " {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    /// The `SymbolKind` of the protocol that comes nearest.
    static func number(of kind: String) -> Int {
        switch kind {
        case "popup": 5
        case "context key": 13
        case "event": 24
        case "named condition": 12
        case "template": 23
        case "scheduler", "layer", "group": 3
        case "test": 6
        case "persona": 19
        default: 14
        }
    }
}

/// Which popups come after which: `after` as calls.
enum CallHierarchy {
    static func items(_ site: inout RequestContext) -> JSON {
        guard let mention = site.mention, mention.kind == "popup",
            let popup = site.model?.popups[mention.name],
            let item = item(popup, model: site.model, desk: site.desk)
        else { return .null }
        return .array([item])
    }

    private static func item(_ popup: PopupModel, model: RuleModel?, desk: ServerState) -> JSON? {
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
