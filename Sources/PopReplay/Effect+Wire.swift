internal import PopCEL
package import PopScheduler
package import PopSource
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

extension HostEvent {
    /// The name of the event as SEMANTICS and the JSON output use it.
    package var name: String {
        switch self {
        case .queued: "queued"
        case .coalesced: "coalesced"
        case .remembered: "remembered"
        case .notMade: "notMade"
        case .willShow: "willShow"
        case .postponed: "postponed"
        case .exposed: "exposed"
        case .shown: "shown"
        case .acted: "acted"
        case .converted: "converted"
        case .willDismiss: "willDismiss"
        case .requeued: "requeued"
        case .dismissed: "dismissed"
        case .discarded: "discarded"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .conditionError: "conditionError"
        case .zoneUnknown: "zoneUnknown"
        case .emptyPlaceholder: "emptyPlaceholder"
        case .animationTimeout: "animationTimeout"
        case .rejected: "rejected"
        }
    }

    /// The reason why a task wasn't created, why a popup is dismissed, or why a task has ended; nil
    /// for other events.
    package var reason: ReasonCode? {
        switch self {
        case .notMade(_, let reason), .willDismiss(_, let reason): reason
        case .queued, .coalesced, .remembered, .willShow, .postponed, .exposed, .shown, .acted,
            .converted, .requeued, .dismissed, .discarded, .cancelled, .failed, .conditionError,
            .zoneUnknown,
            .emptyPlaceholder,
            .animationTimeout, .rejected:
            ending
        }
    }

    /// Further details in words.
    package var message: String? {
        switch self {
        case .failed(_, let message): message
        case .conditionError(_, let role, let error): "\(role.rawValue): \(error.message)"
        case .zoneUnknown(let key, let text): zoneText(text, of: key)
        case .emptyPlaceholder(_, let name): "`{{\(name)}}` has no value and is left empty"
        case .acted(_, let action): action
        case .converted(_, let goal, let variant): variant.map { "\(goal), from \($0)" } ?? goal
        case .postponed(_, let duration): "by \(timeText(duration))"
        case .exposed(_, let variant, let isFirst):
            isFirst ? "\(variant), for the first time" : variant
        case .rejected(let rejection): rejection.text
        case .queued, .coalesced, .remembered, .notMade, .willShow, .shown, .willDismiss,
            .requeued, .dismissed, .discarded, .cancelled, .animationTimeout:
            nil
        }
    }

    private var variant: String? {
        if case .exposed(_, let variant, _) = self {
            variant
        } else if case .converted(_, _, let variant) = self {
            variant
        } else {
            nil
        }
    }

    private var isFirst: Bool? {
        if case .exposed(_, _, let isFirst) = self { isFirst } else { nil }
    }

    private var goal: String? {
        if case .converted(_, let goal, _) = self { goal } else { nil }
    }

    private func zoneText(_ text: String?, of key: String) -> String {
        let value = text.map { "is \"\($0)\", which is not a time zone" } ?? "is not a time zone"
        return "`\(key)` \(value): the time zone of the device is used"
    }

    /// The members of the event's JSON for programs.
    package var members: [JSON.Member] {
        let members: KeyValuePairs<String, JSON?> = [
            "event": .string(name), "popup": popup.map { .string($0) },
            "scheduler": task.map { .string($0.scheduler) }, "task": task.map { .int($0.number) },
            "reason": reason.map { .string($0.rawValue) },
            "goal": goal.map { .string($0) }, "variant": variant.map { .string($0) },
            "isFirst": isFirst.map { .bool($0) }, "message": message.map { .string($0) },
        ]
        return members.compactMap { key, value in value.map { JSON.Member(key: key, value: $0) } }
    }
}

extension Rejection {
    fileprivate var text: String {
        switch self {
        case .unknownPopup(let id): "there is no popup `\(id)`"
        case .unknownScheduler(let name): "there is no scheduler `\(name)`"
        case .unknownKey(let name): "the context key `\(name)` is not declared"
        case .unknownEvent(let name): "the event `\(name)` is not declared"
        case .badValue(let key, let message): "`\(key)`: \(message)"
        case .badPayload(let event, let field, let message): "`\(event)`, `\(field)`: \(message)"
        case .unknownVariant(let popup, let variant):
            "the popup `\(popup)` has no experiment with a variant `\(variant)`"
        case .notShowing(let id): "`\(id)` is not shown, or the user has already ended it"
        case .unknownAction(let id, let action):
            "the template of `\(id)` declares no action `\(action)`"
        case .unknownZone(let name): "there is no time zone `\(name)`"
        case .badContent(let popup, let field, let message): "`\(popup)`, `\(field)`: \(message)"
        case .idTaken(let id): "the id `\(id)` is already used by a popup in the rules"
        case .tooManyForeignPopups: "too many hand-made popups are waiting"
        }
    }
}
