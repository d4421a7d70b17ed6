internal import CPoprules

/// A column of a table in Arrow's memory, whose values are written as JSON.
///
/// The caller guarantees that the buffers of a table are as long as their offsets require, since
/// the format doesn't state their lengths; all else is checked. Nothing is copied, and nothing is
/// kept.
struct ArrowColumn {
    /// The kind of the values.
    indirect enum Kind {
        case null
        case bool
        case integer(bytes: Int, isSigned: Bool)
        case double
        case float
        case text(wide: Bool)
        case textView
        /// Bytes, written as text if they are UTF-8, otherwise as hexadecimal digits; values of
        /// `fixedBinary` have `count` bytes each.
        case binary(wide: Bool)
        case binaryView
        case fixedBinary(count: Int)
        /// An integer of this number of bytes, with `scale` digits after the decimal point.
        case decimal(bytes: Int, scale: Int)
        /// The units per second, and whether times are in UTC.
        case time(units: Int64, isUTC: Bool)
        /// Days since 1970, or milliseconds.
        case date(isWide: Bool)
        case structure([Field])
        case list(wide: Bool, Kind)
        case fixedList(count: Int, Kind)
        /// Keys with values. String keys make an object, other keys a list of pairs.
        case map([Field])
        /// Indexes into other values.
        case dictionary(bytes: Int, isSigned: Bool, Kind)
        /// A type that is not read, by Arrow's name for it.
        case other(String)
    }

    /// A column, of a table or of a value that has members.
    struct Field {
        var name: String
        var kind: Kind
    }

    /// The form in which the times of a column are written.
    enum TimeForm {
        /// `2026-05-04T09:00:00.5Z`, without the `Z` if the column has no zone.
        case text
        /// Since 1970, in this number of units per second.
        case number(units: Int64)
    }
}

extension ArrowColumn.Kind {
    /// Creates the kind of the values from a schema.
    init(_ schema: ArrowSchema, levels: Int = ArrowLimits.levels) {
        // Nothing may be read of a schema that is released (Arrow C data interface, "Released
        // structure").
        guard levels > 0, unsafe schema.release != nil,
            let format = unsafe schema.format.map({ unsafe String(cString: $0) })
        else {
            self = .other("an empty, released, or too deeply nested schema")
            return
        }
        let plain = unsafe Self.plainKind(format, of: schema, levels: levels) ?? .other(format)
        guard let values = unsafe schema.dictionary else {
            self = plain
            return
        }
        guard case .integer(let bytes, let isSigned) = plain else {
            self = .other(format)
            return
        }
        self = .dictionary(
            bytes: bytes, isSigned: isSigned, unsafe Self(values.pointee, levels: levels - 1))
    }

    private static func plainKind(
        _ format: String, of schema: ArrowSchema, levels: Int
    ) -> Self? {
        switch format {
        case "n": .null
        case "b": .bool
        case "c", "C": .integer(bytes: 1, isSigned: format == "c")
        case "s", "S": .integer(bytes: 2, isSigned: format == "s")
        case "i", "I": .integer(bytes: 4, isSigned: format == "i")
        case "l", "L": .integer(bytes: 8, isSigned: format == "l")
        case "f": .float
        case "g": .double
        case "u", "U": .text(wide: format == "U")
        case "vu": .textView
        case "z", "Z": .binary(wide: format == "Z")
        case "vz": .binaryView
        case "tdD", "tdm": .date(isWide: format == "tdm")
        case "+s": unsafe fields(of: schema, levels: levels).map { .structure($0) }
        case "+l", "+L":
            unsafe items(of: schema, levels: levels).map { .list(wide: format == "+L", $0) }
        case "+m":
            if case .structure(let fields)? = unsafe items(of: schema, levels: levels),
                fields.count == 2
            {
                .map(fields)
            } else {
                nil
            }
        default: unsafe parametrized(format, of: schema, levels: levels)
        }
    }

    /// `w:16`, `d:10,2`, `+w:3`, `tsu:Europe/Berlin`.
    private static func parametrized(
        _ format: String, of schema: ArrowSchema, levels: Int
    ) -> Self? {
        guard let colon = format.firstIndex(of: ":") else { return nil }
        let rest = format[format.index(after: colon)...]
        let numbers = rest.split(separator: ",").map { Int($0) ?? -1 }
        switch format[..<colon] {
        case "w": return numbers.first.flatMap { $0 > 0 ? .fixedBinary(count: $0) : nil }
        case "d":
            let bits = numbers.count > 2 ? numbers[2] : 128
            guard numbers.count >= 2, [32, 64, 128].contains(bits), (-64...64).contains(numbers[1])
            else { return nil }
            return .decimal(bytes: bits / 8, scale: numbers[1])
        case "+w":
            guard let count = numbers.first, count > 0 else { return nil }
            return unsafe items(of: schema, levels: levels).map { .fixedList(count: count, $0) }
        case "tss": return .time(units: 1, isUTC: !rest.isEmpty)
        case "tsm": return .time(units: 1_000, isUTC: !rest.isEmpty)
        case "tsu": return .time(units: 1_000_000, isUTC: !rest.isEmpty)
        case "tsn": return .time(units: 1_000_000_000, isUTC: !rest.isEmpty)
        default: return nil  // Intervals, durations, times without a day, unions.
        }
    }

    private static func items(of schema: ArrowSchema, levels: Int) -> Self? {
        guard unsafe schema.n_children == 1, let child = unsafe schema.children?[0] else {
            return nil
        }
        return unsafe Self(child.pointee, levels: levels - 1)
    }

    private static func fields(of schema: ArrowSchema, levels: Int) -> [ArrowColumn.Field]? {
        guard let count = unsafe Int(exactly: schema.n_children),
            (0...ArrowLimits.fields).contains(count)
        else { return nil }
        var fields: [ArrowColumn.Field] = []
        for index in 0..<count {
            guard let child = unsafe schema.children?[index], unsafe child.pointee.release != nil,
                let name = unsafe child.pointee.name.map({ unsafe String(cString: $0) })
            else { return nil }
            let kind = unsafe Self(child.pointee, levels: levels - 1)
            fields.append(ArrowColumn.Field(name: name, kind: kind))
        }
        return fields
    }
}

extension ArrowColumn.Kind {
    /// Indicates whether values can be the names of members.
    var isText: Bool {
        if case .text = self { return true }
        if case .textView = self { return true }
        return false
    }
}

extension ArrowColumn.Field {
    /// The first part of the column whose type is not read: its place and Arrow's word for it.
    var unread: (place: String, type: String)? {
        let inner: [ArrowColumn.Field]
        switch kind {
        case .other(let type): return (name, type)
        case .structure(let fields), .map(let fields): inner = fields
        case .list(_, let item), .fixedList(_, let item), .dictionary(_, _, let item):
            inner = [ArrowColumn.Field(name: "[]", kind: item)]
        case .null, .bool, .integer, .double, .float, .text, .textView, .binary, .binaryView,
            .fixedBinary, .decimal, .time, .date:
            inner = []
        }
        // A lazy sequence would look twice at each level: 2^64 times for the deepest types.
        for field in inner {
            if let found = field.unread { return ("\(name).\(found.place)", found.type) }
        }
        return nil
    }
}
