internal import PopScheduler
public import PopSource
internal import PopYAML

/// The pause of a popup after a user closed it, refused it or used an action of it.
public struct PauseAfterCloseModel: Sendable {
    /// After it was closed or refused in any way; nil if each action has its own pause.
    public var all: Located<Duration>?
    /// After actions of its template, and after `close`, which is for all other ways to close and
    /// refuse it.
    public var actions: [(name: Located<String>, pause: Located<Duration>)] = []
}

extension PauseAfterClose {
    init(_ model: PauseAfterCloseModel) {
        self.init(model.all?.value ?? .zero)
        for (name, pause) in model.actions {
            if name.value == TemplateRule.Action.close {
                close = pause.value
            } else {
                actions[name.value] = pause.value
            }
        }
    }
}

extension Format<PauseAfterCloseModel> {
    /// A duration, or a map of actions to durations.
    static var pauseAfterClose: Self {
        let pause = Format<Duration>.duration(atLeast: 1)
        let schema = Schema.either([pause.schema, .map(pause.schema)])
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                let all = decoder.duration(node, atLeast: 1, schema: schema)
                return all.map { PauseAfterCloseModel(all: Located($0, at: node.range)) }
            }
            if node.entries.isEmpty { decoder.report(.noPauses(at: node.range)) }
            var model = PauseAfterCloseModel()
            for entry in node.entries {
                guard let name = decoder.read(.text, at: entry.key) else { continue }
                let length = decoder.inside(key: entry.key) { $0.read(pause, at: entry.value) }
                if let length { model.actions.append((name, length)) }
            }
            return model
        }
    }
}

extension Diagnostic {
    fileprivate static func noPauses(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "`after_close` is empty", at: range, label: "no keys",
            help: ["write a duration, such as `{ close: 14d }`, or remove the line"])
    }
}
