internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// The named initial state of a test: a context, and assignments of the user.
struct Persona {
    var context: [String: Value] = [:]
    var draws = ForcedDraws()
    /// The place that puts the user into the holdout; nil if the user isn't held out.
    var heldOut: SourceRange?

    /// The keys of a persona that aren't context keys.
    static let rolloutKey = "rollout"
    static let variantKey = "variant"
    static let holdoutKey = "holdout"
    static let drawKeys = [rolloutKey, variantKey, holdoutKey]
}

/// The choice whether a user is in a random part of the users.
private enum Draw: String, CaseIterable {
    case `in`
    case out
}

extension TestLinker {
    mutating func personas() -> [String: Persona] {
        var personas: [String: Persona] = [:]
        for entry in file.personas.map({ Array($0.value.entries) }) ?? [] {
            guard let name = decoder.name(ofKey: entry.key) else { continue }
            personas[name] = about("persona `\(name)`") { $0.persona(entry) }
        }
        return personas
    }

    private mutating func persona(_ entry: YAMLEntry) -> Persona? {
        guard entry.value.kind == .mapping else {
            return decoder.inside(key: entry.key) { $0.mismatch(.map(.any), at: entry.value) }
        }
        if let inner = contextInside(entry.value) {
            decoder.report(
                .contextInPersona(
                    entry.key, context: inner.key, written: decoder.onOneLine(inner.value)))
            return persona(writtenAt: inner.value)
        }
        return persona(writtenAt: entry.value)
    }

    /// Returns the map of context keys that is nested one level too deep in a persona.
    private func contextInside(_ node: YAMLNode) -> YAMLEntry? {
        node.entries.first { entry in
            guard let name = entry.key.scalar?.text, names.keys[name] == nil else { return false }
            return ["context", "values", "keys", "attributes", "properties"].contains(name)
                && entry.value.kind == .mapping
        }
    }

    /// Returns the persona that a map defines.
    mutating func persona(writtenAt node: YAMLNode) -> Persona {
        // C10. A context key of that name has priority.
        func found(_ name: String) -> YAMLEntry? {
            if names.keys[name] != nil { return nil }
            return node.entries.first { $0.key.scalar?.text == name }
        }
        let rollout = found(Persona.rolloutKey)
        let variant = found(Persona.variantKey)
        let holdout = found(Persona.holdoutKey)
        var persona = Persona()
        persona.context = decoder.contextValues(
            node, keys: names.keys, check: .testUnknownKey,
            passingOver: [rollout, variant, holdout].compactMap { $0?.key.scalar?.text })
        if let rollout { persona.draws.rollouts = rollouts(rollout) }
        if let variant { persona.draws.arms = arms(variant) }
        if let holdout {
            persona.draws.isHeldOut = isHeldOut(holdout)
            persona.heldOut = persona.draws.isHeldOut == true ? holdout.key.range : nil
        }
        return persona
    }

    /// Returns true if a persona is in the holdout; nil, and reports it, if the value is neither
    /// `in` nor `out`.
    private mutating func isHeldOut(_ entry: YAMLEntry) -> Bool? {
        let draw = self.draw(
            entry, help: "write `holdout: in` for a user in the holdout, or `holdout: out`")
        if draw != nil, rules.holdout == nil {
            decoder.report(.noHoldout(at: entry.key.range))
            return nil
        }
        return draw.map { $0 == .in }
    }

    private mutating func draw(_ entry: YAMLEntry, help: String) -> Draw? {
        decoder.inside(key: entry.key) {
            $0.read(.word(Draw.self, help: [help]), at: entry.value)?.value
        }
    }

    private mutating func arms(_ entry: YAMLEntry) -> [String: String] {
        guard entry.value.kind == .mapping else {
            decoder.report(.noArms(at: entry.value.range))
            return [:]
        }
        var arms: [String: String] = [:]
        var parts: [String: (popup: String, part: Assignment.LayerPart)] = [:]
        for entry in entry.value.entries {
            guard let id = name(entry.key), check(isNoExperiment: id), check(popup: id),
                let arm = armName(entry, of: id.value),
                check(arm: arm, of: id)
            else { continue }
            if let other = arms[id.value], other != arm.value {
                decoder.report(.inTwoArms(arm, other: other, of: id.value))
            }
            if let part = layerPart(of: id.value) {
                let other = parts[part.layer]
                if let other, other.part != part {
                    decoder.report(.inTwoExperiments(id, other: other.popup, of: part.layer))
                }
                parts[part.layer] = other ?? (id.value, part)
            }
            for popup in sharingAssignment(with: id.value) { arms[popup] = arm.value }
        }
        return arms
    }

