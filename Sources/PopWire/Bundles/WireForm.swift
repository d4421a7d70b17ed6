internal import PopCEL
internal import PopScheduler
internal import PopSource

/// How a value stands in a bundle: what is written for it, and how that is read back.
struct WireForm<Value>: Sendable {
    let write: @Sendable (Value) -> JSON
    /// Throws when what stands there is no such value.
    let read: @Sendable (JSON, inout BundleReader) throws(BundleError) -> Value
    /// The first version of bundles in which the value can stand.
    var version: @Sendable (Value) -> Int = { _ in 1 }
}

/// A member of an object in a bundle: its name, how its value is written, and where that belongs.
struct WireKey<Target>: Sendable {
    let name: String
    let isRequired: Bool
    /// Nil where the value is the usual one.
    let write: @Sendable (Target) -> JSON?
    let read: @Sendable (JSON, inout Target, inout BundleReader) throws(BundleError) -> Void
    /// The first version of bundles in which what is written can stand.
    let version: @Sendable (Target) -> Int

    /// `value` answers nil for what need not be written; `since` is the first version of bundles
    /// that has the member.
    init<Value>(
        _ name: String, form: WireForm<Value>, isRequired: Bool = false, since: Int = 1,
        value: @escaping @Sendable (Target) -> Value?,
        store: @escaping @Sendable (inout Target, Value) -> Void
    ) {
        self.name = name
        self.isRequired = isRequired
        write = { value($0).map(form.write) }
        version = { value($0).map { max(since, form.version($0)) } ?? 1 }
        read = { json, target, reader throws(BundleError) in
            store(&target, try form.read(json, &reader))
        }
    }
}

extension WireForm {
    /// An object with these members, read into a value that has the usual ones.
    static func object(_ keys: [WireKey<Value>], from usual: Value) -> Self
    where Value: Sendable {
        Self(
            write: { value in
                .object(
                    keys.compactMap { key in
                        key.write(value).map { JSON.Member(key: key.name, value: $0) }
                    })
            },
            read: { json, reader throws(BundleError) in
                guard case .object(let members) = json else { throw .damaged("no object") }
                var value = usual
                var missing = Set(keys.lazy.filter { $0.isRequired }.map { $0.name })
                for member in members {
                    guard let key = keys.first(where: { $0.name == member.key }) else {
                        throw .damaged("`\(member.key)` is not known")
                    }
                    missing.remove(key.name)
                    try key.read(member.value, &value, &reader)
                }
                if let name = missing.first { throw .damaged("`\(name)` is missing") }
                return value
            }, version: { value in keys.map { $0.version(value) }.max() ?? 1 })
    }

    static func list<Item>(of item: WireForm<Item>) -> Self where Value == [Item] {
        Self(
            write: { .array($0.map(item.write)) },
            read: { json, reader throws(BundleError) in
                guard case .array(let items) = json else { throw .damaged("no list") }
                var values: [Item] = []
                for value in items { values.append(try item.read(value, &reader)) }
                return values
            }, version: { $0.map(item.version).max() ?? 1 })
    }
}

extension WireForm<Bool> {
    static let flag = WireForm(
        write: { .bool($0) },
        read: { json, _ throws(BundleError) in
            guard case .bool(let flag) = json else { throw .damaged("no `true` or `false`") }
            return flag
        })
}

extension WireForm<Int> {
    static let number = WireForm(
        write: { .int($0) },
        read: { json, _ throws(BundleError) in
            guard case .int(let number) = json else { throw .damaged("no whole number") }
            return number
        })

    /// At least 1.
    static let count = WireForm(
        write: { .int($0) },
        read: { json, reader throws(BundleError) in
            let number = try number.read(json, &reader)
            guard number >= 1 else { throw .damaged("\(number) is no count") }
            return number
        })

}

extension WireForm where Value: ListIndex {
    /// A place in a list of the bundle.
    static func place(in count: @escaping @Sendable (BundleReader) -> Int) -> WireForm {
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
    static let fraction = WireForm(
        write: { .double($0) },
        read: { json, _ throws(BundleError) in
            switch json {
            case .int(let number): return Double(number)
            case .double(let number): return number
            default: throw .damaged("no number")
            }
        })
}

extension WireForm<String> {
    static let text = WireForm(
        write: { .string($0) },
        read: { json, _ throws(BundleError) in
            guard case .string(let text) = json else { throw .damaged("no text") }
            return text
        })
}

extension WireForm {
    /// A value that is written as text.
    static func text(
        _ kind: String, write: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(
            write: { .string(write($0)) },
            read: { json, _ throws(BundleError) in
                guard case .string(let text) = json, let value = read(text) else {
                    throw .damaged("`\(json.compact)` is no \(kind)")
                }
                return value
            })
    }
}

extension WireForm where Value: RawRepresentable<String> & SendableMetatype {
    /// One word of several.
    static var word: Self {
        text("word that is known", write: { $0.rawValue }, read: { Value(rawValue: $0) })
    }
}

extension WireForm<Duration> {
    static let duration = text(
        "duration", write: { DurationText.format($0) },
        read: { text in DurationText.parse(text).flatMap { $0 >= .zero ? $0 : nil } })
}

extension WireForm<Timestamp> {
    static let date = text("date", write: { $0.description }, read: { Timestamp(parsing: $0) })
}

extension WireForm<Condition> {
    static let condition = condition(inside: nil)

    /// The text of a condition, which may read the fields of an event.
    static func condition(inside event: EventIndex?) -> WireForm {
        WireForm(
            write: { .string($0.program.expression.description) },
            read: { json, reader throws(BundleError) in
                try reader.condition(try WireForm<String>.text.read(json, &reader), inside: event)
            })
    }
}

extension WireForm<CELType> {
    static let type = WireForm(
        write: { .string($0.description) },
        read: { json, reader throws(BundleError) in
            let text = try WireForm<String>.text.read(json, &reader)
            guard let type = CELType(parsing: text, depth: reader.limits.typeDepth) else {
                throw .damaged("`\(text)` is no type")
            }
            return type
        })
}

// What need not be written.
extension Collection {
    var unlessEmpty: Self? { isEmpty ? nil : self }
}
