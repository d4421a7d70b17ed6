/// A window, or a part of one, that shows the popups of some schedulers.
public struct SceneID: Sendable, Hashable {
    /// A name that no other scene has, such as a scene session's `persistentIdentifier`.
    public let name: String

    /// The scene of that name.
    public init(_ name: String) { self.name = name }

    /// A scene unlike every other of the process.
    public init() { name = "scene-\(UInt64.random(in: .min ... .max))" }
}
