internal import PopSource
internal import PopYAML

/// The levels by the names that authors write.
private enum LevelWord: String, CaseIterable, Sendable {
    case error
    case warning
    case info
    case off

    var level: Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .off: .off
        }
    }
}

extension Format<[Configuration.CheckLevel]> {
    /// A map from checks to levels; groups first, so that a check wins over its group.
    static var checkLevels: Self {
        let schema = Schema.map(.word(LevelWord.allCases.map(\.rawValue)))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(schema, at: node, readings: levelReadings(node))
            }
            var levels: [Configuration.CheckLevel] = []
            var earlier: [Check: (level: LevelWord, place: SourceRange)] = [:]
            for entry in node.entries {
                guard let name = decoder.name(ofKey: entry.key) else { continue }
                let level = decoder.inside(key: entry.key) {
                    $0.read(.word(LevelWord.self), at: entry.value)
                }
                let check = Check.named(name)
                let checks = check.map { [$0] } ?? Check.byGroup[name] ?? []
                if checks.isEmpty {
                    decoder.report(
                        .unknownCheck(
                            name, at: entry.key.range,
                            similar: decoder.suggestions(
                                for: name, among: Check.namesAndGroups)))
                } else if let level {
                    if let check {
                        if level.value == .off, check.isAlwaysTold {
                            decoder.report(.lowestLevel(of: name, at: entry.value.range))
                        }
                        if let first = earlier[check], first.level != level.value {
                            decoder.report(
                                .twoLevels(of: check, at: entry.key.range, first: first.place))
                        }
                        earlier[check] = (level.value, entry.key.range)
                    }
                    levels.insert(
                        .init(checks: Set(checks), level: level.value.level),
                        at: check == nil ? 0 : levels.endIndex)
                }
            }
            return levels
        }
    }
}

/// Returns the likely meaning of a list of checks without levels; none for anything else.
private func levelReadings(_ node: YAMLNode) -> [Reading] {
    let names = node.items.compactMap(\.scalar?.text)
    guard !names.isEmpty, names.count == node.items.count, Set(names).count == names.count,
        names.allSatisfy({ Check.named($0) != nil || Check.byGroup[$0] != nil })
    else { return [] }
    let text = "{ \(names.map { "\($0): off" }.joined(separator: ", ")) }"
    return [Reading(text, meaning: "if these checks must be off", isExact: false)]
}

extension Check {
    /// The ids and names of all checks.
    static let names = all.flatMap { [$0.id, $0.name] }

    fileprivate static let byGroup = Dictionary(grouping: all) { String($0.group) }
    fileprivate static let namesAndGroups = names + byGroup.keys.sorted()
}

extension Diagnostic {
    /// The level of a check that cannot be switched off.
    fileprivate static func lowestLevel(of name: String, at range: SourceRange) -> Self {
        var diagnostic = Diagnostic(
            .schemaEnum, message: "`\(name)` cannot be switched off", at: range,
            label: "counts as `info`",
            help: ["use `info`, the lowest level of this check"],
            fixes: [.rename(range, to: "info")])
        diagnostic.level = .warning
        return diagnostic
    }

    /// Two levels of one check.
    fileprivate static func twoLevels(
        of check: Check, at range: SourceRange, first: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlDuplicateKey,
            message: "`\(check.id)` and `\(check.name)` are the same check, with two levels",
            at: range, label: "this level counts",
            secondary: [Label("has no effect", at: first)],
            help: ["remove one of the two lines"])
        diagnostic.level = .warning
        return diagnostic
    }
}
