/// A window that shows some schedulers.
struct Scene: Sendable, Hashable {
    let id: SceneID
    var lanes: Set<String>
    var isVisible = true
}

/// What is in the way of popups.
struct Obstruction: Sendable, Hashable {
    let owner: String
    /// Of which scheduler; nil for all.
    let lane: String?
}

// MARK: Scenes

extension ScreenState {
    /// A scene is there and shows these schedulers. It counts as active, and takes popups in whose
    /// scene is gone, each as far as it had come.
    public mutating func connect(_ scene: SceneID, lanes: Set<String>) -> [Effect] {
        scenes.removeAll { $0.id == scene }
        scenes.append(Scene(id: scene, lanes: lanes))
        return settle()
    }

    /// Somebody uses the scene: the next popups come there. What shows stays where it is.
    public mutating func activate(_ scene: SceneID) -> [Effect] {
        guard let place = scenes.firstIndex(where: { $0.id == scene }) else { return [] }
        scenes.append(scenes.remove(at: place))
        scenes[scenes.endIndex - 1].isVisible = true
        return settle()
    }

    /// Nobody sees the scene any more: what it shows goes on in another that is seen, if there is
    /// one, and else stays.
    public mutating func conceal(_ scene: SceneID) -> [Effect] {
        guard let place = scenes.firstIndex(where: { $0.id == scene }) else { return [] }
        scenes[place].isVisible = false
        return settle()
    }

    /// The scene is gone: what it shows goes on in another, and waits for one when there is none.
    public mutating func disconnect(_ scene: SceneID) -> [Effect] {
        scenes.removeAll { $0.id == scene }
        return settle()
    }

    /// Where a scheduler's next popup comes: the scene that was active last, of those that are
    /// seen.
    func scene(for lane: String) -> SceneID? {
        let showing = scenes.filter { $0.lanes.contains(lane) }
        return (showing.last(where: \.isVisible) ?? showing.last)?.id
    }

    private func isVisible(_ lane: String, in scene: SceneID?) -> Bool {
        scenes.contains { $0.id == scene && $0.isVisible && $0.lanes.contains(lane) }
    }
}

// MARK: What is in the way

extension ScreenState {
    /// Something is in the way of new popups, such as a keyboard or an alert, on one scheduler or
    /// on all. What shows stays. Who says so twice has to take it back twice.
    public mutating func obstruct(by owner: String, lane: String? = nil) {
        obstructions[Obstruction(owner: owner, lane: lane), default: 0] += 1
    }

    /// Takes back one `obstruct` of the same owner for the same scheduler, or for all.
    public mutating func clear(by owner: String, lane: String? = nil) -> [Effect] {
        let obstruction = Obstruction(owner: owner, lane: lane)
        guard let count = obstructions[obstruction] else { return [] }
        obstructions[obstruction] = count > 1 ? count - 1 : nil
        return settle()
    }

    /// Whether a scheduler has a scene that is seen, and nothing is in its way.
    func isFree(_ lane: String) -> Bool {
        scenes.contains { $0.isVisible && $0.lanes.contains(lane) }
            && !obstructions.keys.contains { $0.lane == nil || $0.lane == lane }
    }
}

// MARK: What follows

extension ScreenState {
    /// Moves popups out of scenes that nobody sees, and lets schedulers go on that can show again.
    private mutating func settle() -> [Effect] {
        let moved = shown.keys.sorted().flatMap { lane in move(lane) }
        let free = suspended.filter { isFree($0) }.sorted()
        suspended.subtract(free)
        return moved + free.map(Effect.resume)
    }

    private mutating func move(_ lane: String) -> [Effect] {
        guard let popup = shown[lane], !isVisible(lane, in: popup.scene) else { return [] }
        let isConcealed = scenes.contains { $0.id == popup.scene && $0.lanes.contains(lane) }
        let next = scene(for: lane)
        guard next != popup.scene, !isConcealed || isVisible(lane, in: next) else { return [] }
        // What goes anyway does not come up once more to do so.
        if popup.phase == .leaving { return end(popup, on: lane) }
        shown[lane]?.scene = next
        return []
    }
}
