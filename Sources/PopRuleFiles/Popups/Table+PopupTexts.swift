internal import PopCEL
internal import PopScheduler
public import PopSource
internal import PopYAML

extension PopupModel {
    /// The notes about the popup for readers of the rules.
    public struct Texts: HasUsualValue {
        /// The purpose of the popup, for readers of the rules.
        public var description: Located<String>?
        /// The person or team responsible for the popup, for readers of the rules.
        public var owner: Located<String>?
        /// Words to find it by.
        public var tags: Located<[Located<String>]>?

        @usableFromInline package init() {}
    }
}

extension PopupRule.Texts {
    init(_ model: PopupModel.Texts) {
        self.init()
        description = model.description?.value
        owner = model.owner?.value
        tags = model.tags?.value.map(\.value) ?? []
    }
}

extension Table<PopupModel> {
    static var texts: [Key<PopupModel>] {
        [
            Key(
                "description", format: .text, store: { $0.texts.description = $1 },
                alsoCalled: ["summary", "comment", "purpose", "note", "notes", "doc"],
                summary: "the purpose of the popup, for readers"
            ).comes { $0.texts.description.map { .string($0) } },
            Key(
                "owner", format: .text, store: { $0.texts.owner = $1 },
                alsoCalled: ["team", "author", "maintainer", "contact", "responsible"],
                summary: "the person or team responsible for the popup"
            ).comes { $0.texts.owner.map { .string($0) } },
            Key(
                "tags", format: .list(of: .text), default: "[]", store: { $0.texts.tags = $1 },
                alsoCalled: ["labels", "keywords", "categories", "category"],
                summary: "words to find it by"
            ).comes {
                $0.texts.tags.isEmpty ? nil : .list($0.texts.tags.sorted().map { .string($0) })
            },
        ]
    }
}
