internal import PopCEL

/// What a bundle says, as it is written: conditions as CEL text, types, dates and durations as
/// text, references as positions. What is nil has its default.
struct BundledRules: Codable {
    var schedulers: [Scheduler]
    var keys: [Key]
    var events: [Event]
    var conditions: [Condition]
    var groups: [Group]
    var popups: [Popup]

    struct Window: Codable {
        var max: Int
        /// A duration, `calendar_day` or `calendar_week`.
        var per: String
    }

    struct Scheduler: Codable {
        var name: String
        var strategy: String
        var tieBreak: String
        /// The bounds.
        var gap: [String]?
        var maxWaiting: Int?
        var cap: Window?
    }

    struct Key: Codable {
        var name: String
        var type: String
        var defaultValue: TaggedValue?
        var allowedValues: [TaggedValue]?
        var minimum: TaggedValue?
        var maximum: TaggedValue?
    }

    struct Event: Codable {
        struct Field: Codable {
            var name: String
            var type: String
        }
        var name: String
        var fields: [Field]
    }

    struct Condition: Codable {
        var name: String
        var cel: String
    }

    struct Group: Codable {
        var name: String
        var when: String?
        var cap: Window?
    }

    struct Trigger: Codable {
        enum Kind: String, Codable { case start, manual, event, changed }
        var kind: Kind
        var event: Int?
        var `where`: String?
        var nth: Int?
        var every: Int?
        var key: Int?
    }

    struct Schedule: Codable {
        var from: String?
        var until: String?
        /// 0 is Monday.
        var days: [Int]?
        /// Minutes of the day.
        var hours: [Int]?
        var zone: String?
    }

    struct Rollout: Codable {
        var percent: Double
        var key: Int
        var salt: String
    }

    struct Popup: Codable {
        var id: String
        var isOff: Bool?
        var scheduler: Int?
        var group: Int?
        var priority: Int?
        var triggers: [Trigger]
        var when: String?
        var untriggered: String?
        var `switch`: String?
        var after: [Int]?
        var delay: String?
        var grace: String?
        var minShow: String?
        var hideAfter: String?
        var dismissWhen: String?
        var maxWait: String?
        var schedule: Schedule?
        var lifetimeCap: Int?
        var sessionCap: Int?
        var every: String?
        var windows: [Window]?
        var rollout: Rollout?
        var template: String?
        var content: TaggedValue?
        var description: String?
        var owner: String?
        var tags: [String]?
    }
}
