/// A window that shows some schedulers.
struct Scene: Sendable, Hashable {
    let id: SceneID
    var lanes: Set<String>
    var isVisible = true
}

/// An obstruction of new popups.
struct Obstruction: Sendable, Hashable {
    let owner: String
    /// The scheduler that is blocked; nil for all.
    let lane: String?
}

// MARK: Scenes

extension ScreenState {
    /// Connects a scene that shows these schedulers. It counts as active, and takes over popups
    /// whose scene is disconnected, each in its current phase.
    public mutating func connect(_ scene: SceneID, lanes: Set<String>) -> [Effect] {
        scenes.removeAll { $0.id == scene }
        scenes.append(Scene(id: scene, lanes: lanes))
        return settle()
    }

    /// Reports that the scene is in use: the next popups come there. Popups that show stay where
    /// they are.
    public mutating func activate(_ scene: SceneID) -> [Effect] {
        guard let place = scenes.firstIndex(where: { $0.id == scene }) else { return [] }
        scenes.append(scenes.remove(at: place))
        scenes[scenes.endIndex - 1].isVisible = true
        return settle()
    }

    /// Reports that the scene isn't visible any more: its popups continue in another visible scene,
    /// if there is one; if not, they stay.
    public mutating func conceal(_ scene: SceneID) -> [Effect] {
        guard let place = scenes.firstIndex(where: { $0.id == scene }) else { return [] }
        scenes[place].isVisible = false
        return settle()
    }

    /// Disconnects a scene: its popups continue in another scene, and wait for one if there is
    /// none.
    public mutating func disconnect(_ scene: SceneID) -> [Effect] {
        scenes.removeAll { $0.id == scene }
        return settle()
    }

    /// Returns the scene for a scheduler's next popup: the most recently active of the visible
    /// scenes.
    func scene(for lane: String) -> SceneID? {
        let showing = scenes.filter { $0.lanes.contains(lane) }
        return (showing.last(where: \.isVisible) ?? showing.last)?.id
    }

    private func isVisible(_ lane: String, in scene: SceneID?) -> Bool {
        scenes.contains { $0.id == scene && $0.isVisible && $0.lanes.contains(lane) }
    }
}

// MARK: Obstructions

extension ScreenState {
    /// Blocks new popups because of an obstruction, such as a keyboard or an alert, on one
    /// scheduler or on all. Popups that show stay. An owner that calls this twice has to clear it
    /// twice.
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

    /// Returns true if a scheduler has a visible scene and nothing obstructs it.
    func isFree(_ lane: String) -> Bool {
        scenes.contains { $0.isVisible && $0.lanes.contains(lane) }
            && !obstructions.keys.contains { $0.lane == nil || $0.lane == lane }
    }
}

// MARK: Consequences

extension ScreenState {
    /// Moves popups out of scenes that aren't visible, and resumes schedulers that can show popups
    /// again.
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
        // A popup that is being dismissed isn't shown again in the next scene just to be dismissed
        // there.
        if popup.phase == .leaving { return end(popup, on: lane) }
        shown[lane]?.scene = next
        return []
    }
}
