public import PopCEL

extension PopupEngine {
    /// Changes the content of a popup while it shows, such as the progress of a download. The
    /// presenter is asked to `update` it; no impression is recorded, and the rules keep their
    /// content.
    ///
    /// A field has to exist in the content already, and keeps its type. Any other field is refused,
    /// and then no field is changed. If the main actor is slow, it gets only the newest content. A
    /// popup that isn't on a screen, or is being dismissed, isn't changed; the outcome has a remark
    /// about it.
    @discardableResult
    public func updateContent(of id: String, _ fields: [String: Value]) -> CallOutcome {
        core.handle(.content(id, fields))
    }
}
