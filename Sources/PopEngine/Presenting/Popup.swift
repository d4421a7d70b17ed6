public import PopCEL
public import PopScheduler

/// A popup as the presenter gets it.
public struct Popup: Sendable, Identifiable {
    /// The task that is to be shown, and which attempt this is.
    public let presentation: PresentationID
    /// The definition as it was when the popup was chosen.
    public let rule: PopupRule

    private let whole: Presentation

    /// The content of the popup: `content` with its strings in the user's language and its
    /// placeholders filled. It is fixed when the popup is presented, except for changes that the
    /// app makes with `updateContent`.
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
    /// Indicates whether the app shows it itself, as `ForeignPopup.isShownByApp` defines: it only
    /// holds its place in the queue, and there is nothing to draw.
    public var isShownByApp: Bool { rule.isShownByApp }
    /// The `content` of the rule file, a map, as written there, with the changes of the variant.
    public var content: Value { whole.content }
    /// The arm of the popup's experiment that the user is in: the name of a variant, or `control`;
    /// nil for a user who takes no part, and if there is no experiment.
    public var variant: String? { whole.variant }
    /// Indicates whether nothing will be shown, regardless of the presenter's answer to `willShow`:
    /// the user is in the control arm.
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
