internal import PopCEL
internal import PopScheduler
internal import PopSource

/// A receiver of the changes of a context, in their order. Called while the store is locked: it
/// must not call back.
protocol ContextSink: AnyObject, Sendable {
    /// Takes changes of keys that its rules declare and whose values the rules allow. Nil means
    /// that the key is unset.
    func take(_ changes: [String: Value?])
    /// Reports that values were refused.
    func refuse(_ rejections: [Rejection])
    /// Reports remarks about values that were accepted.
    func remark(_ remarks: [CallRemark])
}

/// The state of a `ContextStore`, and its listeners.
struct ContextState: Sendable {
    struct Listener: Sendable {
        let sink: any ContextSink
        var keys: [String: ContextKey]
    }

    private let valueDepth: Int
    private(set) var values: [String: Value]
    /// Counts the changes, so that `update` notices one that came in between.
    private(set) var version = 0
    /// The declared keys. If several engines declare a key, the first declaration counts.
    private var declared: [String: ContextKey] = [:]
    private var listeners: [Listener] = []
    private var typedUses: Set<TypedUse> = []
    /// Declared names that are similar to undeclared keys, cached so that they are looked up once.
    private var similar: [String: [String]] = [:]

    /// Values that were refused as too deep before there was a listener.
    private var refusedBefore: [Rejection] = []

    init(values: [String: Value], limits: EngineLimits) {
        valueDepth = limits.valueDepth
        self.values = values
        refusedBefore = tooDeep(values)
        for key in refusedBefore.compactMap(\.key) { self.values[key] = nil }
    }

    var snapshot: ContextValues { ContextValues(values: values, declared: declared) }

    /// Hands the changes on and keeps them, unless a listener's rules refuse one of them.
    mutating func commit(_ changes: [String: Value?]) -> CallOutcome {
        let remarks = remarks(on: changes.keys)
        tell(remarks)
        // First of all: nothing else may look into such a value.
        let tooDeep = tooDeep(changes)
        guard tooDeep.isEmpty else {
            for listener in listeners { listener.sink.refuse(tooDeep) }
            return CallOutcome.refused(tooDeep).with(remarks)
        }
        let real = changes.filter { name, value in value != values[name] }
        guard !real.isEmpty else { return CallOutcome.taken.with(remarks) }
        var refused: [Rejection] = []
        for listener in listeners {
            let own = listener.rejections(of: real)
            listener.sink.refuse(own)
            refused += own.filter { !refused.contains($0) }
        }
        guard refused.isEmpty else { return CallOutcome.refused(refused).with(remarks) }
        for listener in listeners { listener.take(real) }
        for (name, value) in real { values[name] = value }
        version += 1
        return CallOutcome.taken.with(remarks)
    }

    private func tooDeep(_ changes: [String: Value?]) -> [Rejection] {
        changes.filter { $0.value?.isDeeper(than: valueDepth) == true }.keys.ordered()
            .map { .badValue(key: $0, message: Self.tooDeep(valueDepth)) }
    }

    static func tooDeep(_ depth: Int) -> String {
        "lists and maps are nested deeper than \(depth) levels"
    }

    /// Ends the attempts to make a change that something else always overtakes.
    func giveUp(_ attempts: Int) -> CallOutcome {
        let remark = CallRemark.contextBusy(attempts: attempts)
        tell([remark])
        return CallOutcome.refused([]).with([remark])
    }

    /// Compares the Swift type of a key with the declared one. A mismatch is reported once.
    @discardableResult
    mutating func note(_ use: TypedUse) -> CallRemark? {
        let remark = remark(on: use)
        if typedUses.insert(use).inserted, let remark { tell([remark]) }
        return remark
    }

    private func tell(_ remarks: [CallRemark]) {
        guard !remarks.isEmpty else { return }
        for listener in listeners { listener.sink.remark(remarks) }
    }

    private func remark(on use: TypedUse) -> CallRemark? {
        guard let key = declared[use.name], let type = use.type, !key.type.isTaken(as: type) else {
            return nil
        }
        return .typedKey(use.name, declared: key.type.description, typed: type.description)
    }

    private mutating func remarks(on names: some Sequence<String>) -> [CallRemark] {
        guard !listeners.isEmpty else { return [] }
        return names.filter { declared[$0] == nil }.ordered().map { name in
            let names = similar[name] ?? similarNames(to: name, among: declared.keys)
            similar[name] = names
            return .unknownKey(name, similar: names)
        }
    }
}

// MARK: Listeners

