internal import CPoprules
internal import PopCEL

/// A column of a table in Arrow's memory, whose values are written as JSON.
///
/// Whoever hands over a table promises that its memory is as the format says; nothing of it is
/// copied, and nothing is kept.
struct ArrowColumn {
    /// What the values are.
    indirect enum Kind {
        case null
        case bool
        case integer(bytes: Int, isSigned: Bool)
        case double
        case float
        case text(wide: Bool)
        case textView
        /// Units in a second, and whether times are those of UTC.
        case time(units: Int64, isUTC: Bool)
        /// Days since 1970.
        case date
        case structure([Field])
        case list(wide: Bool, Kind)
        /// Indexes into other values.
        case dictionary(bytes: Int, isSigned: Bool, Kind)
    }

    /// A column, of a table or of a value that has members.
    struct Field {
        var name: String
        var kind: Kind
    }

    /// How the times of a column are written.
    enum TimeForm {
        /// `2026-05-04T09:00:00.5Z`, without the `Z` where the column has no zone.
        case text
        /// Since 1970, in so many units a second.
        case number(units: Int64)
    }
}

extension ArrowColumn.Kind {
    /// Of a schema; nil for what is not known.
    init?(_ schema: ArrowSchema) {
        guard let format = unsafe schema.format.map({ unsafe String(cString: $0) }) else {
            return nil
        }
        guard let plain = unsafe Self.plainKind(format, of: schema) else { return nil }
        guard let values = unsafe schema.dictionary else {
            self = plain
            return
        }
        guard case .integer(let bytes, let isSigned) = plain,
            let kind = unsafe Self(values.pointee)
        else { return nil }
        self = .dictionary(bytes: bytes, isSigned: isSigned, kind)
    }

    private static func plainKind(_ format: String, of schema: ArrowSchema) -> Self? {
        switch format {
        case "n": .null
        case "b": .bool
        case "c", "C": .integer(bytes: 1, isSigned: format == "c")
        case "s", "S": .integer(bytes: 2, isSigned: format == "s")
        case "i", "I": .integer(bytes: 4, isSigned: format == "i")
        case "l", "L": .integer(bytes: 8, isSigned: format == "l")
        case "f": .float
        case "g": .double
        case "u": .text(wide: false)
        case "U": .text(wide: true)
        case "vu": .textView
        case "tdD": .date
        case "+s": unsafe structureKind(schema)
        case "+l", "+L":
            unsafe listKind(schema, wide: format == "+L")
        default: timeKind(format)
        }
    }

    private static func listKind(_ schema: ArrowSchema, wide: Bool) -> Self? {
        guard unsafe schema.n_children == 1, let child = unsafe schema.children?[0],
            let kind = unsafe Self(child.pointee)
        else { return nil }
        return .list(wide: wide, kind)
    }

    private static func structureKind(_ schema: ArrowSchema) -> Self? {
        var fields: [ArrowColumn.Field] = []
        for index in 0..<Int(unsafe schema.n_children) {
            guard let child = unsafe schema.children?[index],
                let name = unsafe child.pointee.name.map({ unsafe String(cString: $0) }),
                let kind = unsafe Self(child.pointee)
            else { return nil }
            fields.append(ArrowColumn.Field(name: name, kind: kind))
        }
        return .structure(fields)
    }

    /// `tsu:Europe/Berlin`: times with a zone are kept in UTC.
    private static func timeKind(_ format: String) -> Self? {
        let units: [Character: Int64] = [
            "s": 1, "m": 1_000, "u": 1_000_000, "n": 1_000_000_000,
        ]
        guard format.hasPrefix("ts"), let colon = format.firstIndex(of: ":"),
            let unit = format.dropFirst(2).first.flatMap({ units[$0] })
        else { return nil }
        return .time(units: unit, isUTC: format.index(after: colon) < format.endIndex)
    }
}

/// Writes values of Arrow arrays as JSON.
struct ArrowWriter {
    var bytes: [UInt8] = []

