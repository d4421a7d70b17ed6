internal import PopCEL

/// Something that is compared with constants: a key, or a count of events.
struct FormulaKey {
    let name: String
    let type: CELType
    var mayBeMissing = false
    var allowed: [Value]?
    var minimum: Value?
    var maximum: Value?
}

extension FormulaKey {
    /// Returns cells that represent all values of the key, as far as some constants distinguish
    /// them.
    ///
    /// Values far from all constants come first, since they often suffice.
    func cells(_ constants: [Value]) -> [Cell] {
        let values = (allowed ?? values(around: constants)).filter { isWithinBounds($0) }
        let cells = values.isEmpty ? [.something] : values.map { Cell.value($0) }
        return mayBeMissing ? cells + [.missing] : cells
    }

    /// NaN isn't within any bounds.
    private func isWithinBounds(_ value: Value) -> Bool {
        if case .double(let number) = value, number.isNaN {
            return minimum == nil && maximum == nil
        }
        if let minimum, value.order(to: minimum) == .less { return false }
        if let maximum, value.order(to: maximum) == .greater { return false }
        return true
    }

    /// Returns values such that no constant distinguishes values between two neighbors. Empty if
    /// the type has values for which that isn't possible.
    private func values(around constants: [Value]) -> [Value] {
        let marks = constants + [minimum, maximum].compactMap { $0 }
        switch type {
        case .bool: return [.bool(true), .bool(false)]
        case .string: return [.string(Self.another(than: constants))] + constants
        case .int: return Self.wholeNumbers(Int64.self, around: marks).map { .int($0) }
        case .uint: return Self.wholeNumbers(UInt64.self, around: marks).map { .uint($0) }
        case .double:
            let numbers = marks.compactMap { $0.asDouble }.flatMap { [$0, $0.nextDown, $0.nextUp] }
            return ([.nan, .infinity, -.infinity] + Set(numbers).sorted()).map { .double($0) }
        case .version: return Self.versions(around: marks)
        case .dyn, .null, .bytes, .timestamp, .duration, .list, .map, .optional, .type, .wrapper,
            .opaque, .parameter:
            return marks.flatMap { $0.moments }
        }
    }

    /// Returns a string that isn't one of the constants.
    private static func another(than constants: [Value]) -> String {
        let longest = constants.map { value in
            if case .string(let text) = value { text.utf8.count } else { 0 }
        }.max()
        return String(repeating: "x", count: (longest ?? 0) + 1)
    }

    /// Returns the least of all versions, and each mark with the version right after it; empty if
    /// that version can't be written.
    private static func versions(around marks: [Value]) -> [Value] {
        var texts = ["0-0"]
        for case .version(let version) in marks { texts.append(version.text) }
        let numbers = texts.reduce(0) { max($0, $1.utf8.count { $0 == UInt8(ascii: ".") }) + 1 }
        let zeros = String(repeating: ".0", count: numbers)
        var versions: [Value] = []
        for text in texts {
            let version = text.prefix { $0 != "+" }
            // Before a version itself comes what has a `-`, and there more words are greater.
            let next = version.contains("-") ? "\(version).0" : "\(version)\(zeros).1"
            guard let version = Version(text), let next = Version(next) else { return [] }
            versions += [.version(version), .version(next)]
        }
        return versions
    }

    private static func wholeNumbers<Number: FixedWidthInteger>(
        _: Number.Type, around marks: [Value]
    ) -> [Number] {
        var near: Set<Number> = []
        for mark in marks {
            let numbers: [Number] = mark.wholeNumbers()
            for number in numbers {
                near.insert(number)
                if number > .min { near.insert(number - 1) }
                if number < .max { near.insert(number + 1) }
            }
        }
        return [.max, .min] + near.sorted()
    }
}

extension Value {
    /// The whole numbers at a number or on both sides of it.
    fileprivate func wholeNumbers<Number: FixedWidthInteger>() -> [Number] {
        switch self {
        case .int(let number): [Number(clamping: number)]
        case .uint(let number): [Number(clamping: number)]
        case .double(let number):
            [number.rounded(.down), number.rounded(.up)].compactMap { Number(exactly: $0) }
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            []
        }
    }

    fileprivate var asDouble: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    /// A time or duration with its neighbors.
    fileprivate var moments: [Value] {
        switch self {
        case .timestamp(let moment): [moment.neighbour(-1), self, moment.neighbour(1)]
        case .duration(let duration):
            [-1, 0, 1].map {
                .duration(duration + Duration(secondsComponent: 0, attosecondsComponent: $0))
            }
        case .null, .bool, .int, .uint, .double, .string, .bytes, .version, .list, .map, .type,
            .optional:
            []
        }
    }
}

extension Timestamp {
    private static let second: Int32 = 1_000_000_000

    /// One nanosecond before or after.
    fileprivate func neighbour(_ step: Int32) -> Value {
        let nanoseconds = nanoseconds + step
        let carry: Int64 = nanoseconds < 0 ? -1 : nanoseconds >= Self.second ? 1 : 0
        return .timestamp(
            Timestamp(
                seconds: seconds + carry,
                nanoseconds: nanoseconds - Int32(carry) * Self.second))
    }
}
