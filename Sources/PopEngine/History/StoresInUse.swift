internal import PopSource

/// Which engine uses which store object.
enum StoresInUse {
    private struct Use { weak var core: EngineCore? }

    private static let uses = Guarded<[ObjectIdentifier: Use]>([:])

    /// Claims a store for an engine. Returns false if another live engine uses the same object. A
    /// store that isn't an object belongs to no other engine.
    static func claim(_ store: any HistoryStore, for core: EngineCore) -> Bool {
        guard type(of: store) is AnyClass else { return true }
        let object = ObjectIdentifier(store as AnyObject)
        return uses.withLock { uses in
            uses = uses.filter { $0.value.core != nil }
            if let other = uses[object]?.core, !other.isStopped { return false }
            uses[object] = Use(core: core)
            return true
        }
    }
}
