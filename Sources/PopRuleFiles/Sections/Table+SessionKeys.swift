public import PopSource

/// The section `session`: when a session begins.
public struct SessionModel: Sendable {
    /// After how long in the background.
    public var timeout: Located<Duration>?
}

extension Table<SessionModel> {
    static let session = Table(
        "`session`",
        keys: [
            Key(
                "timeout", format: .duration(atLeast: 1), store: { $0.timeout = $1 },
                alsoCalled: [
                    "time_out", "after", "background", "duration", "length", "expires", "minutes",
                ],
                summary: "the time in the background after which a new session starts"
            ).such(as: "30m").required
        ])
}
