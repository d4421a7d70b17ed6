internal import PopCEL
internal import PopExplanations
internal import PopReplay
internal import PopScheduler
internal import PopSource
internal import PopStories

/// The words of the engine's answers, with places in braces that the page fills in: they are
/// written once, where commands have them.
enum PageText {
    static var json: JSON {
        .object([
            "reasons": .object(
                ReasonCode.allCases.map {
                    JSON.Member(key: $0.rawValue, value: .string($0.meaning))
                }),
            "endings": .object(
                ReasonCode.allCases.map { code in
                    let ending = PictureEnding(code)
                    return JSON.Member(
                        key: code.rawValue,
                        value: .object([
                            "class": .string(ending.rawValue), "sign": .string(ending.sign),
                        ]))
                }),
            "ready": codes { $0.kind == .ready },
            "aboutConditions": codes { code in
                if case .condition = code.kind { true } else { false }
            },
            "states": .object(
                states.map { JSON.Member(key: $0.name, value: .string($0.state.words)) }),
            "events": .object(
                events.map { event in
                    JSON.Member(
                        key: event.name,
                        value: .string(
                            (event.words ?? "").replacing(Self.reason.words, with: "{reason}")))
                }),
        ])
    }

    private static func codes(where isOne: (ReasonCode) -> Bool) -> JSON {
        .array(ReasonCode.allCases.filter(isOne).map { .string($0.rawValue) })
    }

    /// A placeholder for any reason.
    private static let reason = ReasonCode.cancelled

    private static let states: [(name: String, state: PopupExplanation.State)] = [
        ("chosen", .chosen), ("presenting", .presenting), ("showing", .showing),
    ]

    private static let events: [HostEvent] = {
        let task = TaskID(popup: "{popup}", scheduler: "", number: 0)
        return [
            .queued(task), .coalesced(task), .remembered(task),
            .notMade(popup: "{popup}", reason),
            .exposed(task, variant: "{variant}", isFirst: false), .shown(task),
            .acted(task, "{message}"),
            .converted(popup: "{popup}", goal: "{goal}", variant: nil),
            .requeued(task), .dismissed(task, reason), .discarded(task, reason),
            .cancelled(task), .failed(task, message: "{message}"),
        ]
    }()
}
