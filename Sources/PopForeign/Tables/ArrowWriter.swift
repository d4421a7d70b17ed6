internal import CPoprules
internal import PopCEL

/// Writes values of Arrow arrays as JSON.
///
/// Rows, offsets, indexes and lengths are checked against their targets before anything is read by
/// them. A misfit is noted as a flaw, and written as null.
struct ArrowWriter {
    var bytes: [UInt8] = []
    /// The flaw of the array that was read; nil without a flaw.
    private(set) var flaw: String?

    /// The value in a row of an array; `form` is how times are written.
    mutating func write(
        _ kind: ArrowColumn.Kind, of array: ArrowArray, row: Int, form: ArrowColumn.TimeForm
    ) {
        guard let place = unsafe place(of: row, in: array) else { return append("null") }
        guard unsafe isValid(place, in: array) else { return append("null") }
        switch kind {
        case .null: append("null")
        case .bool: append(unsafe flag(of: array, place) ? "true" : "false")
        case .integer(let size, let isSigned):
            unsafe append(integer: array, place, size: size, isSigned: isSigned)
        case .double: append(unsafe value(of: array, place, as: Double.self) ?? .nan)
        case .float: append(Double(unsafe value(of: array, place, as: Float.self) ?? .nan))
        case .text, .textView: unsafe append(quoted: text(kind, of: array, place))
        case .binary, .binaryView, .fixedBinary:
            unsafe append(binary: text(kind, of: array, place))
        case .decimal(let size, let scale):
            unsafe append(decimal: array, place, size: size, scale: scale)
        case .time(let units, let isUTC):
            let time = unsafe value(of: array, place, as: Int64.self) ?? 0
            append(time, units: units, isUTC: isUTC, form: form)
        case .date(let isWide):
            let day = isWide ? 0 : unsafe value(of: array, place, as: Int32.self) ?? 0
            let time = isWide ? unsafe value(of: array, place, as: Int64.self) ?? 0 : 0
            append(
                isWide ? time : Int64(day) * 86_400, units: isWide ? 1_000 : 1, isUTC: true,
                form: form)
        case .structure(let fields): unsafe append(fields, of: array, place, form: form)
        case .map(let fields):
            let range = unsafe items(of: array, place, wide: false)
            unsafe append(map: fields, range, of: array, form: form)
        case .fixedList(let count, let item):
            unsafe append(place * count..<(place + 1) * count, of: array, item: item, form: form)
        case .list(let wide, let item):
            let range = unsafe items(of: array, place, wide: wide)
            unsafe append(range, of: array, item: item, form: form)
        case .dictionary(let size, let isSigned, let values):
            guard let items = unsafe array.dictionary?.pointee else { return append("null") }
            let index = unsafe Self.integer(of: array, place, size: size, isSigned: isSigned)
            guard index >= 0, unsafe index < items.length else {
                note("an index outside its dictionary")
                return append("null")
            }
            unsafe write(values, of: items, row: Int(index), form: form)
        case .other: append("null")
        }
    }

    private mutating func append(
        _ range: Range<Int>, of array: ArrowArray, item: ArrowColumn.Kind,
        form: ArrowColumn.TimeForm
    ) {
        append("[")
        for index in range {
            // The rows before in this block count too, so the limit is never below `bytesPerRow`.
            if bytes.count > ArrowLimits.bytesPerBlock + ArrowLimits.bytesPerRow {
                note("a row of more than \(ArrowLimits.bytesPerRow) bytes")
            }
            if flaw != nil { break }
            if index > range.lowerBound { append(",") }
            guard let items = unsafe array.children?[0]?.pointee else { continue }
            unsafe write(item, of: items, row: index, form: form)
        }
        append("]")
    }

