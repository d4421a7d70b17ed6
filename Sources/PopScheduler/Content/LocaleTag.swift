internal import PopCEL

/// A language as BCP 47 names it, such as `zh-Hant-TW`; case and `_` do not matter.
package struct LocaleTag: Sendable, Hashable {
    /// In lowercase, with `-` between the subtags.
    package let text: String

    /// The maximum number of bytes of a name that are read: no language has a longer name.
    package static let longest = 128

    /// Creates a tag from the name of a language. A suffix that systems add, as in `de_DE.UTF-8`
    /// and `de_DE@euro`, is left out.
    package init(_ name: String) {
        let bytes = name.utf8.prefix(Self.longest)
            .prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
        text = String(decoding: bytes.map(folded), as: UTF8.self)
    }

    /// The tag without its last subtag, and without the single letter that introduced that subtag;
    /// nil for a tag that is only a language.
    package var broader: LocaleTag? {
        let bytes = Array(text.utf8)
        guard var end = bytes.lastIndex(of: hyphen) else { return nil }
        if end >= 2, bytes[end - 2] == hyphen { end -= 2 }
        return LocaleTag(String(decoding: bytes[..<end], as: UTF8.self))
    }

    /// The tags from this one to the plain language.
    package var widening: [LocaleTag] {
        var tags = [self]
        while let next = tags[tags.count - 1].broader { tags.append(next) }
        return tags
    }

    /// Returns the key of a map of languages whose string readers of this language get; nil if none
    /// fits.
    package func match(in names: [String]) -> String? {
        for tag in widening {
            if let name = names.first(where: { LocaleTag($0) == tag }) { return name }
        }
        return nil
    }
}

private let hyphen = UInt8(ascii: "-")

private func folded(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "_") { return hyphen }
    return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
