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
