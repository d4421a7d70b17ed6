internal import PopSource

/// Which engine uses which store object.
enum StoresInUse {
    private struct Use { weak var core: EngineCore? }

    private static let uses = Guarded<[ObjectIdentifier: Use]>([:])

    /// Whether no other engine that lives uses the object; from now on this one does. A store that
    /// is no object is nobody else's.
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
