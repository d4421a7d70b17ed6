internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// What a test begins with by name: a context, and what is drawn for the user.
struct Persona {
    var context: [String: Value] = [:]
    /// By popup, whether the user is in its rollout.
    var rollouts: [String: Bool] = [:]

    /// The key beside the context keys.
    static let rolloutKey = "rollout"
}

extension TestLinker {
    mutating func personas() -> [String: Persona] {
        var personas: [String: Persona] = [:]
        for entry in file.personas.map({ Array($0.value.entries) }) ?? [] {
            guard let name = entry.key.scalar?.text else { continue }
            personas[name] = about("persona `\(name)`") { $0.persona(entry) }
        }
        return personas
    }

    private mutating func persona(_ entry: YAMLEntry) -> Persona? {
        guard entry.value.kind == .mapping else {
            return decoder.inside(key: entry.key) { $0.mismatch(.map(.any), at: entry.value) }
        }
        // C10. A context key of that name goes first.
        let isKey = names.keys[Persona.rolloutKey] != nil
        let rollout = entry.value.entries.first {
            !isKey && $0.key.scalar?.text == Persona.rolloutKey
        }
        let context = decoder.contextValues(
            entry.value, keys: names.keys, check: .testUnknownKey,
            passingOver: rollout == nil ? nil : Persona.rolloutKey)
        return Persona(context: context, rollouts: rollout.map { rollouts($0) } ?? [:])
    }

    private mutating func rollouts(_ entry: YAMLEntry) -> [String: Bool] {
        guard entry.value.kind == .mapping else {
            decoder.report(.noRollouts(at: entry.value.range))
            return [:]
        }
        var rollouts: [String: Bool] = [:]
        for entry in entry.value.entries {
            guard let id = name(entry.key), check(popup: id), check(rolloutOf: id),
                let draw = name(entry.value)
            else { continue }
            switch draw.value {
            case "in": rollouts[id.value] = true
            case "out": rollouts[id.value] = false
            default: decoder.report(.noDraw(draw, of: id.value))
            }
        }
        return rollouts
    }

    private mutating func check(rolloutOf id: Located<String>) -> Bool {
        if names.rolledOut.contains(id.value) { return true }
        decoder.report(.noRollout(id))
        return false
    }
}

extension Diagnostic {
    fileprivate static func noRollouts(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "`rollout` must be a map of popups to `in` or `out`", at: range,
            label: "not a map", help: ["it is written such as `rollout: { paywall: in }`"])
    }

    fileprivate static func noDraw(_ draw: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .schemaEnum, message: "a user cannot be `\(draw.value)` of a rollout", at: draw.range,
            label: "neither `in` nor `out`",
            help: ["write `\(popup): in` or `\(popup): out`"])
    }

    fileprivate static func noRollout(_ id: Located<String>) -> Self {
        Diagnostic(
            .testNoEffect, message: "`\(id.value)` has no `rollout`", at: id.range,
            label: "for all users", help: ["remove it here; nobody is out of this popup"])
    }
}
