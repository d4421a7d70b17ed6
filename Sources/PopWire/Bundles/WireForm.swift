package import PopCEL
package import PopScheduler
package import PopSource

// The generic code in this file isn't specialized (`@_semantics`): a form is created once for each
// of some 150 types, whose copies would add 209 KB to an app. Without them, reading a bundle takes
// 9 % longer (41 instead of 38 ms for 1,000 popups), but a bundle is only read once.

/// The form of a value in a bundle: a function that writes it, and one that reads it back.
package struct WireForm<Value>: Sendable {
    package let written: @Sendable (Value) -> Written
    /// Throws if the JSON isn't such a value.
    package let read: @Sendable (JSON, inout BundleReader) throws(BundleError) -> Value

    package init(
        written: @escaping @Sendable (Value) -> Written,
        read: @escaping @Sendable (JSON, inout BundleReader) throws(BundleError) -> Value
    ) {
        self.written = written
        self.read = read
    }

    /// Creates a form that every version of bundles has.
    package init(
        write: @escaping @Sendable (Value) -> JSON,
        read: @escaping @Sendable (JSON, inout BundleReader) throws(BundleError) -> Value
    ) {
        self.init(written: { Written(json: write($0)) }, read: read)
    }

    package func write(_ value: Value) -> JSON { written(value).json }
}

/// A member of an object in a bundle: its name, the form of its value, and the property that it
/// belongs to.
package struct WireKey<Target>: Sendable {
    let name: String
    let isRequired: Bool
    /// Returns nil if the value is the default.
    package let written: @Sendable (Target) -> Written?
    package let read: @Sendable (JSON, inout Target, inout BundleReader) throws(BundleError) -> Void

    /// `value` returns nil if the member needn't be written; `since` is the first version of
    /// bundles that has the member.
    @_semantics("optimize.sil.specialize.generic.never")
    package init<Value>(
        _ name: String, form: WireForm<Value>, isRequired: Bool = false, since: Int = 1,
        value: @escaping @Sendable (Target) -> Value?,
        store: @escaping @Sendable (inout Target, Value) -> Void
    ) {
        self.name = name
        self.isRequired = isRequired
        written = { value($0).map { form.written($0).atLeast(since) } }
        read = { json, target, reader throws(BundleError) in
            store(&target, try form.read(json, &reader))
        }
    }
}

extension WireForm {
    /// Returns the form of an object with these members, read into a value with the defaults.
    ///
    /// `skipsUnknown` is for objects that a later version may have written, such as a history:
    /// members that this version doesn't know are skipped. Elsewhere they are an error.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func object(
        _ keys: [WireKey<Value>], from usual: Value, skipsUnknown: Bool = false
    ) -> Self
    where Value: Sendable {
        let names = keys.map { MemberName($0.name, isRequired: $0.isRequired) }
        return Self(
            written: { value in .object(names, values: keys.map { $0.written(value) }) },
            read: { json, reader throws(BundleError) in
                var value = usual
                for (place, json) in try json.members(
                    named: names, skipsUnknown: skipsUnknown)
                {
                    try keys[place].read(json, &value, &reader)
                }
                return value
            })
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package static func list<Item>(of item: WireForm<Item>) -> Self where Value == [Item] {
        Self(
            written: { .list($0.map(item.written)) },
            read: { json, reader throws(BundleError) in
                var values: [Item] = []
                for json in try json.list() { values.append(try item.read(json, &reader)) }
                return values
            })
    }
}

extension WireForm<Bool> {
    package static let flag = WireForm(
        write: { .bool($0) },
        read: { json, _ throws(BundleError) in
            guard case .bool(let flag) = json else { throw .damaged("expected `true` or `false`") }
            return flag
        })
}

extension WireForm<Int64> {
    package static let number = WireForm(
        write: { .int($0) },
        read: { json, _ throws(BundleError) in
            guard case .int(let number) = json else { throw .damaged("expected an integer") }
            return number
        })
}

extension WireForm<Int> {
    /// A number that exceeds `Int` on this platform, such as one with 32 bits, counts as damage.
    package static let number = WireForm(
        write: { .int($0) },
        read: { json, reader throws(BundleError) in
            let number = try WireForm<Int64>.number.read(json, &reader)
            guard let number = Int(exactly: number) else { throw .damaged("expected an integer") }
            return number
        })

    /// At least 1, without an upper bound.
    package static let ordinal = bounded("number from 1", within: 1...Int.max)

    // The numbers of rules, with the bounds that rule files have.
    static let count = bounded("count", within: RuleBounds.counts)
    static let weight = bounded("weight", within: RuleBounds.weights)
    static let priority = bounded("priority", within: RuleBounds.priorities)
    static let day = bounded("calendar day", within: RuleBounds.days)

    private static func bounded(_ kind: String, within bounds: ClosedRange<Int>) -> WireForm {
        WireForm(
            write: { .int($0) },
            read: { json, reader throws(BundleError) in
                let number = try number.read(json, &reader)
                guard bounds.contains(number) else {
                    throw .damaged("`\(number)` is not a valid \(kind)")
                }
                return number
            })
    }
}

