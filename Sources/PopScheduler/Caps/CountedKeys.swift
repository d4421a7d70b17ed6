internal import PopCEL
internal import PopSource

/// The context keys for each of whose values caps count, computed once for a rule set.
struct CountedKeys: Sendable {
    /// The keys of the popups whose own or shared caps count for each value, in order of
    /// declaration.
    private var keys: [PopupIndex: [KeyIndex]] = [:]
    /// The keys of the popups whose closings are counted for each value.
    private var ofClosings: [PopupIndex: KeyIndex] = [:]
    /// The keys of the shared caps that count for each value.
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

    /// True if no cap counts for each value of a key.
    var isEmpty: Bool { keys.isEmpty && ofClosings.isEmpty }

    /// Returns the keys for whose values the impressions of a popup are counted.
    func keys(of popup: PopupIndex) -> [KeyIndex] { keys.isEmpty ? [] : keys[popup] ?? [] }

    /// Returns the key for whose values the closings of a popup are counted; nil if there is no
    /// such key.
    func keyOfClosings(_ popup: PopupIndex) -> KeyIndex? {
        ofClosings.isEmpty ? nil : ofClosings[popup]
    }
}
