internal import PopCEL

/// A calendar date at the start of a string, with or without a time: `2025-03-01`,
/// `2025-03-01T10:00`, `2025-03-01T10:00:00.5+01:00`. Its numbers are not checked.
struct DateShape {
    /// The length in bytes.
    let length: Int
    /// The number of bytes of the zone.
    let zoneLength: Int
    let hasFraction: Bool

    /// Nil if the string doesn't begin with a date.
    ///
    /// - Parameter separators: The characters that may separate the date and its time.
    init?(_ text: String, separators: String = "T") {
        var reader = ShapeReader(rest: Array(text.utf8)[...])
        guard reader.skip("####-##-##") else { return nil }
        var length = reader.position
        var zoneLength = 0
        var hasFraction = false
        if separators.contains(where: { reader.skip(String($0)) }), reader.skip("##:##") {
            if reader.skip(":##") { hasFraction = reader.skipFraction() }
            length = reader.position
            if reader.skip("Z") || reader.skip("+##:##") || reader.skip("-##:##") {
                zoneLength = reader.position - length
                length = reader.position
            }
        }
        self.length = length
        self.zoneLength = zoneLength
        self.hasFraction = hasFraction
    }
}

/// Reads bytes from the front by what they look like; `#` is a digit.
private struct ShapeReader {
    var rest: ArraySlice<UInt8>

    var position: Int { rest.startIndex }

    mutating func skip(_ shape: String) -> Bool {
        let shape = shape.utf8
        guard rest.count >= shape.count,
            zip(rest, shape).allSatisfy({ $1 == UInt8(ascii: "#") ? isDigit($0) : $0 == $1 })
        else { return false }
        rest = rest.dropFirst(shape.count)
        return true
    }

    mutating func skipFraction() -> Bool {
        guard skip(".#") else { return false }
        rest = rest.drop(while: isDigit)
        return true
    }
}

extension StringProtocol {
    /// Indicates whether there are only digits, at least one.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy(isDigit) }
}
