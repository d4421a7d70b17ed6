import PopAdvice
import PopCEL

/// A condition that is measured.
struct MeasuredCondition: Sendable {
    var name: String
    var text: String
    /// The same, written by hand: the limit of what can be reached.
    var closure: @Sendable (Values) -> Bool
}

/// The values that the conditions read, as a struct of an app.
struct Values: Sendable {
    var userIsNew = true
    var screen = "home"
    var userAge = 30
    var country = "FR"
    var plan = "free"
    var sessions = 6
    var dismissedCount = 1
    var lastSeenDays = 10
    var tags = ["new", "trial", "beta"]
    var name = "anna"
    var items = ["one", "two", "three"]
}

/// The values make every operand count.
let measuredConditions = [
    MeasuredCondition(name: "E1", text: #"user_is_new && screen == "home""#) {
        $0.userIsNew && $0.screen == "home"
    },
    MeasuredCondition(
        name: "E2",
        text: #"user_age >= 18 && user_age < 65 && country in ["US","CA","GB","DE","FR"]"#
    ) {
        $0.userAge >= 18 && $0.userAge < 65
            && ($0.country == "US" || $0.country == "CA" || $0.country == "GB"
                || $0.country == "DE" || $0.country == "FR")
    },
    MeasuredCondition(
        name: "E3",
        text: """
            plan == "pro" || (sessions > 5 && !(dismissed_count >= 3) && last_seen_days <= 30)
            """
    ) {
        $0.plan == "pro"
            || ($0.sessions > 5 && !($0.dismissedCount >= 3) && $0.lastSeenDays <= 30)
    },
    MeasuredCondition(
        name: "E4",
        text: #"tags.exists(t, t == "beta") && name.startsWith("a") && size(items) > 2"#
    ) {
        $0.tags.contains { $0 == "beta" } && $0.name.hasPrefix("a") && $0.items.count > 2
    },
]

extension Values {
    /// As the context of an app.
    var context: [String: Value] {
        [
            "user_is_new": .bool(userIsNew), "screen": .string(screen),
            "user_age": .int(Int64(userAge)), "country": .string(country), "plan": .string(plan),
            "sessions": .int(Int64(sessions)), "dismissed_count": .int(Int64(dismissedCount)),
            "last_seen_days": .int(Int64(lastSeenDays)),
            "tags": .list(tags.map { .string($0) }), "name": .string(name),
            "items": .list(items.map { .string($0) }),
        ]
    }

    /// The environment with the declarations of the context.
    static var environment: Environment {
        var environment = Environment()
        environment.advice = .full
        for (name, value) in Values().context.sorted(by: { $0.key < $1.key }) {
            let type: CELType = if case .list = value { .list(.string) } else { value.type }
            environment.declare(Variable(name, type: type))
        }
        return environment
    }
}
