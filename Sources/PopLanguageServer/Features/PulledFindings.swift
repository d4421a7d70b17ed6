internal import PopSource

extension Diagnostic {
    /// The finding as the protocol writes it.
    func json(_ places: inout Places) -> JSON {
        var related: [JSON] = []
        for label in secondary {
            if let location = places.location(label.range) {
                related.append(
                    .object(["location": location, "message": .string(label.text)]))
            }
        }
        return .object([
            "range": places.range(range), "severity": .int(severity), "code": .string(check.id),
            "source": "poprules", "message": .string(text),
            "tags": tag.map { .array([.int($0)]) },
            "relatedInformation": related.isEmpty ? nil : .array(related),
        ])
    }

    /// The message, notes, and helps, each on its own line.
    private var text: String {
        let first = label.isEmpty ? message : "\(message): \(label)"
        return ([first] + notes.map { "note: \($0)" } + help.map { "help: \($0)" })
            .joined(separator: "\n")
    }

    private var severity: Int {
        switch level {
        case .error: 1
        case .warning: 2
        case .info, .off: 3
        }
    }

    /// The `DiagnosticTag` of the protocol: what can go, and what is out of date.
    private var tag: Int? {
        if check == .schemaDeprecatedKey { return 2 }
        return Self.unused.contains(check) ? 1 : nil
    }

    private static let unused: Set<Check> = [
        .refUnusedCondition, .refUnusedGroup, .refUnusedKey, .refUnusedDefault,
        .refUnusedExperiment, .refUnusedLimit, .yamlUnusedAnchor, .configUnusedIgnore,
    ]
}

/// Diagnostics for a client that pulls them.
enum PulledFindings {
    static func json(_ site: inout RequestContext, previous: String?) -> JSON {
        let items = site.desk.findings()[site.uri] ?? .array([])
        return report(items, previous: previous)
    }

    static func json(ofWorkspace server: inout LanguageServer, _ parameters: JSON) -> JSON {
        let known = Dictionary(
            (parameters["previousResultIds"]?.items ?? []).compactMap { item in
                item["uri"]?.text.flatMap { uri in item["value"]?.text.map { (uri, $0) } }
            }
        ) { first, _ in first }
        let all = server.desk.findings()
        let uris = Set(all.keys).union(known.keys).sorted()
        return .object([
            "items": .array(
                uris.map { uri in
                    let report = report(all[uri] ?? .array([]), previous: known[uri])
                    guard case .object(let members) = report else { return report }
                    let place: [JSON.Member] = [
                        .init(key: "uri", value: .string(uri)),
                        .init(
                            key: "version",
                            value: server.desk.version(of: uri).map(JSON.int) ?? .null),
                    ]
                    return .object(members + place)
                })
        ])
    }

    private static func report(_ items: JSON, previous: String?) -> JSON {
        let id = resultID(of: items)
        if id == previous {
            return .object(["kind": "unchanged", "resultId": .string(id)])
        }
        return .object(["kind": "full", "resultId": .string(id), "items": items])
    }

    /// The same for the same findings (FNV-1a, 64 bits).
    private static func resultID(of items: JSON) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in items.compact.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
