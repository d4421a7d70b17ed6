extension String {
    /// This string as one word of a shell command: unchanged if no shell can read it differently,
    /// otherwise in single quotes.
    package var quotedForShell: String { isPlainForShell ? self : singleQuotedForShell }

    /// This string in single quotes, in which a shell expands nothing.
    package var singleQuotedForShell: String {
        "'" + replacing("'", with: "'\\''") + "'"
    }

    /// Returns true if this string has only ASCII letters, digits and `._/-`, and isn't empty.
    package var isPlainForShell: Bool {
        !isEmpty && utf8.allSatisfy { plainBytes.contains($0) }
    }
}

private let plainBytes = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-".utf8)
