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
    /// The map `content` as written in the rule file, with the changes of the variant.
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

/// The app's side of the screen: shows popups and takes them down, one at a time per scheduler.
///
/// All calls come on the main actor. You may call the engine from inside; such calls are handled
/// afterwards. Only `stop(dismissing: true)` must not be awaited in `present` and `dismiss`: it
/// waits for them, until `SchedulerLimits.animationTimeout` is over. Call `beginStop` there.
@MainActor
public protocol Presenter: Sendable {
    /// Asked right before each presentation. The popup is shown unless this is implemented.
    func willShow(_ popup: Popup) -> WillShowAnswer

    /// Puts the popup on the screen and returns when its animation is over. If that takes longer
    /// than `SchedulerLimits.animationTimeout`, the popup counts as shown.
    ///
    /// Throwing ends the popup's task without an impression. When the user closes the popup, call
    /// the engine's `userClosed`; `dismiss` is then called.
    func present(_ popup: Popup) async throws

    /// Replaces the shown content with the popup's new content, after the app has called
    /// `updateContent`. Called between `present` and `dismiss`, also while the animation of
    /// `present` runs. Does nothing unless you implement it.
    func update(_ popup: Popup)

    /// Takes the popup off the screen and returns when its animation is over.
    func dismiss(_ popup: Popup) async

    /// The presentation is over for the engine, whatever the cause: `dismiss` has returned or took
    /// too long, `present` threw, or the app called `didDisappear`. Called once for each `present`,
    /// before the next popup of the scheduler. If its view still exists, remove it now. Does
    /// nothing unless you implement it.
    func ended(_ popup: Popup)
}

extension Presenter {
    public func willShow(_ popup: Popup) -> WillShowAnswer { .show }
    public func update(_ popup: Popup) {}
    public func ended(_ popup: Popup) {}
}
