public import PopCEL
internal import PopScheduler

/// What the app knows about its user and its state: the values that conditions read.
///
/// Safe from any thread. It serves one engine, the last that it was given to. Keys that the rules do not declare are kept
/// for rules that will, and reported once.
public final class ContextStore: Sendable {
    private struct State {
        var values: [String: Value]
        var declared: [String: ContextKey] = [:]
        /// Counts the changes, so that `update` notices one that came in between.
        var version = 0
        var sink: (any ContextSink)?
    }

    private let state: Guarded<State>

    public init(_ values: [String: Value] = [:]) { state = Guarded(State(values: values)) }

    /// All values as they are now.
    public var snapshot: ContextValues {
        state.withLock { ContextValues(values: $0.values, declared: $0.declared) }
    }

    /// The value of a key; setting nil takes it back to its default, or to missing.
    public subscript(name: String) -> Value? {
        get { snapshot[name] }
        set { state.withLock { Self.commit([name: newValue], to: &$0) } }
    }

    /// The value as a Swift type; nil also when it is of another type.
    public subscript<Wrapped: ValueConvertible>(name: String) -> Wrapped? {
        get { snapshot[name] }
        set { self[name] = newValue?.value }
    }

    /// The value of a typed key.
    public subscript<Wrapped: ValueConvertible>(key: TypedKey<Wrapped>) -> Wrapped? {
        get { snapshot[key] }
        set { self[key.name] = newValue?.value }
    }

    /// Changes several keys together: no condition sees half of it. When the rules refuse one value, none is taken.
    ///
    /// The change is made on a copy and made again when another thread was faster, so it must not have side effects.
    /// Nothing is locked while it runs: it may call whatever it likes.
    @discardableResult
    public func update<Result>(_ change: (inout ContextValues) throws -> Result) rethrows -> Result
    {
        while true {
            let (before, version) = state.withLock {
                (ContextValues(values: $0.values, declared: $0.declared), $0.version)
            }
            var after = before
            let result = try change(&after)
            let changes = Dictionary(
                uniqueKeysWithValues: after.touched.map { ($0, after.values[$0]) })
            let isDone = state.withLock { state in
                guard state.version == version else { return false }
                Self.commit(changes, to: &state)
                return true
            }
            if isDone { return result }
        }
    }

    /// Hands the changes on and keeps them when they were taken.
    private static func commit(_ changes: [String: Value?], to state: inout State) {
        let real = changes.filter { name, value in value != state.values[name] }
        guard !real.isEmpty else { return }
        if let sink = state.sink, !sink.take(real) { return }
        for (name, value) in real { state.values[name] = value }
        state.version += 1
    }
}

/// Whoever is told of the changes of a context, in their order. Called while the store is locked: it must not call back.
protocol ContextSink: Sendable {
    /// Nil stands for a key that is unset. Says whether the changes were taken.
    func take(_ changes: [String: Value?]) -> Bool
}

extension ContextStore {
    /// Gives the store its listener and the keys of its rules, and hands on every value that it holds. One that is
    /// refused is dropped. `declare` runs first, with changes kept out and all values at hand, and gives the names of those
    /// that it refuses.
    func attach(
        _ sink: any ContextSink, keys: [ContextKey],
        declare: ([String: Value]) -> Set<String> = { _ in [] }
    ) {
        state.withLock { state in
            for name in declare(state.values) { state.values[name] = nil }
            state.sink = sink
            state.version += 1
            state.declared = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
            // Each alone, so that a wrong value takes no other with it.
            for (name, value) in state.values.sorted(by: { $0.key < $1.key })
            where !sink.take([name: value]) {
                state.values[name] = nil
            }
        }
    }
}
