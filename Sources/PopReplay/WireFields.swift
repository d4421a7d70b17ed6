internal import PopSource
package import PopWire

/// The members of an object, taken one by one; call `end` after taking all known members.
struct WireFields {
    private var members: [JSON.Member]

    init(_ json: JSON) throws(BundleError) {
        guard case .object(let members) = json else { throw .damaged("not an object") }
        self.members = members
    }

    /// Takes a required member.
    mutating func take<Value>(
        _ name: String, form: WireForm<Value>, reader: inout BundleReader
    ) throws(BundleError) -> Value {
        guard let value = try takeIfPresent(name, form: form, reader: &reader) else {
            throw .damaged("`\(name)` is missing")
        }
        return value
    }

    /// Takes an optional member; returns nil if it doesn't exist.
    mutating func takeIfPresent<Value>(
        _ name: String, form: WireForm<Value>, reader: inout BundleReader
    ) throws(BundleError) -> Value? {
        guard let place = members.firstIndex(where: { $0.key == name }) else { return nil }
        return try form.read(members.remove(at: place).value, &reader)
    }

    /// Returns a member without taking it; nil if no member has the name.
    subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }

    /// Throws if a member hasn't been taken.
    func end() throws(BundleError) {
        if let member = members.first { throw .damaged("unknown field `\(member.key)`") }
    }
}

extension JSON {
    /// Returns an object with its kind: `kind` under `name`, then the members that have a value.
    static func kind(
        _ kind: String, under name: String, _ members: KeyValuePairs<String, JSON?> = [:]
    ) -> JSON {
        .object(
            [Member(key: name, value: .string(kind))]
                + members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}

extension BundleError {
    /// Returns the same error with the place of the mistake.
    func at(_ place: String) -> BundleError {
        guard case .damaged(let what) = self else { return self }
        return .damaged("\(place): \(what)")
    }
}

extension WireForm {
    /// Returns the form of an object with a member for each entry, by name.
    package static func entries<Item>(of item: WireForm<Item>) -> Self
    where Value == [String: Item] {
        Self(
            write: { entries in
                .object(
                    entries.ordered { $0.key < $1.key }
                        .map { JSON.Member(key: $0.key, value: item.write($0.value)) })
            },
            read: { json, reader throws(BundleError) in
                guard case .object(let members) = json else { throw .damaged("not an object") }
                var entries: [String: Item] = [:]
                for member in members {
                    do throws(BundleError) {
                        entries[member.key] = try item.read(member.value, &reader)
                    } catch {
                        throw error.at("`\(member.key)`")
                    }
                }
                return entries
            })
    }
}

/// Returns the answer to a request; for a request that can't be read, an object with an `error`.
func answer(_ make: () throws(BundleError) -> JSON) -> [UInt8] {
    let answer: JSON
    do throws(BundleError) {
        answer = try make()
    } catch {
        answer = .object(["error": .string(error.requestText)])
    }
    return Array((answer.compact + "\n").utf8)
}

extension WireFields {
    /// Reads a request, an object whose members `make` must take completely.
    static func read<Result>(
        _ request: some Collection<UInt8>, limits: BundleLimits,
        make: (_ fields: inout WireFields, _ reader: inout BundleReader) throws(BundleError) ->
            Result
    ) throws(BundleError) -> Result {
        var fields = try WireFields(parsed(request, limits: limits))
        var reader = BundleReader(limits: limits)
        let result = try make(&fields, &reader)
        try fields.end()
        return result
    }
}

func parsed(
    _ request: some Collection<UInt8>, limits: BundleLimits
) throws(BundleError) -> JSON {
    do {
        return try JSON.parse(request, limits: limits.json)
    } catch {
        throw .damaged("\(error)")
    }
}

extension BundleError {
    /// The description of a mistake in a request, or in the bundle in it.
    package var requestText: String {
        switch self {
        case .damaged(let what), .tooLarge(let what): "the request cannot be read: \(what)"
        case .notABundle, .newer: description
        }
    }
}
