internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories

extension Completion {
    /// Returns the values that are possible after a key, or as an item.
    static func values(
        of schemas: [SchemaPath.Value], at place: CursorPlace, _ site: RequestContext
    ) -> [Completion] {
        schemas.flatMap { schema -> [Completion] in
            // If a key is possible here, its map begins with that key.
            if place.role == .open, schema.isMap { return [] }
            return switch schema {
            case .schema(let schema):
                values(of: schema, at: place, site).filter { $0.label != place.ownPopup }
            case .value(let key): NameList(site).values(ofKey: key)
            case .action(let popup): NameList(site).actions(ofPopup: popup)
            case .valueOfType(let type, let list):
                values(ofTypeBy: type, list: list, at: place, site)
            case .content(let template):
                NameList(site).fields(ofTemplate: template).map(\.inBraces)
            case .payload(let event):
                (site.model?.events[event]?.fields ?? []).map { Completion(payload: $0).inBraces }
            case .top, .comparison, .contentText: []
            }
        }
    }

    /// Returns the values of a list in the same map; without a list, the known values of the key,
    /// or of the type that the map names.
    private static func values(
        ofTypeBy type: String, list: String?, at place: CursorPlace, _ site: RequestContext
    ) -> [Completion] {
        if let text = list.flatMap({ place.beside[$0] }), text.hasPrefix("["), text.hasSuffix("]") {
            let items = text.dropFirst().dropLast().split(separator: ",")
            return items.map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }.map { item in
                let end = item.lastIndex { !$0.isWhitespace } ?? item.startIndex
                return Completion(label: String(item[...end]), kind: .value)
            }
        }
        if place.beside[type] == "bool" { return words(["true", "false"]) }
        guard place.path.count == 3, case .key(let name) = place.path[1] else { return [] }
        return NameList(site).values(ofKey: name)
    }

    private static func values(
        of schema: Schema, at place: CursorPlace, _ site: RequestContext
    ) -> [Completion] {
        switch schema {
        // Only strings are possible between quotes.
        case .list where place.quote != nil, .map where place.quote != nil,
            .table where place.quote != nil:
            return []
        case .bool: return words(["true", "false"])
        case .word(let words):
            let codes = Set(ReasonCode.allCases.map(\.rawValue))
            return words.map {
                Completion(
                    label: $0, kind: .enumMember,
                    documentation: codes.contains($0)
                        ? (ReasonCode(rawValue: $0)?.meaning).map { .message($0) } : nil)
            }
        case .reference("action"): return NameList(site).actions(ofPopup: nil)
        case .reference(let kind): return NameList(site).named(kind)
        case .duration:
            return ["10s", "30s", "5m", "30m", "1h", "12h", "1d", "7d", "30d"].map {
                Completion(label: $0, kind: .value, documentation: "a duration")
            }
        case .condition: return words(["true", "false"])
        case .pattern(let phrase, _) where phrase.contains("time zone"):
            return (["local", "UTC"] + TimeZones.systemNames).map {
                Completion(label: $0, kind: .value, detail: "time zone")
            }
        case .pattern(let phrase, _) where phrase.hasPrefix("a type"):
            let types = CELType.simpleTypes.keys.sorted()
            return words(types + types.map { "list<\($0)>" })
        case .pattern(let phrase, _) where phrase.hasPrefix("a day"):
            return words(["mon-fri"] + weekdayNames)
        case .pattern(let phrase, _):
            // Offers the examples in the phrase.
            let parts = phrase.split(separator: "`", omittingEmptySubsequences: false)
            return parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map {
                Completion(label: String($0.element), kind: .value, detail: phrase)
            }
        case .integer(let range):
            return numbers([range.lowerBound, range.upperBound], of: schema)
        case .number(let range):
            let bounds = [range.lowerBound, range.upperBound].compactMap { Int(exactly: $0) }
            return numbers(bounds, of: schema)
        case .list(let item, _):
            return values(of: item, at: place, site).map { value in
                var value = value
                value.snippet = value.snippet.map { "[\($0)]" } ?? "[\(value.label)$1]"
                return value
            }
        case .table(let table):
            return table.keys.map { Completion($0, of: table, at: place.inBraces).inBraces }
        case .map(let value, .references(let kind)):
            return NameList(site).named(kind, of: place.entry).map { name in
                var item = name
                item.snippet = snippet(
                    for: name.label, schema: value, at: place.inBraces, example: nil)
                return item.inBraces
            }
        case .either(let schemas): return schemas.flatMap { values(of: $0, at: place, site) }
        case .any, .text, .map: return []
        }
    }

    /// Returns the bounds of a number that are likely values.
    private static func numbers(_ bounds: [Int], of schema: Schema) -> [Completion] {
        bounds.filter { (-100...100).contains($0) }.map {
            Completion(label: String($0), kind: .value, detail: schema.phrase, rank: 8)
        }
    }

    /// A key as the first of a map that is not begun yet.
    private var inBraces: Completion {
        var item = self
        let written = snippet ?? label
        item.snippet = "{ \(written.contains("$") ? written : "\(written)$1") }"
        return item
    }

    private static func words(_ words: [String]) -> [Completion] {
        words.map { Completion(label: $0, kind: .keyword) }
    }
}

extension SchemaPath.Value {
    /// Indicates whether such a value can only be a map.
    fileprivate var isMap: Bool {
        switch self {
        case .schema(.table), .schema(.map), .content, .payload: true
        case .schema, .top, .value, .comparison, .contentText, .action, .valueOfType: false
        }
    }
}

extension CursorPlace {
    /// The same place inside a brace.
    fileprivate var inBraces: CursorPlace {
        var place = self
        place.isFlow = true
        return place
    }
}
