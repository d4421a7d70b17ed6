internal import PopCEL

/// The possible meanings of a time that is compared with a duration.
enum MomentDistance {
    /// Returns each meaning with its notation: the time is in the past, or in the future. Times
    /// that the engine remembers are in the past.
    static func all(
        of moment: String, sign: String, opposite: String, length: String
    ) -> [(help: String, text: String)] {
        let isLess = sign.hasPrefix("<")
        let past = "now - \(moment)"
        let ago: [(help: String, text: String)] = [
            (
                isLess ? "if it was more recent" : "if it was longer ago",
                "\(past) \(sign) \(length)"
            ),
            (
                isLess ? "if it was longer ago" : "if it was more recent",
                "\(past) \(opposite) \(length)"
            ),
        ]
        let isPast = ["popups.", "last_event", "last_acted"].contains { moment.hasPrefix($0) }
        if isPast { return ago }
        let ahead = "\(moment) - now \(sign) \(length)"
        return ago + [
            isLess
                ? ("if it will be within that time", "\(moment) > now && \(ahead)")
                : ("if it will be later than that", ahead)
        ]
    }
}