    /// The value in a row of an array; `form` is how times are written.
    mutating func write(
        _ kind: ArrowColumn.Kind, of array: ArrowArray, row: Int, form: ArrowColumn.TimeForm
    ) {
        let place = unsafe row + Int(array.offset)
        guard unsafe isValid(place, in: array) else { return append("null") }
        switch kind {
        case .null: append("null")
        case .bool: append(unsafe flag(of: array, place) ? "true" : "false")
        case .integer(let size, let isSigned):
            unsafe append(integer: array, place, size: size, isSigned: isSigned)
        case .double: append(unsafe value(of: array, place, as: Double.self) ?? .nan)
        case .float: append(Double(unsafe value(of: array, place, as: Float.self) ?? .nan))
        case .text, .textView: unsafe append(quoted: Self.text(kind, of: array, place))
        case .time(let units, let isUTC):
            let time = unsafe value(of: array, place, as: Int64.self) ?? 0
            append(time, units: units, isUTC: isUTC, form: form)
        case .date:
            let day = unsafe value(of: array, place, as: Int32.self) ?? 0
            append(Int64(day) * 86_400, units: 1, isUTC: true, form: form)
        case .structure(let fields): unsafe append(fields, of: array, place, form: form)
        case .list(let wide, let item):
            let range = unsafe Self.range(array.buffers?[1], place, wide: wide)
            unsafe append(range, of: array, item: item, form: form)
        case .dictionary(let size, let isSigned, let values):
            guard let items = unsafe array.dictionary?.pointee else { return append("null") }
            let index = unsafe Self.integer(of: array, place, size: size, isSigned: isSigned)
            unsafe write(values, of: items, row: Int(index), form: form)
        }
    }

    private mutating func append(
        _ range: Range<Int>, of array: ArrowArray, item: ArrowColumn.Kind,
        form: ArrowColumn.TimeForm
    ) {
        append("[")
        for index in range {
            if index > range.lowerBound { append(",") }
            guard let items = unsafe array.children?[0]?.pointee else { continue }
            unsafe write(item, of: items, row: index, form: form)
        }
        append("]")
    }

    /// A member of an object: `"name":` and its value.
    mutating func write(name: String) {
        append(quoted: Array(name.utf8)[...])
        append(":")
    }

    mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func isValid(_ place: Int, in array: ArrowArray) -> Bool {
        guard unsafe array.null_count != 0, unsafe array.n_buffers > 0,
            let bits = unsafe array.buffers?[0]
        else { return true }
        return unsafe (bits.load(fromByteOffset: place >> 3, as: UInt8.self) >> (place & 7)) & 1
            == 1
    }

    private func flag(of array: ArrowArray, _ place: Int) -> Bool {
        let bits = unsafe array.buffers?[1]
        let byte = unsafe bits?.load(fromByteOffset: place >> 3, as: UInt8.self) ?? 0
        return (byte >> (place & 7)) & 1 == 1
    }

    private func value<Value: BitwiseCopyable>(
        of array: ArrowArray, _ place: Int, as type: Value.Type
    ) -> Value? {
        unsafe array.buffers?[1]?.loadUnaligned(
            fromByteOffset: place * MemoryLayout<Value>.stride, as: type)
    }

    private mutating func append(
        integer array: ArrowArray, _ place: Int, size: Int, isSigned: Bool
    ) {
        let number = unsafe Self.integer(of: array, place, size: size, isSigned: isSigned)
        let text = isSigned ? String(number) : String(UInt64(bitPattern: number))
        bytes.append(contentsOf: text.utf8)
    }

