internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopWire

extension Effect {
    /// An object whose `effect` is the name of the case.
    var wire: JSON {
        switch self {
        case .askWillShow(let presentation):
            .kind(
                "askWillShow", under: "effect",
                [
                    "presentation": presentation.id.wire,
                    "variant": presentation.variant.map { .string($0) },
                ])
        case .present(let presentation):
            .kind(
                "present", under: "effect",
                [
                    "presentation": presentation.id.wire,
                    "variant": presentation.variant.map { .string($0) },
                    "template": presentation.template.map { .string($0) },
                    "content": WireForm<Value>.value.write(presentation.content),
                    "resolvedContent": presentation.resolvedContent == presentation.content
                        ? nil : WireForm<Value>.value.write(presentation.resolvedContent),
                ])
        case .dismiss(let presentation):
            .kind("dismiss", under: "effect", ["presentation": presentation.wire])
        case .record(let record, let user):
            .kind(
                "record", under: "effect",
                ["user": .string(user), "record": record.wire])
        case .emit(let event):
            .kind("emit", under: "effect", ["told": .object(event.members)])
        }
    }
}

extension PresentationID {
    fileprivate var wire: JSON { WireForm<PresentationID>.presentation.write(self) }
}

extension PopupExplanation {
    /// The explanation of why a popup shows or doesn't, for programs.
    var wire: JSON {
        .object([
            "popup": .string(popup), "state": .string(stateName),
            "reason": reason.map { .string($0.rawValue) }, "task": task.map { .int($0.number) },
            "scheduler": .string(scheduler), "position": position.map { .int($0) },
            "waiting": .int(waiting), "occupant": occupant.map { .string($0) },
            "isSettling": isSettling ? true : nil,
            "until": until.map(WireForm<Timestamp>.date.write),
            "awaited": awaited.isEmpty ? nil : .array(awaited.map { .string($0) }),
            "role": role.map { .string($0.rawValue) }, "condition": condition?.root?.wire,
            "event": filter.map { .string($0.event) },
            "leaving": leaving.map { .string($0.rawValue) },
            "lastEnding": lastEnding.map { .string($0.rawValue) },
            "obstacle": obstacle.map { .string($0.reason.rawValue) },
        ])
    }

    private var stateName: String {
        switch state {
        case .absent: "absent"
        case .waiting: "waiting"
        case .chosen: "chosen"
        case .presenting: "presenting"
        case .showing: "showing"
        case .dismissing: "dismissing"
        }
    }
}

extension Explanation.Part {
    fileprivate var wire: JSON {
        var value: JSON?
        var error: JSON?
        switch result {
        case .success(let result): value = WireForm<Value>.value.write(result)
        case .failure(let failure): error = .string(failure.message)
        case nil: break
        }
        return .object([
            "text": .string(text), "value": value, "error": error, "needed": .bool(wasNeeded),
            "parts": parts.isEmpty ? nil : .array(parts.map { $0.wire }),
        ])
    }
}
