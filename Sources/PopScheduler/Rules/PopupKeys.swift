internal import PopCEL
internal import PopSource

/// What a rule consists of.
struct PopupKeys: Sendable {
    var id: String
    var isEnabled = true
    var scheduler = 0
    var group: Int?
    var priority = PopupRule.normalPriority
    var triggers = PopupKeys.startAlone
    var when: Condition?
    var untriggered = PopupRule.Untriggered.await
    var `switch` = PopupRule.Switch.await
    var after: [Int] = []
    var delay = Duration.zero
    var grace = Duration.zero
    var minShow = Duration.zero
    var template: String?
    var content = PopupKeys.noContent
    var description: String?
    var owner: String?
    var tags: [String] = []
    var range: SourceRange
    var rare = RareKeys.none

    init(id: String, at range: SourceRange) {
        self.id = id
        self.range = range
    }

    // One of each for all that have no other.
    private static let startAlone: [Trigger] = [.start]
    private static let noContent = Value.map([:])
}

/// Keys behind one reference: a rule is handed out whenever its popup is to be shown, and its ten
/// references would be counted each time.
///
/// Unchecked, because the keys can be set. `PopupRule` sets them only while no other rule refers to
/// them.
final class SharedKeys: @unchecked Sendable {
    var keys: PopupKeys

    init(_ keys: PopupKeys) { self.keys = keys }
}

/// What few popups have: behind one reference, which those that have none of it share. A rule
/// without takes half the memory, and the scheduler looks at as many fewer cache lines.
final class RareKeys: Sendable {
    struct Values: Sendable {
        var hideAfter: Duration?
        var dismissWhen: Condition?
        var maxWait: Duration?
        var schedule: Schedule?
        var caps = Caps.none
        var rollout: Rollout?
    }

    let values: Values

    init(_ values: Values) { self.values = values }

    static let none = RareKeys(Values())

    func changing(_ body: (inout Values) -> Void) -> RareKeys {
        var values = values
        body(&values)
        return RareKeys(values)
    }
}