    private mutating func append(
        map fields: [ArrowColumn.Field], _ range: Range<Int>, of array: ArrowArray,
        form: ArrowColumn.TimeForm
    ) {
        let isObject = fields[0].kind.isText
        guard isObject, let entries = unsafe array.children?[0]?.pointee,
            let keys = unsafe entries.children?[0]?.pointee,
            let values = unsafe entries.children?[1]?.pointee
        else { return unsafe append(range, of: array, item: .structure(fields), form: form) }
        append("{")
        for index in range {
            if index > range.lowerBound { append(",") }
            let row = unsafe index + Int(entries.offset)
            unsafe write(fields[0].kind, of: keys, row: row, form: form)
            append(":")
            unsafe write(fields[1].kind, of: values, row: row, form: form)
        }
        append("}")
    }

    mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func note(_ words: String) { flaw = flaw ?? words }

    /// Returns the place of a row's value; nil, which is a flaw, for a row that the array does not
    /// have.
    private mutating func place(of row: Int, in array: ArrowArray) -> Int? {
        guard row >= 0, unsafe row < array.length else {
            note("fewer values than rows")
            return nil
        }
        return unsafe row + Int(array.offset)
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

    /// Appends bytes as text if they are UTF-8, otherwise as digits.
    private mutating func append(binary bytes: UnsafeRawBufferPointer) {
        if unsafe String(validating: bytes, as: UTF8.self) != nil {
            return unsafe append(quoted: bytes)
        }
        append("\"")
        unsafe bytes.forEach { append(digitsOf: $0) }
        append("\"")
    }

    private mutating func append(digitsOf byte: UInt8) {
        for digit in [byte >> 4, byte & 15] {
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private mutating func append(
        decimal array: ArrowArray, _ place: Int, size: Int, scale: Int
    ) {
        let number =
            switch size {
            case 4: Int128(unsafe value(of: array, place, as: Int32.self) ?? 0)
            case 8: Int128(unsafe value(of: array, place, as: Int64.self) ?? 0)
            default: unsafe value(of: array, place, as: Int128.self) ?? 0
            }
        guard scale > 0 else {
            bytes.append(contentsOf: String(number).utf8)
            bytes.append(
                contentsOf: repeatElement(UInt8(ascii: "0"), count: number == 0 ? 0 : -scale))
            return
        }
        let digits = Array(String(number.magnitude).utf8)
        let zeros = repeatElement(UInt8(ascii: "0"), count: max(scale + 1 - digits.count, 0))
        let all = zeros + digits
        if number < 0 { append("-") }
        bytes.append(contentsOf: all.dropLast(scale))
        append(".")
        bytes.append(contentsOf: all.suffix(scale))
    }

    private mutating func append(_ number: Double) {
        guard number.isFinite else { return append("null") }
        bytes.append(contentsOf: number.description.utf8)
    }

    /// The times that can be written by the calendar: of the years from 1 to 9999.
    private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private mutating func append(
        _ time: Int64, units: Int64, isUTC: Bool, form: ArrowColumn.TimeForm
    ) {
        let (whole, rest) = time.quotientAndRemainder(dividingBy: units)
        let seconds = rest < 0 ? whole - 1 : whole
        let nanoseconds = (rest < 0 ? rest + units : rest) * (1_000_000_000 / units)
        switch form {
        case .text where !Self.years.contains(seconds): append("null")
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
        var isFirst = true
        for (index, field) in fields.enumerated() {
            guard let child = unsafe array.children?[index] else { continue }
            unsafe write(field, of: child, row: place, form: form, isFirst: &isFirst)
        }
        append("}")
    }

    /// A member of an object, unless it is null: a table has no other word for what is not there.
    mutating func write(
        _ field: ArrowColumn.Field, of array: UnsafePointer<ArrowArray>, row: Int,
        form: ArrowColumn.TimeForm, isFirst: inout Bool
    ) {
        guard let place = unsafe place(of: row, in: array.pointee),
            unsafe isValid(place, in: array.pointee)
        else { return }
        if !isFirst { append(",") }
        isFirst = false
        append(quoted: field.name.utf8)
        append(":")
        unsafe write(field.kind, of: array.pointee, row: row, form: form)
    }

    private mutating func text(
        _ kind: ArrowColumn.Kind, of array: ArrowArray, _ place: Int
    ) -> UnsafeRawBufferPointer {
        let range: Range<Int>
        switch kind {
        case .text(let wide), .binary(let wide):
            range = unsafe self.range(of: array, place, wide: wide)
        case .fixedBinary(let count):
            return unsafe UnsafeRawBufferPointer(
                start: array.buffers?[1].map { unsafe $0 + place * count }, count: count)
        case .textView, .binaryView, .null, .bool, .integer, .double, .float, .decimal, .time,
            .date, .structure, .list, .fixedList, .map, .dictionary, .other:
            return unsafe view(of: array, place)
        }
        guard !range.isEmpty, unsafe array.n_buffers > 2, let bytes = unsafe array.buffers?[2]
        else {
            if !range.isEmpty { note("a missing buffer") }
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    /// Returns the bytes of a view. Up to twelve bytes are in the view itself, more in one of the
    /// buffers after it, the last of which has the lengths of the others.
    private mutating func view(of array: ArrowArray, _ place: Int) -> UnsafeRawBufferPointer {
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        guard let view = unsafe array.buffers?[1].map({ unsafe $0 + place * 16 }) else {
            return unsafe none
        }
        let count = unsafe Int(view.loadUnaligned(as: Int32.self))
        if (0...12).contains(count) {
            return unsafe UnsafeRawBufferPointer(start: view + 4, count: count)
        }
        let buffer = unsafe Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        let offset = unsafe Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        let last = unsafe Int(array.n_buffers) - 1
        guard count > 0, offset >= 0, buffer >= 0, buffer < last - 2,
            let bytes = unsafe array.buffers?[2 + buffer],
            let length = unsafe array.buffers?[last]?
                .loadUnaligned(fromByteOffset: buffer * 8, as: Int64.self),
            Int64(offset) + Int64(count) <= length
        else {
            note("a view outside its buffers")
            return unsafe none
        }
        return unsafe UnsafeRawBufferPointer(start: bytes + offset, count: count)
    }

    /// The places of the items of a list or a map.
    private mutating func items(of array: ArrowArray, _ place: Int, wide: Bool) -> Range<Int> {
        let range = unsafe range(of: array, place, wide: wide)
        guard let items = unsafe array.children?[0]?.pointee,
            unsafe range.upperBound <= Int(items.length)
        else {
            if !range.isEmpty { note("a list outside its items") }
            return 0..<0
        }
        return range
    }

    /// Returns the range of the offsets at a place. No offset is below the one before it, nor
    /// beyond the last one, which gives the total length.
    private mutating func range(of array: ArrowArray, _ place: Int, wide: Bool) -> Range<Int> {
        guard let offsets = unsafe array.buffers?[1] else { return 0..<0 }
        func offset(_ index: Int) -> Int {
            unsafe wide
                ? Int(offsets.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
                : Int(offsets.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
        }
        let (start, end) = (offset(place), offset(place + 1))
        let last = unsafe offset(Int(array.offset) + Int(array.length))
        guard start >= 0, start <= end, end <= last else {
            note("offsets that are not in ascending order")
            return 0..<0
        }
        return start..<end
    }

    private mutating func append(quoted text: some Collection<UInt8>) {
        append("\"")
        defer { append("\"") }
        if !text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            return bytes.append(contentsOf: text)
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case 0..<0x20:
                append("\\u00")
                append(digitsOf: byte)
            default: bytes.append(byte)  // Every other byte stands for itself.
            }
        }
    }
}

/// `2026-05-04T09:00:00.5`, by the calendar.
private func timeText(_ seconds: Int64, nanoseconds: Int64) -> String {
    let text = Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)).description
    return text.hasSuffix("Z") ? String(text.dropLast()) : text
}
