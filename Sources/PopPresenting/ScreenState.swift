public import PopScheduler

/// What is on an app's screens, and what follows from what happens there: a value without views,
/// which `PopupScreen` puts to work.
///
/// Each scheduler shows one popup at most, in one scene. Every call returns what is to be done
/// about it, in order. What is told of a presentation that is not there any more changes nothing.
public struct ScreenState: Sendable, Hashable {
    /// How far a popup has come.
    public enum Phase: Sendable, Hashable {
        /// Its view comes onto the screen. `appeared` ends that.
        case appearing
        /// Its view is there.
        case showing
        /// Its view goes. `disappeared` ends that.
        case leaving
    }

    /// The popup of one scheduler.
    public struct Shown: Sendable, Hashable {
        /// Which attempt to show which popup it is.
        public let presentation: PresentationID
        /// How far it has come.
        public internal(set) var phase = Phase.appearing
        /// Where it is; nil when its scene is gone and no other shows its scheduler.
        public internal(set) var scene: SceneID?
        /// Whether a person closed it or used an action that ends it.
        public internal(set) var isAnswered = false
    }

    /// What is to be done.
    public enum Effect: Sendable, Hashable {
        /// `present` returns.
        case endPresent(PresentationID)
        /// `present` throws: there is no scene for it.
        case failPresent(PresentationID)
        /// `dismiss` returns.
        case endDismiss(PresentationID)
        /// The engine hears that a person closed it.
        case tellClosed(PresentationID)
        /// The engine hears that a person used an action of it.
        case tellActed(PresentationID, action: String, stays: Bool)
        /// The engine hears that it is gone without having been asked to go.
        case tellGone(PresentationID)
        /// The engine shows nothing new on that scheduler.
        case suspend(String)
        /// The engine goes on with that scheduler.
        case resume(String)
    }

    /// What the schedulers show, by their names.
    public internal(set) var shown: [String: Shown] = [:]

    /// The one that was active last stands last.
    var scenes: [Scene] = []
    var obstructions: [Obstruction: Int] = [:]
    /// The schedulers that wait until something can be shown.
    var suspended: Set<String> = []

    /// No scene and nothing shown.
    public init() {}
}

// MARK: What the engine asks

extension ScreenState {
    /// Whether a popup may come now. While nothing can be shown it is put off, and its scheduler is
    /// suspended until that is over.
    public mutating func ask(_ presentation: PresentationID) -> (WillShowAnswer, [Effect]) {
        let lane = presentation.task.scheduler
        guard !isFree(lane) else { return (.show, []) }
        let isNew = suspended.insert(lane).inserted
        return (.postpone(.zero), isNew ? [.suspend(lane)] : [])
    }

    /// Shows a popup in the scene that was active last. One that its scheduler has not taken down,
    /// because its view took too long, gives way at once.
    public mutating func present(_ presentation: PresentationID) -> [Effect] {
        let lane = presentation.task.scheduler
        let effects = shown[lane].map { before in end(before, on: lane) } ?? []
        guard let scene = scene(for: lane) else { return effects + [.failPresent(presentation)] }
        shown[lane] = Shown(presentation: presentation, scene: scene)
        return effects
    }

    /// Takes a popup off the screen: at once where no view is there to go, or that is gone already.
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
    /// A popup is over for the engine: its view goes at once if it is still there.
    public mutating func ended(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), let popup = shown[lane] else { return [] }
        return end(popup, on: lane)
    }
}

// MARK: What views tell

extension ScreenState {
    /// The popup's view is there, its animation over.
    public mutating func appeared(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), shown[lane]?.phase == .appearing else { return [] }
        shown[lane]?.phase = .showing
        return [.endPresent(presentation)]
    }

    /// The popup's view is gone, its animation over; also when nobody has asked it to go.
    public mutating func disappeared(_ presentation: PresentationID) -> [Effect] {
        guard let lane = lane(of: presentation), let popup = shown[lane] else { return [] }
        let isUnasked = popup.phase != .leaving && !popup.isAnswered
        return (isUnasked ? [.tellGone(presentation)] : []) + end(popup, on: lane)
    }

    /// A person closed the popup, by a button, a swipe or a tap beside it. The engine then takes it
    /// down.
    public mutating func close(_ presentation: PresentationID) -> [Effect] {
        guard answer(presentation) else { return [] }
        return [.tellClosed(presentation)]
    }

    /// A person used a button of the popup. The engine then takes it down, unless it stays.
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
    /// The scheduler that shows it.
    public func lane(of presentation: PresentationID) -> String? {
        let lane = presentation.task.scheduler
        return shown[lane]?.presentation == presentation ? lane : nil
    }

    /// Nobody waits for it any more.
    mutating func end(_ popup: Shown, on lane: String) -> [Effect] {
        shown[lane] = nil
        switch popup.phase {
        case .appearing: return [.endPresent(popup.presentation)]
        case .showing: return []
        case .leaving: return [.endDismiss(popup.presentation)]
        }
    }
}
