/// The part of the rules that a condition belongs to.
enum Owner: Sendable {
    /// The `when` of a popup.
    case popup(String)
    /// The `dismiss_when` of a popup.
    case dismissal(popup: String)
    /// The `when` in the schedule of a popup.
    case schedule(popup: String)
    /// The `where` of a trigger of a popup.
    case trigger(popup: String)
    /// The `where` of a goal of a popup.
    case goal(String, popup: String)
    case group(String)
    /// A named condition.
    case condition(String)
}

extension Owner {
    /// The subject of a finding.
    var subject: String {
        switch self {
        case .popup(let popup), .dismissal(let popup), .schedule(let popup), .trigger(let popup),
            .goal(_, let popup):
            "popup `\(popup)`"
        case .group(let group): "group `\(group)`"
        case .condition(let name): "condition `\(name)`"
        }
    }

    /// The consequence if the condition is never true.
    var never: String {
        switch self {
        case .popup: "so the popup never shows"
        case .dismissal: "so `dismiss_when` never dismisses the popup"
        case .schedule: "so this entry of the schedule never applies"
        case .trigger: "so no event matches"
        case .goal(let name, _): "so the goal `\(name)` is never reached"
        case .group: "so no popup of the group ever shows"
        case .condition(let name): "so `\(name)` is never true"
        }
    }

    /// The consequence if the condition is always true.
    var always: String {
        switch self {
        case .popup: "so `when` excludes no user"
        case .dismissal: "so the popup never shows"
        case .schedule: "so the schedule is the same without it"
        case .trigger: "so every event matches"
        case .goal: "so every event counts"
        case .group: "so it excludes no user from the popups of the group"
        case .condition(let name): "so `\(name)` is the same for all users"
        }
    }

    /// The text that follows "required by".
    var place: String {
        switch self {
        case .popup: "`when`"
        case .dismissal: "`dismiss_when`"
        case .schedule: "the schedule"
        case .trigger, .goal: "`where`"
        case .group(let name): "the group `\(name)`"
        case .condition(let name): "`\(name)`"
        }
    }
}
