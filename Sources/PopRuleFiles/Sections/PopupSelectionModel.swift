public import PopSource

/// The popups that a section is about.
public struct PopupSelectionModel: Sendable {
    /// The names of the schedulers whose popups are meant; nil for all.
    public var schedulers: Located<[Located<String>]>?
    /// Popups with one of these tags are meant; nil for all.
    public var tags: Located<[Located<String>]>?
}

/// The keys that name popups. `that` is the predicate in their summaries; `change` reaches them in
/// the model.
func selectionKeys<Model>(
    that predicate: String,
    change: @escaping @Sendable (inout Model, (inout PopupSelectionModel) -> Void) -> Void
) -> [Key<Model>] {
    [
        Key(
            "schedulers", format: .list(of: .reference(to: "scheduler"), minimum: 1),
            store: { model, names in change(&model) { $0.schedulers = names } },
            alsoCalled: ["scheduler", "lanes"],
            summary: "the schedulers whose popups \(predicate); by default all"
        ).such(as: ["scheduler": "[$]"]),
        Key(
            "tags", format: .list(of: .text, minimum: 1),
            store: { model, tags in change(&model) { $0.tags = tags } },
            alsoCalled: ["tag", "labels"],
            summary: "popups with one of these tags \(predicate); by default all"
        ).such(as: ["tag": "[$]"]),
    ]
}
