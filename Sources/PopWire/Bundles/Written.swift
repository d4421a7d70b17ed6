package import PopSource

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
