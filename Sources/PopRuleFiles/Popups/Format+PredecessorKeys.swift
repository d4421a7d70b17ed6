internal import PopScheduler
public import PopSource
internal import PopYAML

/// A popup that another comes after.
public struct PredecessorModel: Sendable {
    /// The id of the popup.
    public var popup: Located<String>
    /// The action by which one of its tasks has to have ended; nil for anything.
    public var action: Located<String>?
    /// The time that must have passed since then.
    public var since: Located<Duration>?
}

/// One that is written as a map, before it is known which popup it names.
struct PredecessorMap: Sendable {
    var popup: Located<String>?
    var action: Located<String>?
    var since: Located<Duration>?
}

extension Table<PredecessorMap> {
    static let predecessor = Table(
        "an item of `after`",
        keys: [
            Key(
                "popup", format: .reference(to: "popup"), store: { $0.popup = $1 },
                alsoCalled: ["id", "name"], summary: "the popup that must have been shown before"
            ).required,
            Key(
                "action", format: .reference(to: "action"), store: { $0.action = $1 },
                alsoCalled: ["by", "button", "answer", "acted"],
                summary: "the action of its template that it must have ended with"),
            Key(
                "since", format: .duration(atLeast: 1), store: { $0.since = $1 },
                alsoCalled: ["ago", "for", "delay", "at_least", "wait"],
                summary: "how long ago that must be, in calendar time"),
        ])
}

extension Format<PredecessorModel> {
    /// The name of a popup, or a map with the requirements on it.
    static var predecessor: Self {
        let name = Format<String>.reference(to: "popup")
        let table = Format<PredecessorMap>.table(.predecessor, startingWith: PredecessorMap())
        return Format(.either([name.schema, table.schema])) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.read(name, at: node).map { PredecessorModel(popup: $0) }
            }
            if let help = node.helpWithActionByPopup {
                return decoder.mismatch(table.schema, at: node, help: [help])
            }
            guard let map = decoder.read(table, at: node)?.value, let popup = map.popup else {
                return nil
            }
            return PredecessorModel(popup: popup, action: map.action, since: map.since)
        }
    }
}

extension YAMLNode {
    /// Help on a popup that is written as a key, with its action as the value; nil for other
    /// values.
    fileprivate var helpWithActionByPopup: String? {
        let keys = Table.predecessor.schema.keys
        guard kind == .mapping, entries.count == 1, let popup = entries[0].key.scalar?.text,
            let action = entries[0].value.scalar?.text, NameForm.dotted.fits(popup.utf8),
            NameForm.dotted.fits(action.utf8),
            !keys.contains(where: { $0.name == popup || $0.alsoCalled.contains(popup) }),
            similarNames(to: popup, among: keys.map(\.name)).isEmpty
        else { return nil }
        return "write the popup and its action in a map, such as"
            + " `{ popup: \(popup), action: \(action) }`"
    }
}
