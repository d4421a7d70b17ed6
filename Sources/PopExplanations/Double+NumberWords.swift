extension Double {
    /// The number in its usual notation: `20` for `20.0`, `0.05` unchanged.
    package var shortText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
