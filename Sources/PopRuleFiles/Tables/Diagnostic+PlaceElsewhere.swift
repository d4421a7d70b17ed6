internal import PopSource
internal import PopYAML

extension Diagnostic {
    /// Help on where to write the meaning of a key that does not belong in this map; nil for other
    /// keys.
    static func placeElsewhere(_ entry: YAMLEntry, in table: TableSchema) -> String? {
        let name = entry.key.nameForMessages.foldedForNames
        if table.title == Table.popup.title, namesOfHeirs.contains(name) {
            return
                "use `defaults` of the file or of the group for values that popups share, because a"
                + " popup cannot inherit from another popup"
        }
        if table.title == Table.popup.title, namesOfExclusions.contains(name) {
            let condition = entry.value.scalar.map { $0.text.replacing("\"", with: "'") }
            return "use `when` with the opposite condition, such as"
                + " `when: \"!(\(condition?.shortened ?? "user.plan == 'pro'"))\"`"
        }
        if table.title == Table.popup.title, namesOfClosing.contains(name) {
            return "remove `\(entry.key.nameForMessages)`, because your app decides whether a popup"
                + " has a close button; to end the popup without the user, use `hide_after: 5s` or"
                + " `dismiss_when` with a condition"
        }
        if table.title == Table.holdout.title, namesOfExclusions.contains(name) {
            return "remove `\(entry.key.nameForMessages)`, and set `essential: true` in each popup"
                + " that users in the holdout should see too"
        }
        if table.title == Table.variant.title, homes(of: name).contains(Table.popup.title) {
            return "set `\(entry.key.nameForMessages)` in the popup itself, because variants"
                + " differ only in `template` and `content`; for another `\(name)`, use two popups"
                + " with `rollout: { range: [0, 50], by: user.id, salt: test }` and"
                + " `rollout: { range: [50, 100], by: user.id, salt: test }`"
        }
        if table.title == Table.goal.title, ["action", "acted", "popup", "close"].contains(name) {
            return "use `event` with an event that the app sends when the user reaches the goal,"
                + " such as `event: order.paid`; to check how often users did an action, use a"
                + " condition such as `acted(\"tour\", \"accept\") > 0`"
        }
        if table.title == Table.group.title, ["popups", "members", "items", "popup"].contains(name)
        {
            let names = entry.value.items.compactMap { $0.scalar?.text }
            let places =
                names.isEmpty ? "each popup of the group" : enumeration(names, atMost: 5)
            return "remove `\(name)`, and add the key `group` to \(places), with the name of this"
                + " group as its value"
        }
        if table.title == Table.sharedLimit.title, ["group", "groups"].contains(name) {
            return "set a cap in the group itself, such as"
                + " `cap: { max: 1, per: 1d }`"
        }
        guard table.title == Table.trigger.title, let text = entry.value.scalar?.text else {
            return nil
        }
        if namesOfGoals.contains(name) {
            return
                "to trigger the popup when a goal is reached, use the event of the goal, such as"
                + " `{ event: order.paid }`; to check for a conversion, use a condition such as"
                + " `popups.tour.converted` in `when`"
        }
        guard ["after", "delay", "wait", "in"].contains(name), milliseconds(in: text) != nil else {
            return nil
        }
        return
            "use `delay` next to `trigger` for how long the popup waits after its trigger, such as"
            + " `delay: \(text)`"
    }
}

/// Words of other languages for taking the keys of another entry.
private let namesOfHeirs: Set<String> = [
    "extends", "extend", "inherits", "inherit", "inherits_from", "inherit_from", "based_on", "base",
    "parent", "copy_of", "mixin", "mixins",
]

private let namesOfGoals: Set<String> = [
    "converted", "conversion", "converts", "goal", "goal_reached",
]

/// Common words for popups that users can close.
private let namesOfClosing: Set<String> = [
    "close", "closable", "closeable", "dismissible", "dismissable", "cancelable", "cancellable",
    "close_button", "show_close", "has_close_button", "user_can_close", "can_close",
]

/// Common words for conditions that exclude users.
let namesOfExclusions: Set<String> = [
    "exclude", "excludes", "excluded", "exclusion", "exclusions", "except", "unless", "not", "none",
    "none_of", "negate", "negated", "exclude_when", "exclude_if", "hide_for", "not_when",
    "when_not", "skip_when", "skip_if", "suppress_when", "suppress_if", "except_when", "except_if",
]
