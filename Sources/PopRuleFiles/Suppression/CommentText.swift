internal import PopSource

/// A comment whose text begins with `poprules:`, taken apart.
struct CommentText {
    /// Such as `ignore-begin`.
    let verb: Located<String>
    /// The words in the brackets.
    let words: [Located<String>]
    let reason: String
    /// From the `#` to the end of the line.
    let range: SourceRange

    static let prefix = Array("poprules:".utf8)

    /// Takes a comment apart that begins at a `#`; nil when it is not addressed to poprules.
    init?(_ source: SourceFile, comment: Range<Int>) {
        func located(_ bytes: Range<Int>) -> Located<String> {
            let range = SourceRange(file: source.id, bytes)
            return Located(source.text(in: range), at: range)
        }
        let bytes = source.bytes[comment]
        var rest = bytes.dropFirst().drop(while: isBlank)
        guard rest.starts(with: Self.prefix) else { return nil }
        rest = rest.dropFirst(Self.prefix.count)
        let name = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: "[") }
        verb = located(name.indices)
        rest = rest[name.endIndex...]
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            words = rest[..<end].dropFirst().split { isBlank($0) || $0 == UInt8(ascii: ",") }
                .map { located($0.indices) }
            rest = rest[(end + 1)...]
        } else {
            words = []
        }
        reason = String(
            decoding: rest.drop { isBlank($0) || [0x3A, 0x2D].contains($0) }, as: UTF8.self)
        range = SourceRange(file: source.id, comment)
    }
}

/// A space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
