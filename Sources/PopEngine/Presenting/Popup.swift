public import PopCEL
public import PopScheduler

/// A popup as the presenter gets it.
public struct Popup: Sendable, Identifiable {
    /// The task that is to be shown, and which attempt this is.
    public let presentation: PresentationID
    /// The definition as it was when the popup was chosen.
    public let rule: PopupRule

    private let whole: Presentation

    /// What the popup says: `content` with its texts in the user's language and its placeholders
    /// filled. It is fixed when the popup is presented, but for what the app changes by
    /// `updateContent`.
    public private(set) var resolvedContent: Value

    init(_ presentation: Presentation) {
        self.presentation = presentation.id
        rule = presentation.popup
        whole = presentation
        resolvedContent = presentation.resolvedContent
    }

    /// The same with another content.
    func saying(_ content: Value) -> Popup {
        var popup = self
        popup.resolvedContent = content
        return popup
    }

    public var id: String { rule.id }
    /// The name of the scheduler, such as `main` or `toast`: the place on the screen, if the app
    /// has several.
    public var scheduler: String { presentation.task.scheduler }
    /// The kind of popup that the rule file names, such as `sheet`; that of the variant, if it has
    /// its own.
    public var template: String? { whole.template }
    /// Whether the app shows it itself, as `ForeignPopup.isShownByApp` says: it only holds its
    /// place, and there is nothing to draw.
    public var isShownByApp: Bool { rule.isShownByApp }
    /// What the rule file says under `content`, a map, as it is written there, with what the
    /// variant changes.
    public var content: Value { whole.content }
    /// The arm of the popup's experiment that the user is in: the name of a variant, or `control`;
    /// nil for a user who takes no part, and where there is no experiment.
    public var variant: String? { whole.variant }
    /// Whether nothing will be shown, whatever the presenter answers to `willShow`: the user is in
    /// the arm that others are compared with.
    public var isControl: Bool { whole.isControl }

    /// The content as a type of the app's own; throws a `DecodingError` when it does not fit.
    public func content<Content: Decodable>(as type: Content.Type = Content.self) throws -> Content
    {
        try content.decode(as: type)
    }

    /// The resolved content as a type of the app's own; throws a `DecodingError` when it does not
    /// fit.
    public func resolvedContent<Content: Decodable>(
        as type: Content.Type = Content.self
    ) throws -> Content {
        try resolvedContent.decode(as: type)
    }
}

extension Value {
    /// The value of a key, when this is a map that has it.
    public subscript(key: String) -> Value? {
        guard case .map(let map) = self else { return nil }
        return map[.string(key)]
    }

    /// The value of a key as a Swift type; nil also when it is of another type.
    public subscript<Wrapped: ValueConvertible>(key: String) -> Wrapped? {
        self[key].flatMap { (value: Value) in Wrapped(value) }
    }
}
