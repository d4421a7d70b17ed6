internal import PopSource

/// `string.format(list)` of the strings extension.
///
/// Rules: CEL specification, "Extensions: strings".
struct FormatString {
    /// The number of digits after the point if a clause doesn't define it.
    static let defaultPrecision = 6
    /// The maximum number of digits after the point in a clause.
    static let mostPrecision = 100

    private var rest: Substring.UTF8View
    private let most: Int
    private var output: [UInt8] = []

    /// Fills the clauses of a template with values.
    ///
    /// - Parameter most: The maximum number of bytes of the result.
    static func format(
        _ template: String, values: [Value], most: Int
    ) throws(EvaluationError) -> String {
        var format = FormatString(rest: template[...].utf8, most: most)
        var used = 0
        while let byte = format.rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                format.output.append(byte)
            } else if format.rest.first == UInt8(ascii: "%") {
                format.output.append(byte)
                format.rest.removeFirst()
            } else {
                let clause = try format.readClause()
                guard used < values.count else { throw .tooFewValues(values.count) }
                try format.append(clause.text(of: values[used], most: most))
                used += 1
            }
        }
        return try format.finished()
    }

    private init(rest: Substring.UTF8View, most: Int) {
        self.rest = rest
        self.most = most
    }

    private mutating func append(_ text: String) throws(EvaluationError) {
        output += text.utf8
        guard output.count <= most else { throw .tooLarge("string") }
    }

    private func finished() throws(EvaluationError) -> String {
        guard output.count <= most else { throw .tooLarge("string") }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func readClause() throws(EvaluationError) -> FormatClause {
        let precision = try readPrecision()
        guard let letter = rest.popFirst() else { throw .unfinishedClause }
        switch letter {
        case UInt8(ascii: "s"): return .string
        case UInt8(ascii: "d"): return .decimal
        case UInt8(ascii: "f"): return .fixed(precision)
        case UInt8(ascii: "e"): return .scientific(precision)
        case UInt8(ascii: "b"): return .binary
        case UInt8(ascii: "o"): return .octal
        case UInt8(ascii: "x"): return .hexadecimal(uppercase: false)
        case UInt8(ascii: "X"): return .hexadecimal(uppercase: true)
        default: throw .unknownClause(letter)
        }
    }

    private mutating func readPrecision() throws(EvaluationError) -> Int {
        guard rest.first == UInt8(ascii: ".") else { return Self.defaultPrecision }
        rest.removeFirst()
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        guard let precision = Int(Substring(digits)), precision <= Self.mostPrecision else {
            throw .badPrecision
        }
        return precision
    }
}

extension EvaluationError {
    fileprivate static func tooFewValues(_ count: Int) -> Self {
        EvaluationError(
            "the format has more clauses than the \(count) "
                + (count == 1 ? "value" : "values") + " given")
    }

    fileprivate static var unfinishedClause: Self {
        EvaluationError("the format ends after `%`; write `%%` for a percent sign")
    }

    fileprivate static func unknownClause(_ letter: UInt8) -> Self {
        let name = letter < 0x80 ? "`%\(Unicode.Scalar(letter))`" : "`%` and this character"
        return EvaluationError(
            "\(name) is not a valid format clause: use %s, %d, %f, %e, %b, %o, %x or %X")
    }

    fileprivate static var badPrecision: Self {
        EvaluationError(
            "the precision of a clause must be a point and a number up to "
                + "\(FormatString.mostPrecision), such as `%.2f`")
    }
}

/// One clause of a format, such as `%.2f`.
enum FormatClause: Sendable {
    case string
    case decimal
    case fixed(Int)
    case scientific(Int)
    case binary
    case octal
    case hexadecimal(uppercase: Bool)

    /// Returns the text of the clause for a value; `most` is the maximum number of bytes.
    func text(of value: Value, most: Int) throws(EvaluationError) -> String {
        let text: String? =
            switch self {
            case .string: try DisplayText.of(value, most: most)
            case .decimal: decimal(value)
            case .fixed(let precision): real(value) { $0.fixed(precision: precision) }
            case .scientific(let precision): real(value) { $0.scientific(precision: precision) }
            case .binary: radix(value, radix: 2)
            case .octal: radix(value, radix: 8)
            case .hexadecimal(let uppercase): hexadecimal(value, uppercase: uppercase)
            }
        guard let text else { throw .notFormattable(value, clause: self) }
        return text
    }