extension WireForm<Int64> {
    /// A local time in seconds, in the years that rule files can name.
    static let reading = WireForm(
        write: { .int($0) },
        read: { json, reader throws(BundleError) in
            let seconds = try number.read(json, &reader)
            guard RuleBounds.readings.contains(seconds) else {
                throw .damaged("`\(seconds)` is not a valid clock reading")
            }
            return seconds
        })
}

extension WireForm where Value: ListIndex {
    /// Returns the form of an index into a list of the bundle.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func place(in count: @escaping @Sendable (BundleReader) -> Int) -> WireForm {
        WireForm(
            write: { .int($0.number) },
            read: { json, reader throws(BundleError) in
                let number = try WireForm<Int>.number.read(json, &reader)
                guard number >= 0, number < count(reader) else {
                    throw .damaged("a part that it refers to is missing")
                }
                return Value(number)
            })
    }
}

extension WireForm<Double> {
    package static let fraction = WireForm(
        write: { .double($0) },
        read: { json, _ throws(BundleError) in
            switch json {
            case .int(let number): return Double(number)
            case .double(let number): return number
            case .null, .bool, .uint, .string, .array, .object: throw .damaged("expected a number")
            }
        })
}

extension WireForm<String> {
    package static let text = WireForm(
        write: { .string($0) },
        read: { json, _ throws(BundleError) in
            guard case .string(let text) = json else { throw .damaged("expected a string") }
            return text
        })
}

extension WireForm {
    /// Returns the form of a value that is written as a string.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func text(
        _ kind: String, write: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(
            write: { .string(write($0)) },
            read: { json, _ throws(BundleError) in
                guard case .string(let text) = json, let value = read(text) else {
                    throw .damaged("`\(json.compact)` is not a valid \(kind)")
                }
                return value
            })
    }
}

extension WireForm where Value: RawRepresentable<String> & SendableMetatype {
    /// One of several known words.
    package static var word: Self {
        text("keyword", write: { $0.rawValue }, read: { Value(rawValue: $0) })
    }
}

extension WireForm<Duration> {
    /// A duration of zero or more.
    package static let duration = text(
        "duration", write: { DurationText.format($0) },
        read: { text in DurationText.parse(text).flatMap { $0 >= .zero ? $0 : nil } })

    // The lengths of time of rules, with the bounds that rule files have.
    static let length = bounded(within: RuleBounds.durations)
    static let positiveLength = bounded(within: RuleBounds.positiveDurations)

    private static func bounded(within bounds: ClosedRange<Duration>) -> WireForm {
        text(
            "duration", write: { DurationText.format($0) },
            read: { text in
                DurationText.parse(text).flatMap { bounds.contains($0) ? $0 : nil }
            })
    }
}

extension WireForm<Timestamp> {
    package static let date = text(
        "date", write: { $0.description }, read: { Timestamp(parsing: $0) })
}

extension WireForm<Condition> {
    package static let condition = condition(inside: nil)

    /// Returns the form of the text of a condition, which may read the fields of an event.
    package static func condition(inside event: EventIndex?) -> WireForm {
        WireForm(
            written: { condition in
                let expression = condition.program.expression
                return Written(
                    json: .string(expression.description),
                    version: expression.calls("version") ? 2 : 1)
            },
            read: { json, reader throws(BundleError) in
                try reader.condition(try WireForm<String>.text.read(json, &reader), inside: event)
            })
    }
}

extension WireForm<CELType> {
    package static let type = WireForm(
        written: { Written(json: .string($0.description), version: $0.hasVersions ? 2 : 1) },
        read: { json, reader throws(BundleError) in
            let text = try WireForm<String>.text.read(json, &reader)
            guard let type = CELType(parsing: text, depth: reader.limits.typeDepth) else {
                throw .damaged("`\(text)` is not a valid type")
            }
            return type
        })
}

extension CELType {
    /// True if its values are versions, or contain versions.
    fileprivate var hasVersions: Bool {
        switch self {
        case .version: true
        case .list(let element): element.hasVersions
        case .map(_, let value): value.hasVersions
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .optional, .type, .wrapper, .opaque, .parameter:
            false
        }
    }
}

// Values that needn't be written.
extension Collection {
    package var unlessEmpty: Self? { isEmpty ? nil : self }
}

/// The written form of a value. Code that doesn't depend on the value's type is in this type, and
/// not in the forms, which are compiled again for each type.
package struct Written: Sendable {
    package var json: JSON
    /// The first version of bundles that can contain it.
    package var version = 1

    /// Returns the same for at least the given version, which is the first that has the member.
    @inline(never)
    func atLeast(_ version: Int) -> Written {
        Written(json: json, version: max(version, self.version))
    }

    @inline(never)
    static func list(_ items: [Written]) -> Written {
        Written(
            json: .array(items.map { $0.json }), version: items.map { $0.version }.max() ?? 1)
    }

    /// Returns an object of the members that have a value.
    @inline(never)
    static func object(_ names: [MemberName], values: [Written?]) -> Written {
        var members: [JSON.Member] = []
        var version = 1
        for (name, value) in zip(names, values) {
            guard let value else { continue }
            members.append(JSON.Member(key: name.text, value: value.json))
            version = max(version, value.version)
        }
        return Written(json: .object(members), version: version)
    }
}