    private static func integer(
        of array: ArrowArray, _ place: Int, size: Int, isSigned: Bool
    ) -> Int64 {
        guard let memory = unsafe array.buffers?[1] else { return 0 }
        func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
            unsafe memory.loadUnaligned(fromByteOffset: place * size, as: type)
        }
        switch (size, isSigned) {
        case (1, true): return Int64(load(Int8.self))
        case (1, false): return Int64(load(UInt8.self))
        case (2, true): return Int64(load(Int16.self))
        case (2, false): return Int64(load(UInt16.self))
        case (4, true): return Int64(load(Int32.self))
        case (4, false): return Int64(load(UInt32.self))
        default: return load(Int64.self)  // Of eight bytes, with a sign or without.
        }
    }

    private mutating func append(_ number: Double) {
        guard number.isFinite else { return append("null") }
        bytes.append(contentsOf: number.description.utf8)
    }

    private mutating func append(
        _ time: Int64, units: Int64, isUTC: Bool, form: ArrowColumn.TimeForm
    ) {
        let (whole, rest) = time.quotientAndRemainder(dividingBy: units)
        let seconds = rest < 0 ? whole - 1 : whole
        let nanoseconds = (rest < 0 ? rest + units : rest) * (1_000_000_000 / units)
        switch form {
        case .text:
            append("\"")
            bytes.append(contentsOf: timeText(seconds, nanoseconds: nanoseconds).utf8)
            append(isUTC ? "Z\"" : "\"")
        case .number(let wanted):
            let number =
                Double(seconds) * Double(wanted) + Double(nanoseconds) / 1e9 * Double(wanted)
            if let exact = Int64(exactly: number.rounded(.down)), wanted > 1 {
                bytes.append(contentsOf: String(exact).utf8)
            } else {
                append(number)
            }
        }
    }

    private mutating func append(
        _ fields: [ArrowColumn.Field], of array: ArrowArray, _ place: Int,
        form: ArrowColumn.TimeForm
    ) {
        append("{")
        for (index, field) in fields.enumerated() {
            guard let child = unsafe array.children?[index]?.pointee else { continue }
            if index > 0 { append(",") }
            write(name: field.name)
            unsafe write(field.kind, of: child, row: place, form: form)
        }
        append("}")
    }

    private static func text(
        _ kind: ArrowColumn.Kind, of array: ArrowArray, _ place: Int
    ) -> UnsafeRawBufferPointer {
        guard case .text(let wide) = kind else { return unsafe view(of: array, place) }
        let range = unsafe range(array.buffers?[1], place, wide: wide)
        return unsafe UnsafeRawBufferPointer(
            start: array.buffers?[2].map { unsafe $0 + range.lowerBound }, count: range.count)
    }

    /// Up to twelve bytes stand in the view itself, more in one of the buffers behind it.
    private static func view(of array: ArrowArray, _ place: Int) -> UnsafeRawBufferPointer {
        guard let view = unsafe array.buffers?[1].map({ unsafe $0 + place * 16 }) else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let count = unsafe Int(view.loadUnaligned(as: Int32.self))
        if count <= 12 { return unsafe UnsafeRawBufferPointer(start: view + 4, count: count) }
        let buffer = unsafe Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        let offset = unsafe Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        return unsafe UnsafeRawBufferPointer(
            start: array.buffers?[2 + buffer].map { unsafe $0 + offset }, count: count)
    }

    private static func range(
        _ offsets: UnsafeRawPointer?, _ place: Int, wide: Bool
    ) -> Range<Int> {
        guard let offsets = unsafe offsets else { return 0..<0 }
        func offset(_ index: Int) -> Int {
            unsafe wide
                ? Int(offsets.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
                : Int(offsets.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
        }
        return offset(place)..<max(offset(place + 1), offset(place))
    }

    private mutating func append(quoted text: some Collection<UInt8>) {
        append("\"")
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                append("\\u00")
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)  // Every other byte stands for itself.
            }
        }
        append("\"")
    }
}

/// `2026-05-04T09:00:00.5`, by the calendar.
private func timeText(_ seconds: Int64, nanoseconds: Int64) -> String {
    let text = Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)).description
    return text.hasSuffix("Z") ? String(text.dropLast()) : text
}