    /// Reads the name of an arm. A value that isn't one of the names is returned as a string,
    /// whatever its type, and then reported as unknown; a value that equals a name must be a
    /// string.
    private mutating func armName(_ entry: YAMLEntry, of popup: String) -> Located<String>? {
        if !entry.value.isNull, let text = entry.value.scalar?.text,
            let arms = names.arms[popup], !arms.contains(text)
        {
            return Located(text, at: entry.value.range)
        }
        return decoder.inside(key: entry.key) { $0.read(.text, at: entry.value) }
    }

    /// Reports the name of a shared experiment: a persona lists popups, even if several share an
    /// experiment.
    private mutating func check(isNoExperiment name: Located<String>) -> Bool {
        let popups = names.experiments.filter { $0.value == name.value }.keys.sorted()
        guard let first = popups.first, !rules.popups.contains(where: { $0.id == name.value })
        else { return true }
        decoder.report(.experimentForPopup(name, popup: first))
        return false
    }

    /// Returns the popups that share an experiment with a popup: a user is in the same arm for all
    /// of them.
    private func sharingAssignment(with popup: String) -> [String] {
        guard let name = names.experiments[popup] else { return [popup] }
        return names.experiments.filter { $0.value == name }.keys.sorted()
    }

    /// Returns the part of a layer that sees the experiment of a popup.
    private func layerPart(of popup: String) -> Assignment.LayerPart? {
        rules.popups.first { $0.id == popup }?.experiment?.assignment.layer
    }

    /// Returns true if a popup has an experiment with an arm of that name; reports it otherwise.
    mutating func check(arm: Located<String>, of popup: Located<String>) -> Bool {
        guard let arms = names.arms[popup.value] else {
            decoder.report(.noExperiment(popup))
            return false
        }
        if arms.contains(arm.value) { return true }
        if names.declaredArms[popup.value]?.contains(arm.value) == true {
            decoder.report(.emptyArm(arm, of: popup.value))
            return false
        }
        var finding = Diagnostic.unknown(
            "variant", name: arm, among: arms, check: .testUnknownKey,
            label: "not a variant in the experiment of `\(popup.value)`", listsNames: false)
        if finding.help.isEmpty {
            finding.help = [
                "use one of its variants: "
                    + arms.sorted().map { "`\($0)`" }.joined(separator: ", ")
            ]
        }
        decoder.report(finding)
        return false
    }

    private mutating func rollouts(_ entry: YAMLEntry) -> [String: Bool] {
        guard entry.value.kind == .mapping else {
            decoder.report(.noRollouts(at: entry.value.range))
            return [:]
        }
        var rollouts: [String: Bool] = [:]
        for entry in entry.value.entries {
            guard let id = name(entry.key), check(popup: id), check(rolloutOf: id),
                let draw = self.draw(
                    entry, help: "write `\(id.value): in` or `\(id.value): out`")
            else { continue }
            rollouts[id.value] = draw == .in
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
    fileprivate static func contextInPersona(
        _ name: YAMLNode, context: YAMLNode, written: String?
    ) -> Self {
        let persona = name.scalar?.text ?? "new_user"
        return Diagnostic(
            .testUnknownKey,
            message: "the context keys of a persona belong directly below its name",
            at: context.range, label: "not a context key",
            help: [
                "write `\(persona): \(written ?? "{ user.plan: free }")`"
            ])
    }

    static func drawInContext(_ entry: YAMLEntry, in source: SourceFile) -> Self {
        let name = entry.key.scalar?.text ?? ""
        let value = source.text(in: entry.value.range)
        let isShort = entry.value.kind == .mapping && !value.contains("\n") && value.count < 60
        let draw = entry.value.scalar.flatMap { Draw(rawValue: $0.text) }
        let shown =
            name == Persona.holdoutKey
            ? (draw ?? .in).rawValue : isShort ? value : "{ … }"
        return Diagnostic(
            .testUnknownKey, message: "`\(name)` is not a context key", at: entry.key.range,
            label: "not declared in the context",
            help: [
                "set the assignment of a user in a persona: `persona: { \(name): \(shown) }`"
            ])
    }

    fileprivate static func noRollouts(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "`rollout` must be a map of popups to `in` or `out`", at: range,
            label: "not a map", help: ["write, for example, `rollout: { paywall: in }`"])
    }

    fileprivate static func experimentForPopup(
        _ name: Located<String>, popup: String
    ) -> Self {
        Diagnostic(
            .testUnknownPopup, message: "`\(name.value)` is an experiment, not a popup",
            at: name.range, label: "not a popup",
            help: [
                "name one of its popups, such as `\(popup)`: the user then has the same variant in"
                    + " its other popups"
            ])
    }

    fileprivate static func inTwoArms(
        _ arm: Located<String>, other: String, of popup: String
    ) -> Self {
        Diagnostic(
            .testImpossible,
            message: "a user cannot be in both `\(other)` and `\(arm.value)` of one experiment",
            at: arm.range, label: "`\(popup)` shares its experiment with a popup above",
            help: ["name one variant, which applies to all popups of the experiment"])
    }

    fileprivate static func inTwoExperiments(
        _ popup: Located<String>, other: String, of layer: String
    ) -> Self {
        Diagnostic(
            .testImpossible,
            message: "a user cannot be in the experiments of both `\(other)` and `\(popup.value)`",
            at: popup.range, label: "experiments of the layer `\(layer)` exclude each other",
            help: ["keep one of them, or write a persona for each"])
    }

    fileprivate static func noHoldout(at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect, message: "the rules have no `holdout`", at: range,
            label: "no user is in a holdout", help: ["remove it here"])
    }