/// The name of a member of an object, and whether the object requires the member.
struct MemberName: Sendable {
    let text: String
    let isRequired: Bool

    init(_ text: String, isRequired: Bool) {
        self.text = text
        self.isRequired = isRequired
    }
}

extension JSON {
    /// Returns the members of an object, each with the index of its name.
    @inline(never)
    func members(
        named names: [MemberName], skipsUnknown: Bool = false
    ) throws(BundleError) -> [(place: Int, json: JSON)] {
        guard case .object(let members) = self else { throw .damaged("expected an object") }
        var found: [(place: Int, json: JSON)] = []
        var missing = Set(names.indices.filter { names[$0].isRequired })
        for member in members {
            guard let place = names.firstIndex(where: { $0.text == member.key }) else {
                if skipsUnknown { continue }
                throw .damaged("unknown key `\(member.key)`")
            }
            missing.remove(place)
            found.append((place, member.value))
        }
        if let place = missing.min() { throw .damaged("`\(names[place].text)` is missing") }
        return found
    }

    @inline(never)
    func list() throws(BundleError) -> [JSON] {
        guard case .array(let items) = self else { throw .damaged("expected a list") }
        return items
    }
}

extension WireForm<Value> {
    /// A value: JSON's own form if it is unambiguous in JSON, otherwise an object with one key that
    /// begins with `$` and names the type, such as `{"$double": "1.5"}`.
    ///
    /// It also reads the plain forms that other languages write: `99.5` is a double, `null` is
    /// null, and an object without such a key is a map.
    package static let value = WireForm(
        write: json,
        read: { json, _ throws(BundleError) in
            guard let value = value(json) else { throw .damaged(wordsOfNoValue) }
            return value
        })

    private static var wordsOfNoValue: String {
        "expected a Boolean, a number, a string, a list, a map, null or an object such as"
            + " {\"$timestamp\": \"2026-01-31T09:00:00Z\"}"
    }

    private static func json(_ value: Value) -> JSON {
        switch value {
        case .null, .type, .optional: .object(["$null": true])
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .uint(let value): .object(["$uint": .uint(value)])
        case .double(let value): .object(["$double": .string("\(value)")])
        case .bytes(let value): .object(["$bytes": .string(Base64.encode(value))])
        case .timestamp(let value): .object(["$timestamp": .string(value.description)])
        case .duration(let value): .object(["$duration": .string(DurationText.format(value))])
        case .version(let value): .object(["$version": .string(value.text)])
        case .list(let values): .array(values.map(json))
        // A list of keys and values in turn, so that any value may be a key and the order is kept.
        case .map(let map):
            .object(["$map": .array(map.flatMap { [json($0.key), json($0.value)] })])
        }
    }

    private static func value(_ json: JSON) -> Value? {
        switch json {
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .array(let items): values(items).map(Value.list)
        case .object(let members) where members.count == 1 && members[0].key.hasPrefix("$"):
            tagged(members[0].key, json: members[0].value)
        case .object(let members):
            values(members.map { $0.value }).map { values in
                var map = ValueMap()
                for (member, value) in zip(members, values) { map[.string(member.key)] = value }
                return .map(map)
            }
        case .null: .null
        case .uint(let number): .uint(number)
        case .double(let number): .double(number)
        }
    }

    private static func values(_ items: [JSON]) -> [Value]? {
        let values = items.compactMap(value)
        return values.count == items.count ? values : nil
    }

    private static func tagged(_ tag: String, json: JSON) -> Value? {
        switch (tag, json) {
        case ("$null", _): .null
        case ("$uint", .int(let number)): UInt64(exactly: number).map(Value.uint)
        case ("$uint", .uint(let number)): .uint(number)
        case ("$double", .string(let text)): Double(text).map(Value.double)
        case ("$double", .double(let number)): .double(number)
        case ("$double", .int(let number)): .double(Double(number))
        case ("$bytes", .string(let text)): Base64.decode(text).map(Value.bytes)
        case ("$timestamp", .string(let text)): Timestamp(parsing: text).map(Value.timestamp)
        case ("$duration", .string(let text)): DurationText.parse(text).map(Value.duration)
        case ("$version", .string(let text)): Version(text).map(Value.version)
        case ("$map", .array(let items)): map(items)
        default: nil
        }
    }

    private static func map(_ items: [JSON]) -> Value? {
        guard let values = values(items), values.count.isMultiple(of: 2) else { return nil }
        var map = ValueMap()
        for place in stride(from: 0, to: values.count, by: 2) {
            map[values[place]] = values[place + 1]
        }
        return .map(map)
    }
}
