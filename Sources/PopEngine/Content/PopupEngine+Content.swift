public import PopCEL

extension PopupEngine {
    /// Changes what a popup says while it shows, such as how far a download has come. The presenter
    /// is asked to `update` it; no impression is made, and what the rules say stays as it is.
    ///
    /// A field has to be in the content already, and keeps its type: any other is refused, and then
    /// none is changed. Where the main actor is slow, it gets the newest content and none of those
    /// before. A popup that is on no screen, or going, is not changed; the outcome remarks on it.
    @discardableResult
    public func updateContent(of id: String, _ fields: [String: Value]) -> CallOutcome {
        core.handle(.content(id, fields))
    }
}
