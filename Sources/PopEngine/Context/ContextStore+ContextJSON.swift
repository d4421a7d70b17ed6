internal import PopCEL
internal import PopScheduler
public import PopSource

extension ContextStore {
    /// The values that the app has set as one JSON object, ordered by name.
    public var json: String { snapshot.json }

    /// Sets the keys of a JSON object together; null unsets a key. A string becomes a time, a
    /// duration or bytes if the rules declare the key as such. If the rules refuse one value, none
    /// is accepted, and the outcome reports which value was refused.
    @discardableResult
    public func set(
        json: String, limits: JSONLimits = .standard
    ) throws(JSONSyntaxError) -> CallOutcome {
        let object = try JSON.parse(json.utf8, limits: limits)
        guard case .object(let members) = object else {
            throw JSONSyntaxError(message: "the context must be a JSON object", offset: 0)
        }
        return update { context in
            for member in members { context.set(member.key, to: member.value) }
        }
    }
}

extension ContextValues {
    /// The values that the app has set as one JSON object, ordered by name.
    public var json: String {
        JSON.object(
            values.ordered { $0.key < $1.key }
                .map { JSON.Member(key: $0.key, value: JSON($0.value)) }
        ).compact
    }

    fileprivate mutating func set(_ name: String, to json: JSON) {
        self[name] = json == .null ? nil : Value(json, as: declared[name]?.type ?? .dyn)
    }
}