extension ContextState {
    /// Adds a listener with the keys of its rules, and hands on every value that it holds. One that
    /// is refused is dropped, unless another listener has taken it.
    mutating func attach(_ sink: any ContextSink, keys: [ContextKey]) {
        let listener = Listener(sink: sink, keys: keys.byName)
        listeners.append(listener)
        declareAnew()
        tellOdd()
        sink.refuse(refusedBefore)
        let rejections = listener.rejections(of: values)
        sink.refuse(rejections)
        let refused = Set(rejections.compactMap(\.key))
        listener.take(values.filter { !refused.contains($0.key) })
        drop(refused, by: sink)
    }

    mutating func detach(_ sink: any ContextSink) {
        listeners.removeAll { $0.sink === sink }
        declareAnew()
    }

    /// Replaces the keys of a listener. `post` passes all values to the listener, which itself
    /// reports the ones that it refuses.
    mutating func declare(
        _ keys: [ContextKey], for sink: any ContextSink, post: ([String: Value]) -> Bool
    ) -> Bool {
        guard let place = listeners.firstIndex(where: { $0.sink === sink }) else { return false }
        listeners[place].keys = keys.byName
        declareAnew()
        tellOdd()
        let rejections = listeners[place].rejections(of: values)
        let mustWork = post(values)
        drop(Set(rejections.compactMap(\.key)), by: sink)
        return mustWork
    }

    /// Replaces all values except for the kept keys. `post` passes a listener the values that its
    /// rules declare, and returns nil if nothing is to be changed.
    mutating func replace(
        with others: [String: Value], keeping kept: Set<String>, for sink: any ContextSink,
        post: ([String: Value]) -> CallOutcome?
    ) -> CallOutcome? {
        guard let own = listeners.first(where: { $0.sink === sink }) else { return nil }
        var next = values.filter { kept.contains($0.key) }.merging(others) { _, new in new }
        let tooDeep = tooDeep(next)
        for key in tooDeep.compactMap(\.key) { next[key] = nil }
        let rejections = [tooDeep] + listeners.map { $0.rejections(of: next) }
        for key in rejections.joined().compactMap(\.key) { next[key] = nil }
        guard let outcome = post(next.filter { own.keys[$0.key] != nil }) else { return nil }
        own.sink.refuse(Array(rejections.joined()))
        let remarks = remarks(on: next.keys)
        tell(remarks)
        takeElsewhere(next, than: sink)
        values = next
        version += 1
        return CallOutcome(
            outcome.state, rejections: Array(rejections.joined()), remarks: remarks)
    }

    private func takeElsewhere(_ next: [String: Value], than sink: any ContextSink) {
        var changes: [String: Value?] = [:]
        for name in values.keys where next[name] == nil { changes[name] = .some(nil) }
        for (name, value) in next where values[name] != value { changes[name] = value }
        for listener in listeners where listener.sink !== sink { listener.take(changes) }
    }

    private mutating func declareAnew() {
        declared = [:]
        for listener in listeners { declared.merge(listener.keys) { first, _ in first } }
        similar = [:]
        version += 1
    }

    /// Reports values and typed keys that don't fit the new declarations.
    private mutating func tellOdd() {
        tell(remarks(on: values.keys))
        tell(typedUses.compactMap(remark))
    }

    private mutating func drop(_ names: Set<String>, by sink: any ContextSink) {
        for name in names {
            let isTakenElsewhere = listeners.contains { listener in
                listener.sink !== sink && listener.keys[name] != nil
            }
            if !isTakenElsewhere { values[name] = nil }
        }
    }
}

extension ContextState.Listener {
    /// Which of the values its rules refuse, ordered by name.
    fileprivate func rejections(of changes: [String: Value?]) -> [Rejection] {
        var rejections: [Rejection] = []
        for (name, value) in changes {
            guard let value, let message = keys[name]?.refusal(of: value) else { continue }
            rejections.append(.badValue(key: name, message: message))
        }
        return rejections.ordered { ($0.key ?? "") < ($1.key ?? "") }
    }

    /// Hands on what its rules declare.
    fileprivate func take(_ changes: [String: Value?]) {
        let own = changes.filter { keys[$0.key] != nil }
        if !own.isEmpty { sink.take(own) }
    }
}

extension Rejection {
    /// The context key that it is about.
    fileprivate var key: String? {
        if case .badValue(let key, _) = self { key } else { nil }
    }
}

extension [ContextKey] {
    /// The keys by name. If two keys have one name, the first counts.
    fileprivate var byName: [String: ContextKey] {
        Dictionary(map { ($0.name, $0) }) { first, _ in first }
    }
}
