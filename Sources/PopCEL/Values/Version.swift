/// A version such as `1.12.0`, compared by its parts.
///
/// It consists of any count of numbers joined by dots: missing parts are 0, so that `1.2` equals
/// `1.2.0`. A `-` starts a pre-release, as in semantic versions: `2.0.0-beta.2` is less than
/// `2.0.0`. The words of a pre-release are joined by dots and compared one after the other. Numbers
/// are compared by value and come before other words; other words are compared by their bytes. If
/// all words of one version are equal to the first words of the other, the shorter one is less.
/// Everything after a `+` is ignored.
public struct Version: Sendable {
    private let whole: Whole

    private final class Whole: Sendable {
        let text: String
        /// Bytes that sort in the order of the versions, and are the same for equal versions.
        let key: [UInt8]

        init(_ text: String, key: [UInt8]) {
            self.text = text
            self.key = key
        }
    }

    /// The maximum number of bytes of a version.
    public static let mostBytes = 64

    /// Returns nil if the string isn't a version.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes, let key = VersionKey.of(Array(text.utf8)[...])
        else { return nil }
        whole = Whole(text, key: key)
    }

    /// The version as it was written.
    public var text: String { whole.text }
}

extension Version: Comparable, Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.whole.key == right.whole.key }

    public static func < (left: Self, right: Self) -> Bool {
        left.whole.key.lexicographicallyPrecedes(right.whole.key)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(whole.key) }
}

extension Version {
    /// The shortest text of an equal version, which all equal versions share: `1.2` for `1.02.0+7`.
    package var shortest: String {
        let whole = text.prefix { $0 != "+" }
        let numbers = whole.prefix { $0 != "-" }.split(separator: ".").map { Self.short($0) }
        let end = numbers.lastIndex { $0 != "0" } ?? 0
        let words = whole.drop { $0 != "-" }.dropFirst().split(separator: ".")
        let version = numbers.prefix(end + 1).joined(separator: ".")
        if words.isEmpty { return version }
        return version + "-" + words.map { Self.short($0) }.joined(separator: ".")
    }

    /// Returns a number without leading zeros; a word unchanged.
    private static func short(_ part: Substring) -> String {
        guard part.utf8.allSatisfy({ (48...57).contains($0) }) else { return String(part) }
        let digits = part.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}

/// The bytes that versions are compared by.
private enum VersionKey {
    // The markers of the next part, in the order that they give to versions.
    private static let early: UInt8 = 0
    private static let end: UInt8 = 1
    private static let number: UInt8 = 2

    // The same for the words of a pre-release.
    private static let noWord: UInt8 = 0
    private static let numberWord: UInt8 = 1
    private static let word: UInt8 = 2

    static func of(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let sides = text.split(
            separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let version = sides.first, sides.dropFirst().allSatisfy({ words($0) != nil }) else {
            return nil
        }
        let parts = version.split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, var key = numbers(first) else { return nil }
        if parts.count == 1 { return key + [end] }
        guard let words = words(parts[1]) else { return nil }
        key.append(early)
        for word in words { key += bytes(of: word) }
        return key + [noWord]
    }

    /// Returns the key of the numbers without the zeros at the end.
    private static func numbers(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var key: [UInt8] = []
        var significant = 0
        for part in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.allSatisfy(isDigit) else { return nil }
            let digits = digits(part)
            key.append(number)
            key += digits
            if digits.count > 1 { significant = key.count }
        }
        return Array(key[..<significant])
    }

    /// Returns the number of digits followed by the digits: a longer number is a larger one.
    private static func digits(_ part: ArraySlice<UInt8>) -> [UInt8] {
        let digits = part.drop { $0 == UInt8(ascii: "0") }
        return [UInt8(digits.count)] + digits
    }

    private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let words = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isInWord) } ? words : nil
    }

    private static func bytes(of part: ArraySlice<UInt8>) -> [UInt8] {
        part.allSatisfy(isDigit) ? [numberWord] + digits(part) : [word] + part + [noWord]
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
