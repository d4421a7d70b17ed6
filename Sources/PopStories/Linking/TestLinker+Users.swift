internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

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
