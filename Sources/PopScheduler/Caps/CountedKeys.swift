internal import PopCEL
internal import PopSource

/// The context keys for each of whose values caps count, worked out once for a rule set.
struct CountedKeys: Sendable {
    /// Of the popups whose caps, or those that they share, count so: in the order of declaration.
    private var keys: [PopupIndex: [KeyIndex]] = [:]
    /// Of those whose closings count so.
    private var ofClosings: [PopupIndex: KeyIndex] = [:]
    /// The shared caps that count so.
    private(set) var shared: [SharedCapIndex: KeyIndex] = [:]

    init(
        _ rules: RuleSet, traits: ParallelArray<PopupIndex, PopupTraits>, sharedCaps: SharedCaps
    ) {
        for cap in sharedCaps.indices { shared[cap] = sharedCaps[cap].cap.key }
        for popup in rules.popups.places where !shared.isEmpty || !traits[popup].isPlain {
            let own = traits[popup].isPlain ? nil : rules.popups[popup].capsIfAny
            var named = Set((own?.windows ?? []).compactMap { $0.key })
            for cap in sharedCaps.caps(of: popup, on: traits[popup].lane) {
                if let key = shared[cap] { named.insert(key) }
            }
            if !named.isEmpty { keys[popup] = named.ordered() }
            if let key = own?.closesPer { ofClosings[popup] = key }
        }
    }

    /// Whether no cap counts so.
    var isEmpty: Bool { keys.isEmpty && ofClosings.isEmpty }

    /// For whose values the impressions of a popup are counted.
    func keys(of popup: PopupIndex) -> [KeyIndex] { keys.isEmpty ? [] : keys[popup] ?? [] }

    /// For whose values its closings are counted.
    func keyOfClosings(_ popup: PopupIndex) -> KeyIndex? {
        ofClosings.isEmpty ? nil : ofClosings[popup]
    }
}
