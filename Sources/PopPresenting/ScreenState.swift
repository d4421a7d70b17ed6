public import PopScheduler

/// The state of an app's screens, and the effects of what happens there: a value without views,
/// which `PopupScreen` uses.
///
/// Each scheduler shows one popup at most, in one scene. Every call returns the effects to perform,
/// in order. Reports about a presentation that has already ended change nothing.
public struct ScreenState: Sendable, Hashable {
    /// The phase of a popup's presentation.
    public enum Phase: Sendable, Hashable {
        /// Its view is appearing on the screen. `appeared` ends this phase.
        case appearing
        /// Its view is fully on the screen.
        case showing
        /// Its view is leaving the screen. `disappeared` ends this phase.
        case leaving
    }

    /// The popup of one scheduler.
    public struct Shown: Sendable, Hashable {
        /// Which attempt to show which popup it is.
        public let presentation: PresentationID
        /// The phase of its presentation.
        public internal(set) var phase = Phase.appearing
        /// Its scene; nil if that scene is disconnected and no other shows its scheduler.
        public internal(set) var scene: SceneID?
        /// Indicates whether the user closed it or used an action that ends it.
        public internal(set) var isAnswered = false
    }

    /// An effect to perform.
    public enum Effect: Sendable, Hashable {
        /// `present` returns.
        case endPresent(PresentationID)
        /// `present` throws: no scene shows the popup's scheduler.
        case failPresent(PresentationID)
        /// `dismiss` returns.
        case endDismiss(PresentationID)
        /// Report to the engine that the user closed it.
        case tellClosed(PresentationID)
        /// Report to the engine that the user used an action of it.
        case tellActed(PresentationID, action: String, stays: Bool)
        /// Report to the engine that it disappeared without having been dismissed.
        case tellGone(PresentationID)
        /// The engine shows nothing new on that scheduler.
        case suspend(String)
        /// The engine resumes that scheduler.
        case resume(String)
    }

    /// The popups that the schedulers show, by scheduler name.
    public internal(set) var shown: [String: Shown] = [:]

    /// The scenes; the most recently active one is the last.
    var scenes: [Scene] = []
    var obstructions: [Obstruction: Int] = [:]
    /// The schedulers that wait until something can be shown.
    var suspended: Set<String> = []

    /// No scene and nothing shown.
    public init() {}
}

// MARK: Calls of the engine

extension ScreenState {
    /// Decides whether a popup may come now. While nothing can be shown, it is postponed, and its
    /// scheduler is suspended until that is over.
    public mutating func ask(_ presentation: PresentationID) -> (WillShowAnswer, [Effect]) {
        let lane = presentation.task.scheduler
        guard !isFree(lane) else { return (.show, []) }
        let isNew = suspended.insert(lane).inserted
        return (.postpone(.zero), isNew ? [.suspend(lane)] : [])
    }

    /// Shows a popup in the most recently active scene. A previous popup that its scheduler hasn't
    /// dismissed, because its view took too long, is removed immediately.
    public mutating func present(_ presentation: PresentationID) -> [Effect] {
        let lane = presentation.task.scheduler
        let effects = shown[lane].map { before in end(before, on: lane) } ?? []
        guard let scene = scene(for: lane) else { return effects + [.failPresent(presentation)] }
        shown[lane] = Shown(presentation: presentation, scene: scene)
        return effects
    }

    /// Takes a popup off the screen: immediately if there is no view to dismiss, or the view has
    /// already disappeared.
    public mutating func dismiss(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), var popup = shown[lane] else {
            return [.endDismiss(presentation)]
        }
        guard popup.scene != nil else { return end(popup, on: lane) + [.endDismiss(presentation)] }
        let wasAppearing = popup.phase == .appearing
        popup.phase = .leaving
        shown[lane] = popup
        return wasAppearing ? [.endPresent(presentation)] : []
    }
}

extension ScreenState {
    /// Ends a popup that is over for the engine: its view is removed immediately if it still
    /// exists.
    public mutating func ended(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), let popup = shown[lane] else { return [] }
        return end(popup, on: lane)
    }
}

// MARK: Reports of views

extension ScreenState {
    /// Reports that the popup's view is shown and its animation is over.
    public mutating func appeared(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), shown[lane]?.phase == .appearing else { return [] }
        shown[lane]?.phase = .showing
        return [.endPresent(presentation)]
    }

    /// Reports that the popup's view is removed and its animation over, even if the engine didn't
    /// dismiss it.
    public mutating func disappeared(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), let popup = shown[lane] else { return [] }
        let isUnasked = popup.phase != .leaving && !popup.isAnswered
        return (isUnasked ? [.tellGone(presentation)] : []) + end(popup, on: lane)
    }

    /// Reports that the user closed the popup, by a button, a swipe or a tap outside of it. The
    /// engine then takes it down.
    public mutating func close(_ presentation: PresentationID) -> [Effect] {
        guard answer(presentation) else { return [] }
        return [.tellClosed(presentation)]
    }

    /// Reports that the user used a button of the popup. The engine then takes it down, unless it
    /// stays.
    public mutating func act(
        _ presentation: PresentationID, _ action: String, stays: Bool = false
    ) -> [Effect] {
        guard answer(presentation, stays: stays) else { return [] }
        return [.tellActed(presentation, action: action, stays: stays)]
    }

    private mutating func answer(_ presentation: PresentationID, stays: Bool = false) -> Bool {
        guard let lane = lane(of: presentation), let popup = shown[lane], !popup.isAnswered,
            popup.phase != .leaving
        else { return false }
        shown[lane]?.isAnswered = !stays
        return true
    }
}

// MARK: Parts

extension ScreenState {
    /// Returns the scheduler that shows a popup; nil if no scheduler shows it.
    public func lane(of presentation: PresentationID) -> String? {
        let lane = presentation.task.scheduler
        return shown[lane]?.presentation == presentation ? lane : nil
    }

    /// Ends a popup, and ends the presentation or dismissal that waits for it.
    mutating func end(_ popup: Shown, on lane: String) -> [Effect] {
        shown[lane] = nil
        switch popup.phase {
        case .appearing: return [.endPresent(popup.presentation)]
        case .showing: return []
        case .leaving: return [.endDismiss(popup.presentation)]
        }
    }
}

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

/// A window, or a part of one, that shows the popups of some schedulers.
public struct SceneID: Sendable, Hashable {
    /// A name that no other scene has, such as a scene session's `persistentIdentifier`.
    public let name: String

    /// The scene of that name.
    public init(_ name: String) { self.name = name }

    /// A scene unlike every other of the process.
    public init() { name = "scene-\(UInt64.random(in: .min ... .max))" }
}
