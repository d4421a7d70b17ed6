internal import PopBacktest
internal import PopCEL
internal import PopScheduler

/// The events of popups, as the columns of a table.
struct ReplayTable {
    var users: [String] = []
    /// Microseconds since 1970.
    var times: [Int64] = []
    /// Days since 1970, in the mapping's time zone.
    var days: [Int32] = []
    var popups: [String] = []
    var kinds: [String] = []
    var reasons: [String?] = []
    /// The number of the impression among those of the popup to the user, from 1.
    var ordinals: [Int64?] = []
    var variants: [String?] = []
    var goals: [String?] = []

    mutating func add(_ row: ReplayRow, of user: String, popup: String) {
        users.append(user)
        times.append(row.date.seconds * 1_000_000 + Int64(row.date.nanoseconds) / 1_000)
        days.append(Int32(clamping: row.day))
        popups.append(popup)
        switch row.kind {
        case .shown(let impression): add("shown", ordinal: impression.ordinal)
        case .ended(let reason): add("ended", reason: reason.rawValue)
        case .keptAway(let reason): add("kept_away", reason: reason.rawValue)
        case .exposed(let variant, let isFirst):
            add("exposed", ordinal: isFirst ? 1 : nil, variant: variant)
        case .converted(let goal, let variant): add("converted", variant: variant, goal: goal)
        }
    }

    private mutating func add(
        _ kind: String, reason: String? = nil, ordinal: Int? = nil, variant: String? = nil,
        goal: String? = nil
    ) {
        kinds.append(kind)
        reasons.append(reason)
        ordinals.append(ordinal.map(Int64.init))
        variants.append(variant)
        goals.append(goal)
    }

    /// In the order of the table.
    var columns: [ArrowExport.Column] {
        [
            .init("user", "u", .texts(users)), .init("time", "tsu:UTC", .numbers(times)),
            .init("day", "tdD", .days(days)), .init("popup", "u", .texts(popups)),
            .init("kind", "u", .texts(kinds)), .init("reason", "u", .texts(reasons)),
            .init("ordinal", "l", .numbers(ordinals)), .init("variant", "u", .texts(variants)),
            .init("goal", "u", .texts(goals)),
        ]
    }
}
