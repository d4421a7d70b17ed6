internal import PopCEL
internal import PopScheduler
public import PopSource
internal import PopYAML

extension PopupModel {
    /// The place of the popup among others.
    public struct Place: HasUsualValue {
        /// The name of an entry of `schedulers`; nil is `main`.
        public var scheduler: Located<String>?
        /// True if it preempts any popup of lower priority; nil is no.
        public var isUrgent: Located<Bool>?
        /// True if it is shown to all users, regardless of shared caps; nil is no.
        public var isEssential: Located<Bool>?
        /// The name of an entry of `groups`.
        public var group: Located<String>?
        /// Popups that must have been shown before, and dismissed.
        public var after: Located<[PredecessorModel]>?

        @usableFromInline package init() {}
    }
}

extension Table<PopupModel> {
    static var order: [Key<PopupModel>] {
        [
            Key(
                "enabled", format: .bool, default: "true", store: { $0.isEnabled = $1 },
                alsoCalled: [
                    "active", "is_enabled", "is_active", "published", "live", "disabled",
                    "is_disabled", "hidden", "paused",
                ],
                summary: "whether the popup is enabled (default)"
            ).such(as: ["disabled": "!", "is_disabled": "!", "hidden": "!", "paused": "!"])
                .comes { .bool($0.isEnabled) },
            Key(
                "scheduler", format: .reference(to: "scheduler"), default: RuleModel.mainScheduler,
                store: { $0.place.scheduler = $1 },
                alsoCalled: ["lane", "queue", "surface", "channel", "slot"],
                summary: "the scheduler that shows it, by default `main`"),
            Key(
                "group", format: .oneGroup, store: { $0.place.group = $1 },
                summary: "the group whose condition and cap also apply to it"),
            Key(
                "priority", format: .priority, default: "normal", store: { $0.priority = $1 },
                alsoCalled: [
                    "importance", "weight", "order", "rank", "urgency", "level", "position",
                    "index", "z_index", "score",
                ],
                summary: "how urgent it is: a name or an integer, higher shows first"
            ).such(as: ["order": "", "rank": "", "position": "", "index": "", "level": ""]),
            Key(
                "untriggered", format: .word(PopupRule.Untriggered.self), default: "await",
                store: { $0.untriggered = $1 },
                summary:
                    "whether it keeps waiting (default) or is dropped if it can't show on its turn"
            ).comes { .string($0.untriggered.rawValue) },
            Key(
                "switch", format: .word(PopupRule.Switch.self, help: wordsOfSwitch),
                default: "await",
                store: { $0.switch = $1 },
                alsoCalled: [
                    "on_preempt", "preempt", "when_preempted", "on_interrupt", "on_replaced",
                ],
                summary: "what happens while it shows and a popup of higher `priority` may show:"
                    + " the other popup waits (default), this popup gives way and comes back, or"
                    + " this popup is dropped"
            ).comes { .string($0.switch.rawValue) },
            Key(
                "urgent", format: .bool, default: "false", store: { $0.place.isUrgent = $1 },
                alsoCalled: ["critical", "force", "interrupts", "immediate"],
                summary: "whether it replaces any visible popup of lower priority, regardless of"
                    + " that popup's `switch` and `min_show`"
            ).comes { .bool($0.isUrgent) },
            Key(
                "essential", format: .bool, default: "false",
                store: { $0.place.isEssential = $1 },
                alsoCalled: ["mandatory", "always", "important", "legal", "no_holdout"],
                summary: "whether it also shows to users in the `holdout` and in `quiet` hours, and"
                    + " is exempt from the caps of groups, schedulers and `limits`"
            ).comes { .bool($0.isEssential) },
            Key(
                "after", format: .predecessors, default: "[]", store: { $0.place.after = $1 },
                alsoCalled: [
                    "depends_on", "requires", "follows", "wait_for", "needs", "prerequisites",
                ],
                summary: "the popups that must have been shown and dismissed before, or have ended"
                    + " with an action"
            ),
        ]
    }
}

extension Format<String> {
    /// The name of a group; of several only one can be that of a popup.
    fileprivate static var oneGroup: Self {
        let name = Self.reference(to: "group")
        return Format(name.schema) { node, decoder in
            guard let first = node.items.first?.scalar?.text, node.items.count > 1 else {
                return decoder.read(name, at: node)?.value
            }
            return decoder.mismatch(
                name.schema, at: node,
                help: [
                    "a popup is in one group, such as `group: \(first)`: write the conditions of"
                        + " the others into its `when`, and their caps into its"
                        + " `cap: { windows: [{ max: 1, per: 1d }] }`, where they count this popup"
                        + " alone"
                ])
        }
    }
}

private let wordsOfSwitch = [
    "it stands in the popup that gives way: with `latent` it comes back, with `discard` it is"
        + " dropped, and with `await` it stays until it is over"
]
