internal import PopCEL

extension Timestamp {
    /// Returns the date that is later by a duration, or the end of the scale.
    func advanced(by duration: Duration) -> Timestamp {
        adding(duration) ?? (duration < .zero ? .min : .max)
    }
}
