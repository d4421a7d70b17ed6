extension Double {
    /// As people write it: `20` for `20.0`, `0.05` as it is.
    package var shortText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