    fileprivate static func noArms(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "`variant` must be a map of popups to variants", at: range,
            label: "not a map", help: ["write, for example, `variant: { paywall: short }`"])
    }

    fileprivate static func emptyArm(_ arm: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .testImpossible, message: "no user is in `\(arm.value)` of `\(popup)`", at: arm.range,
            label: "no users are assigned to this variant",
            help: ["assign users to the variant with `share`, `control` and the weights"])
    }

    fileprivate static func noExperiment(_ id: Located<String>) -> Self {
        Diagnostic(
            .testNoEffect, message: "`\(id.value)` has no `experiment`", at: id.range,
            label: "the same for all users", help: ["remove it here: this popup has no variants"])
    }

    fileprivate static func noRollout(_ id: Located<String>) -> Self {
        Diagnostic(
            .testNoEffect, message: "`\(id.value)` has no `rollout`", at: id.range,
            label: "for all users", help: ["remove it here: no user is excluded from this popup"])
    }
}

// Users who sign in, and the known facts about them.
extension TestLinker {
    mutating func switchUser(_ step: SwitchStep) -> RunnableAction? {
        guard let user = step.user else { return nil }
        if let history = step.history, users.contains(user.value) {
            decoder.report(.knownAlready(user, at: history.range))
        }
        users.insert(user.value)
        let written = step.context.map { $0.value.entries.map { text(of: $0, " = ") } } ?? []
        return RunnableAction(
            action: .switchUser(
                user.value, context: step.context.map { contextValues($0.value) },
                history: step.history.map { history($0.value, before: start) }),
            text: "switch user \(user.value)"
                + (written.isEmpty ? "" : ", \(written.joined(separator: ", "))"))
    }

    mutating func forget(_ user: String) -> [RunnableAction] {
        [RunnableAction(action: .event(.forget(user)), text: "forget \(user)")]
    }

    mutating func putInArms(_ arms: YAMLNode) -> [RunnableAction] {
        arms.entries.compactMap { entry in
            guard let id = name(entry.key), check(popup: id),
                let arm = decoder.inside(key: entry.key, { $0.read(.text, at: entry.value) }),
                check(arm: arm, of: id)
            else { return nil }
            return RunnableAction(
                action: .event(.forceArm(popup: id.value, arm: arm.value)),
                text: "arm \(id.value) = \(arm.value)", range: id.range)
        }
    }
}

extension Diagnostic {
    fileprivate static func knownAlready(_ user: Located<String>, at range: SourceRange) -> Self {
        var diagnostic = Diagnostic(
            .testNoEffect,
            message: "the history of `\(user.value)` is already known: the test had this user"
                + " before",
            at: range, label: "without effect", help: ["remove it"])
        diagnostic.level = .warning
        return diagnostic
    }
}
