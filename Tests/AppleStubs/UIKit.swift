// A substitute for Apple's UIKit on systems without it: the parts that PopPresenting uses, as Apple
// documents them. It proves that syntax, types and isolation are right, but not that Apple's module
// agrees.
@_exported public import Foundation

@MainActor
open class UIResponder: NSObject, Sendable {
    nonisolated public static let keyboardWillShowNotification = Notification.Name("show")
    nonisolated public static let keyboardDidHideNotification = Notification.Name("hide")
    public override nonisolated init() {}
}

public final class UIEvent: Sendable {}
public final class UIColor: Sendable {}

@MainActor
open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }

    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open var frame = CGRect.zero
    open var bounds = CGRect.zero
    open var alpha: CGFloat = 1
    open var isHidden = true
    open var backgroundColor: UIColor?
    open var autoresizingMask: AutoresizingMask = []
    open func addSubview(_ view: UIView) {}
    open func removeFromSuperview() {}
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { self }
    open class func animate(
        withDuration duration: TimeInterval, animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {}
}

@MainActor
open class UIButton: UIView {
    public convenience init(frame: CGRect = .zero, primaryAction: UIAction?) {
        self.init(frame: frame)
    }
}
@MainActor
open class UIAction: NSObject, Sendable {
    public convenience init(title: String = "", handler: @escaping (UIAction) -> Void) {
        self.init()
    }
}

@MainActor
open class UIViewController: UIResponder {
    /// In Apple's module, `UIViewController()` is a separate initializer.
    public init(nibName: String? = nil, bundle: Bundle? = nil) {}
    public required init?(coder: NSCoder) {}
    open func viewDidLoad() {}
    open var view: UIView! { UIView(frame: .zero) }
    open func addChild(_ child: UIViewController) {}
    open func removeFromParent() {}
    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}
}

@MainActor
open class UIScene: UIResponder {
    nonisolated public static let didActivateNotification = Notification.Name("active")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("background")
    nonisolated public static let didDisconnectNotification = Notification.Name("gone")
    open var session: UISceneSession { UISceneSession() }
}
open class UIWindowScene: UIScene {}
extension UIScene {
    open class ConnectionOptions: NSObject {}
}
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
}
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}
@MainActor
open class UISceneSession: NSObject, Sendable {
    open var persistentIdentifier: String { "" }
    public override nonisolated init() {}
}
public final class UIScreen: NSObject, Sendable {}

@MainActor
open class UIWindow: UIView {
    public struct Level: RawRepresentable, Hashable, Sendable {
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let alert = Level(rawValue: 2000)
    }

    public init(windowScene: UIWindowScene) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open var screen = UIScreen()
    open var rootViewController: UIViewController?
    open var windowLevel = Level.alert
}
