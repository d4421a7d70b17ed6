public import PopCEL
internal import PopScheduler
public import PopSource

/// The app's knowledge about its user and its state: the values that conditions read.
///
/// You can use it from any thread. One store may serve several engines: a value that the rules of
/// one engine refuse is accepted by none. Keys that no rules declare are kept for later rules, and
/// reported once.
public final class ContextStore: Sendable {
    let state: LockedValue<ContextState>
    private let attempts: Int

    /// Creates a store from known values. They aren't checked against rules until an engine uses
    /// the store.
    public init(_ values: [String: Value] = [:], limits: EngineLimits = .standard) {
        state = LockedValue(ContextState(values: values, limits: limits))
        attempts = limits.contextAttempts
    }

    /// All values as they are now.
    public var snapshot: ContextValues { state.withLock { $0.snapshot } }

    /// The value of a key; setting nil resets the key to its default, or to missing.
    ///
    /// A value that the rules refuse changes nothing; `set(_:to:)` reports this immediately.
    public subscript(name: String) -> Value? {
        get { snapshot[name] }
        set { set(name, to: newValue) }
    }

    /// The value as a Swift type; nil if the key has no value, or a value of another type.
    public subscript<Wrapped: ValueConvertible>(name: String) -> Wrapped? {
        get { snapshot[name] }
        set { set(name, to: newValue?.value) }
    }

    /// The value of a typed key.
    public subscript<Wrapped: ValueConvertible>(key: TypedKey<Wrapped>) -> Wrapped? {
        get {
            state.withLock { state in
                state.note(TypedUse(key))
                return state.snapshot
            }[key.name]
        }
        set { set(key, to: newValue) }
    }
}

// MARK: Changes that return their outcome

extension ContextStore {
    /// Sets a key, or with nil resets it to its default, and returns whether the rules allow it.
    @discardableResult
    public func set(_ name: String, to value: Value?) -> CallOutcome {
        commit([name: value])
    }

    /// Sets a key to a value of a Swift type, and returns whether the rules allow it.
    @discardableResult
    public func set<Wrapped: ValueConvertible>(_ name: String, to value: Wrapped?) -> CallOutcome {
        commit([name: value?.value])
    }

    /// Sets a typed key, and returns whether the rules allow it.
    @discardableResult
    public func set<Wrapped: ValueConvertible>(
        _ key: TypedKey<Wrapped>, to value: Wrapped?
    ) -> CallOutcome {
        let remark = state.withLock { $0.note(TypedUse(key)) }
        return commit([key.name: value?.value]).with(remark.map { [$0] } ?? [])
    }

    /// Changes several keys together: no condition sees only a part of the change. If the rules
    /// refuse one value, none is accepted, and the outcome reports which value was refused.
    ///
    /// The change is made on a copy, and made again if another thread was faster, so it must not
    /// have side effects. Nothing is locked while it runs, so it can make any call. Values that it
    /// writes to the store itself, not to the copy, are accepted immediately, and stay unless the
    /// copy changes the same key.
    @discardableResult
    public func update(_ change: (inout ContextValues) throws -> Void) rethrows -> CallOutcome {
        try attempt(change).outcome
    }

    /// Changes several keys together and returns the result of the change.
    @discardableResult
    public func update<Result>(_ change: (inout ContextValues) throws -> Result) rethrows -> Result
    {
        try attempt(change).result
    }

    private func attempt<Result>(
        _ change: (inout ContextValues) throws -> Result
    ) rethrows -> (result: Result, outcome: CallOutcome) {
        var attempt = 1
        while true {
            let scope = UpdateScope(of: self)
            let (before, version) = state.withLock { ($0.snapshot, $0.version) }
            var after = before
            let result = try UpdateScope.$current.withValue(scope) { try change(&after) }
            let outcome = state.withLock { state -> CallOutcome? in
                // Values that the change itself has written don't count as another thread's.
                guard state.version == version + scope.writes else {
                    return attempt < attempts ? nil : state.giveUp(attempt)
                }
                let uses = after.typedUses.ordered { $0.name < $1.name }
                let remarks = uses.compactMap { state.note($0) }
                return commit(after.changes, to: &state).with(remarks)
            }
            if let outcome { return (result, outcome) }
            attempt += 1
        }
    }

    private func commit(_ changes: [String: Value?]) -> CallOutcome {
        state.withLock { commit(changes, to: &$0) }
    }

    private func commit(_ changes: [String: Value?], to state: inout ContextState) -> CallOutcome {
        let version = state.version
        let outcome = state.commit(changes)
        if state.version != version { UpdateScope.noteWrite(to: self) }
        return outcome
    }
}

/// A change of a store that is being made by the task or thread that asks.
private final class UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    private let store: ObjectIdentifier
    private let outer: UpdateScope?
    private let count = LockedValue(0)

    init(of store: ContextStore) {
        self.store = ObjectIdentifier(store)
        outer = Self.current
    }

    /// The number of times that the change has written to its store.
    var writes: Int { count.withLock { $0 } }

    static func noteWrite(to store: ContextStore) {
        var scope = current
        while let inner = scope {
            if inner.store == ObjectIdentifier(store) { inner.count.withLock { $0 += 1 } }
            scope = inner.outer
        }
    }
}

/// The values of the context at one moment.
///
/// Reading a key that the app has not set gives the default that the rules declare for it, if any.
public struct ContextValues: Sendable {
    /// The values that the app has set, by dotted name.
    public private(set) var values: [String: Value]
    let declared: [String: ContextKey]
    /// The names that were written since the copy was taken.
    private var touched: Set<String> = []
    /// The typed keys that were written since.
    private(set) var typedUses: Set<TypedUse> = []

    init(values: [String: Value], declared: [String: ContextKey]) {
        self.values = values
        self.declared = declared
    }

    /// The changes since the copy was taken; nil means that the key is unset.
    var changes: [String: Value?] {
        Dictionary(uniqueKeysWithValues: touched.map { ($0, values[$0]) })
    }

    /// The value of a key; setting nil takes it back to its default, or to missing.
    public subscript(name: String) -> Value? {
        get { values[name] ?? declared[name]?.defaultValue }
        set {
            touched.insert(name)
            values[name] = newValue
        }
    }

    /// The value as a Swift type; nil if the key has no value, or a value of another type.
    public subscript<Wrapped: ValueConvertible>(name: String) -> Wrapped? {
        get { self[name].flatMap { (value: Value) in Wrapped(value) } }
        set { self[name] = newValue?.value }
    }

    /// The value of a typed key.
    public subscript<Wrapped: ValueConvertible>(key: TypedKey<Wrapped>) -> Wrapped? {
        get { self[key.name] }
        set {
            typedUses.insert(TypedUse(key))
            self[key.name] = newValue
        }
    }
}

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
