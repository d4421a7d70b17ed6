internal import PopSource
internal import PopYAML

/// The one form of all ids and names that rule files declare.
package enum NameForm: Sendable {
    /// Letters, digits and `_`: names that an expression can use without quoting.
    case id
    /// Ids joined by dots.
    case dotted

    /// Returns true if a string is a valid id.
    package static func isID(_ text: String, limits: RuleFileLimits = .standard) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count <= limits.nameLength && NameForm.id.fits(bytes)
            && languageConstant(bytes[...]) == nil
    }

    /// The largest part of a string that fits: an author may have meant it.
    func repaired(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isIDContinuation || self == .dotted && scalar == "." {
                result.unicodeScalars.append(scalar)
            } else if !result.hasSuffix("_") {
                result += "_"
            }
        }
        if let first = result.unicodeScalars.first, !first.isIDStart, first != "." {
            result = "_" + result
        }
        return result
    }

    package func fits(_ text: some Sequence<UInt8>) -> Bool {
        var isStart = true
        for byte in text {
            if byte == UInt8(ascii: "."), self == .dotted, !isStart {
                isStart = true
                continue
            }
            let isDigit = byte &- UInt8(ascii: "0") < 10
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
            guard isLetter || isDigit && !isStart else { return false }
            isStart = false
        }
        return !isStart
    }
}

extension Unicode.Scalar {
    fileprivate var isIDStart: Bool {
        self == "_" || isASCII && properties.isAlphabetic
    }

    fileprivate var isIDContinuation: Bool { isIDStart || isASCII && properties.numericType != nil }
}

extension Decoder {
    /// The id or name of something such as a popup that a key declares; nil if the key cannot be a
    /// name.
    ///
    /// A malformed name is reported and still used, so that its entry is checked and references to
    /// it are found.
    mutating func name(_ key: YAMLNode, of kind: String, form: NameForm) -> Located<String>? {
        if key.isBroken { return nil }
        // Bytes are compared faster than characters.
        guard let text = key.utf8, text.count <= limits.nameLength else {
            report(
                .malformedName(key, kind: withArticle(kind), form: form, limit: limits.nameLength))
            return nil
        }
        let name = Located(String(decoding: text, as: UTF8.self), at: key.range)
        if !form.fits(text) {
            report(
                .malformedName(key, kind: withArticle(kind), form: form, limit: limits.nameLength))
        } else if let reason = reservedReason(text, form: form) {
            report(.reservedName(name, kind: withArticle(kind), reason: reason))
        }
        return name
    }

    private func reservedReason(_ name: ArraySlice<UInt8>, form: NameForm) -> String? {
        guard form == .dotted else { return languageConstant(name) }
        let root = name.prefix { $0 != UInt8(ascii: ".") }
        var part = root
        while true {
            if let reason = languageConstant(part) { return reason }
            if part.endIndex == name.endIndex { break }
            part = name[(part.endIndex + 1)...].prefix { $0 != UInt8(ascii: ".") }
        }
        if let index = reservedRoots.words.index(of: root.span) {
            let reservation = reservedRoots.reservations[index]
            let word = String(decoding: root, as: UTF8.self)
            if reservation == .engine {
                return "names that start with `\(word)` are reserved for values that poprules sets"
            }
            if reservation == .word || root.count == name.count {
                return "`\(word)` has a special meaning in expressions"
            }
        }
        if let index = combinerWords.index(of: name.span) {
            return "`\(combiners[index])` is reserved: it is the key of a list of conditions"
        }
        return nil
    }
}

/// Returns why a part of a name cannot be one of the language's constants; nil if it isn't one.
private func languageConstant(_ part: ArraySlice<UInt8>) -> String? {
    guard constantWords.index(of: part.span) != nil else { return nil }
    return "`\(String(decoding: part, as: UTF8.self))` has a special meaning in expressions"
}

extension NameForm {
    /// The pattern of the reserved names of this form.
    var reservedPattern: String {
        let constants = "(^|\\.)(\(alternation(languageConstants)))(\\.|$)"
        guard self == .dotted else { return constants }
        let roots = "^(\(alternation(engineRoots.union(reservedWords))))(\\.|$)"
        let whole = "^(\(alternation(typeNames.union(combiners.map { $0[...] }))))$"
        return "\(constants)|\(roots)|\(whole)"
    }

    private func alternation(_ words: Set<Substring>) -> String {
        words.sorted().joined(separator: "|")
    }
}

/// Words that no part of a name can be (CEL, section "Syntax").
private let languageConstants: Set<Substring> = ["true", "false", "null", "in"]

/// Words that no name can begin with (CEL, section "Syntax", RESERVED).
private let reservedWords: Set<Substring> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
]

private let typeNames: Set<Substring> = [
    "bool", "bytes", "double", "duration", "dyn", "int", "list", "map", "null_type", "string",
    "timestamp", "type", "uint",
]

/// The first parts of names that conditions can read without a declaration. Functions are not among
/// them: they are recognized by their parentheses.
private let engineRoots: Set<Substring> = ["now", "session", "popups", "event"]

/// Returns true if a name belongs to the engine itself, so that it cannot be declared.
func isOfEngine(_ name: String) -> Bool {
    engineRoots.contains(name.prefix { $0 != "." })
}

/// The reason why a name cannot begin with a word, or be it.
private enum Reservation { case engine, word, type }

/// The words of all three lists, so that a name is looked up once.
private let reservedRoots: (words: WordList, reservations: [Reservation]) = {
    let roots =
        typeNames.map { ($0, Reservation.type) } + reservedWords.map { ($0, .word) }
        + engineRoots.map { ($0, .engine) }
    return (WordList(roots.map { String($0.0) }), roots.map(\.1))
}()

private let constantWords = WordList(languageConstants.map { String($0) })

private let combinerWords = WordList(combiners)

extension Diagnostic {
    fileprivate static func malformedName(
        _ key: YAMLNode, kind: String, form: NameForm, limit: Int
    ) -> Self {
        guard let text = key.scalar?.text else {
            return Diagnostic(
                .schemaIDFormat, message: "the name of \(kind) must be a string", at: key.range,
                label: "not a string")
        }
        let rule =
            form == .dotted
            ? "use the letters `a` to `z` and `A` to `Z`, digits and `_`, with dots between parts;"
                + " a part must not start with a digit"
            : "use the letters `a` to `z` and `A` to `Z`, digits and `_`; a name must not start"
                + " with a digit"
        let repaired = form.repaired(text)
        let isRepaired =
            repaired.utf8.count <= limit && repaired.utf8.contains { $0 != UInt8(ascii: "_") }
            && form.fits(repaired.utf8)
        let length =
            text.utf8.count > limit ? ", because it is longer than \(limit) characters" : ""
        return Diagnostic(
            .schemaIDFormat, message: "`\(text.shortened)` cannot be the name of \(kind)\(length)",
            at: key.range, label: isRepaired ? "use `\(repaired)`" : "not a valid name",
            help: [rule], fixes: isRepaired ? [.rename(key.range, to: repaired)] : [])
    }

    fileprivate static func reservedName(
        _ name: Located<String>, kind: String, reason: String
    ) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "`\(name.value)` cannot be the name of \(kind)",
            at: name.range,
            label: "reserved", notes: [reason],
            help: name.value == "popups"
                ? [
                    "if you mean the section `popups`, move it to the left, so that it starts in"
                        + " the same column as the other sections",
                    "if you mean \(kind), choose another name",
                ] : ["choose another name"])
    }
}
