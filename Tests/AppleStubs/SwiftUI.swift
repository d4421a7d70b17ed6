// A substitute for Apple's SwiftUI on systems without it: the parts that PopPresenting uses, as
// Apple documents them. It proves that syntax, types and isolation are right, but not that Apple's
// module agrees.
@_exported public import Foundation

// MARK: Views

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { self }
}

public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView {
    public var body: Never { preconditionFailure("a stub draws nothing") }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
}

public struct EmptyView: PrimitiveView {
    nonisolated public init() {}
}
public struct TupleView<Views>: PrimitiveView { nonisolated init() {} }
public struct _ConditionalContent<First, Second>: PrimitiveView { nonisolated init() {} }
extension Optional: View where Wrapped: View {
    public var body: Never { preconditionFailure("a stub draws nothing") }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {}

public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { preconditionFailure("a stub draws nothing") }
}

public struct VStack<Content: View>: PrimitiveView {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}
public struct HStack<Content: View>: PrimitiveView {
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ZStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}
public struct Text: PrimitiveView {
    public init<Words: StringProtocol>(_ content: Words) {}
}
public struct Button<Label: View>: PrimitiveView {}
extension Button where Label == Text {
    public init<Words: StringProtocol>(
        _ title: Words, action: @escaping @MainActor () -> Void
    ) {}
}
public struct Color: PrimitiveView {
    nonisolated public static let black = Color()
    public func opacity(_ opacity: Double) -> Color { self }
}
public struct GeometryReader<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}
public struct GeometryProxy {
    public subscript<Value>(anchor: Anchor<Value>) -> Value {
        preconditionFailure("a stub measures nothing")
    }
}

// MARK: Apps

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
extension App {
    @MainActor public static func main() {}
}
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { preconditionFailure("a stub opens no window") }
}

// MARK: Looks

public struct HorizontalAlignment: Sendable {
    public static let center = HorizontalAlignment()
    public static let leading = HorizontalAlignment()
}
public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let top = Alignment()
    public static let bottom = Alignment()
}
public struct Font: Sendable { public static let headline = Font() }
public protocol Shape: Sendable {}
public struct RoundedRectangle: Shape { public init(cornerRadius: CGFloat) {} }
public protocol ShapeStyle: Sendable {}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { Material() }
}

extension View {
    public func font(_ font: Font?) -> some View { EmptyView() }
    public func padding() -> some View { EmptyView() }
    public func fixedSize() -> some View { EmptyView() }
    public func ignoresSafeArea() -> some View { EmptyView() }
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { EmptyView() }
    public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
    public func transition(_ transition: AnyTransition) -> some View { EmptyView() }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { EmptyView() }
    public func background<Style: ShapeStyle, Outline: Shape>(
        _ style: Style, in shape: Outline
    ) -> some View { EmptyView() }
}

// MARK: State, environment and preferences

@propertyWrapper
public struct State<Value> {
    private let initial: Value
    public init(wrappedValue: Value) { initial = wrappedValue }
    public var wrappedValue: Value {
        get { initial }
        nonmutating set {}
    }
}
extension State: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}
public struct EnvironmentValues: Sendable {
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { Key.defaultValue }
        set {}
    }
    public var scenePhase: ScenePhase { .active }
}
@propertyWrapper
public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { preconditionFailure("a stub has no environment") }
}
public enum ScenePhase: Sendable, Comparable { case background, inactive, active }

public struct Anchor<Value> {
    public struct Source {}
}
extension Anchor: Sendable where Value: Sendable {}
extension Anchor.Source where Value == CGRect {
    public static var bounds: Anchor<CGRect>.Source { Anchor<CGRect>.Source() }
}
public protocol PreferenceKey {
    associatedtype Value
    static var defaultValue: Value { get }
    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension View {
    nonisolated public func modifier<Modifier>(
        _ modifier: Modifier
    ) -> ModifiedContent<Self, Modifier> { ModifiedContent() }
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View { EmptyView() }
    public func transformAnchorPreference<Point, Key: PreferenceKey>(
        key: Key.Type = Key.self, value: Anchor<Point>.Source,
        transform: @escaping (inout Key.Value, Anchor<Point>) -> Void
    ) -> some View { EmptyView() }
    public func overlayPreferenceValue<Key: PreferenceKey, Over: View>(
        _ key: Key.Type = Key.self, @ViewBuilder _ transform: @escaping (Key.Value) -> Over
    ) -> some View { EmptyView() }
}

// MARK: Events

extension View {
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public func onTapGesture(
        count: Int = 1, perform action: @escaping () -> Void
    ) -> some View { EmptyView() }
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
    ) -> some View { EmptyView() }
}

public struct AnyTransition: Sendable { public static let opacity = AnyTransition() }
public struct Animation: Sendable { public static let `default` = Animation() }
public struct AnimationCompletionCriteria: Sendable {
    public static let logicallyComplete = AnimationCompletionCriteria()
    public static let removed = AnimationCompletionCriteria()
}
public func withAnimation<Result>(
    _ animation: Animation? = .default,
    completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
    _ body: () throws -> Result, completion: @escaping () -> Void
) rethrows -> Result { try body() }