    private func decimal(_ value: Value) -> String? {
        switch value {
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .double(let number): DisplayText.of(number)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    private func real(_ value: Value, write: (DecimalDigits) -> String) -> String? {
        switch value {
        case .int(let number):
            write(DecimalDigits(isNegative: number < 0, magnitude: number.magnitude))
        case .uint(let number): write(DecimalDigits(isNegative: false, magnitude: number))
        case .double(let number):
            NumberText.nonFinite(number) ?? write(DecimalDigits(exact: number))
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    private func radix(_ value: Value, radix: Int) -> String? {
        switch value {
        case .int(let number): String(number, radix: radix)
        case .uint(let number): String(number, radix: radix)
        case .bool(let flag): radix == 2 ? (flag ? "1" : "0") : nil
        case .null, .double, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    private func hexadecimal(_ value: Value, uppercase: Bool) -> String? {
        switch value {
        case .int(let number): String(number, radix: 16, uppercase: uppercase)
        case .uint(let number): String(number, radix: 16, uppercase: uppercase)
        case .string(let text): hexadecimal(text.utf8, uppercase: uppercase)
        case .bytes(let bytes): hexadecimal(bytes, uppercase: uppercase)
        case .null, .bool, .double, .timestamp, .duration, .version, .list, .map, .type, .optional:
            nil
        }
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>, uppercase: Bool) -> String {
        bytes.reduce(into: "") { text, byte in
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16, uppercase: uppercase)
        }
    }

    /// The clause as it is written in a format, and the types of the values that it accepts.
    fileprivate var description: (clause: String, types: String) {
        switch self {
        case .string: ("%s", "a value that is not optional")
        case .decimal: ("%d", "an int, a uint or a double")
        case .fixed: ("%f", "an int, a uint or a double")
        case .scientific: ("%e", "an int, a uint or a double")
        case .binary: ("%b", "an int, a uint or a bool")
        case .octal: ("%o", "an int or a uint")
        case .hexadecimal(let uppercase):
            (uppercase ? "%X" : "%x", "an int, a uint, a string or bytes")
        }
    }
}

/// A value in the form of `%s`.
///
/// Rules: CEL specification, "Extensions: strings", conversion `s`.
enum DisplayText {
    /// Returns the text of a value; nil for a value that has none, such as an optional.
    ///
    /// - Parameter most: The maximum number of bytes.
    static func of(_ value: Value, most: Int) throws(EvaluationError) -> String? {
        let text: String? =
            switch value {
            case .null: "null"
            case .bool(let flag): flag ? "true" : "false"
            case .int(let number): String(number)
            case .uint(let number): String(number)
            case .double(let number): of(number)
            case .string(let text): text
            case .bytes(let bytes): of(bytes)
            case .timestamp(let instant): instant.description
            case .duration(let duration): DurationText.format(duration)
            case .version(let version): version.text
            case .type(let type): type.runtimeName
            case .list(let elements): try list(elements, most: most)
            case .map(let map): try self.map(map, most: most)
            case .optional: nil
            }
        guard (text?.utf8.count ?? 0) <= most else { throw .tooLarge("string") }
        return text
    }

    /// Returns a double without an exponent: `1000000`, `0.000015`.
    static func of(_ number: Double) -> String {
        NumberText.nonFinite(number) ?? DecimalDigits(shortest: number).positional
    }

    /// Returns bytes decoded as UTF-8; each run of invalid bytes becomes one U+FFFD.
    private static func of(_ bytes: [UInt8]) -> String {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var scalars = String.UnicodeScalarView()
        var isRepairing = false
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                scalars.append(scalar)
                isRepairing = false
            case .error:
                if !isRepairing { scalars.append("\u{FFFD}") }
                isRepairing = true
            case .emptyInput: return String(scalars)
            }
        }
    }

    private static func list(_ elements: [Value], most: Int) throws(EvaluationError) -> String? {
        var texts: [String] = []
        var size = 2
        for element in elements {
            guard let text = try of(element, most: most) else { return nil }
            size += text.utf8.count + 2
            guard size <= most + 2 else { throw .tooLarge("string") }
            texts.append(text)
        }
        return "[\(texts.joined(separator: ", "))]"
    }

    /// Returns the entries in the order of the texts of their keys.
    private static func map(_ map: ValueMap, most: Int) throws(EvaluationError) -> String? {
        var texts: [(key: String, entry: String)] = []
        var size = 2
        for (key, value) in map {
            guard let keyText = try of(key, most: most), let text = try of(value, most: most)
            else { return nil }
            size += keyText.utf8.count + text.utf8.count + 4
            guard size <= most + 2 else { throw .tooLarge("string") }
            texts.append((keyText, "\(keyText): \(text)"))
        }
        texts = texts.ordered {
            $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
        }
        return "{\(texts.map { $0.entry }.joined(separator: ", "))}"
    }
}

extension EvaluationError {
    fileprivate static func notFormattable(_ value: Value, clause: FormatClause) -> Self {
        let (clause, types) = clause.description
        return EvaluationError("`\(clause)` takes \(types), not \(value.type.phrase)")
    }
}
