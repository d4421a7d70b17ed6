// Made by `poprules generate swift` from the rules: do not edit.
// swift-format-ignore-file

public import PopEngine

/// The values of `app.screen`.
public enum AppScreenValue: String, CaseIterable, ValueConvertible, Sendable {
    case splash
    case home
    case map
    case product
    case cart
    case checkout
    case settings
}

/// The values of `user.plan`.
public enum UserPlanValue: String, CaseIterable, ValueConvertible, Sendable {
    case free
    case pro
    case team
}

/// The values of `user.country`.
public enum UserCountryValue: String, CaseIterable, ValueConvertible, Sendable {
    case de = "DE"
    case fr = "FR"
    case gb = "GB"
    case us = "US"
    case other
}

/// The values of `permission.location`.
public enum PermissionLocationValue: String, CaseIterable, ValueConvertible, Sendable {
    case unknown
    case granted
    case denied
}

/// The values of `permission.push`.
public enum PermissionPushValue: String, CaseIterable, ValueConvertible, Sendable {
    case unknown
    case granted
    case denied
}

extension TypedKey<AppScreenValue> {
    public static var appScreen: Self { Self("app.screen") }
}

extension TypedKey<Bool> {
    public static var netOnline: Self { Self("net.online") }
    public static var consentAnswered: Self { Self("consent.answered") }
}

extension TypedKey<Double> {
    public static var cartTotal: Self { Self("cart.total") }
}

extension TypedKey<Int> {
    public static var appBuild: Self { Self("app.build") }
    public static var appMinimumBuild: Self { Self("app.minimum_build") }
    public static var userLaunches: Self { Self("user.launches") }
    public static var cartItems: Self { Self("cart.items") }
}

extension TypedKey<PermissionLocationValue> {
    public static var permissionLocation: Self { Self("permission.location") }
}

extension TypedKey<PermissionPushValue> {
    public static var permissionPush: Self { Self("permission.push") }
}

extension TypedKey<String> {
    public static var appVersion: Self { Self("app.version") }
    public static var userId: Self { Self("user.id") }
    public static var userLocale: Self { Self("user.locale") }
}

extension TypedKey<Timestamp> {
    public static var userInstalledAt: Self { Self("user.installed_at") }
}

extension TypedKey<UInt64> {
    public static var ordersCount: Self { Self("orders.count") }
}

extension TypedKey<UserCountryValue> {
    public static var userCountry: Self { Self("user.country") }
}

extension TypedKey<UserPlanValue> {
    public static var userPlan: Self { Self("user.plan") }
}

extension TypedKey<[String: Int]> {
    public static var offerDiscounts: Self { Self("offer.discounts") }
}

extension TypedKey<[String]> {
    public static var userTags: Self { Self("user.tags") }
}

/// An event that the rules declare.
public protocol RuleEvent: Sendable {
    /// The name in the rules.
    static var name: String { get }
    /// The fields that have a value.
    var payload: [String: Value] { get }
}

extension PopupEngine {
    /// Sends an event to the engine.
    @discardableResult
    public func send(_ event: some RuleEvent) -> CallOutcome {
        send(type(of: event).name, event.payload)
    }
}

/// The events of the rules.
public enum RuleEvents {
    /// `checkout.completed`
    public struct CheckoutCompleted: RuleEvent {
        public static let name = "checkout.completed"
        public var total: Double?
        public var currency: String?

        public init(
            total: Double? = nil,
            currency: String? = nil
        ) {
            self.total = total
            self.currency = currency
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["total"] = self.total?.value
            payload["currency"] = self.currency?.value
            return payload
        }
    }

    /// `item.removed`
    public struct ItemRemoved: RuleEvent {
        public static let name = "item.removed"
        public var name: String?

        public init(
            name: String? = nil
        ) {
            self.name = name
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["name"] = self.name?.value
            return payload
        }
    }

    /// `download.started`
    public struct DownloadStarted: RuleEvent {
        public static let name = "download.started"
        public var name: String?

        public init(
            name: String? = nil
        ) {
            self.name = name
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["name"] = self.name?.value
            return payload
        }
    }

    /// `download.finished`
    public struct DownloadFinished: RuleEvent {
        public static let name = "download.finished"
        public var name: String?
        public var bytes: Int?

        public init(
            name: String? = nil,
            bytes: Int? = nil
        ) {
            self.name = name
            self.bytes = bytes
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["name"] = self.name?.value
            payload["bytes"] = self.bytes?.value
            return payload
        }
    }

    /// `search.failed`
    public struct SearchFailed: RuleEvent {
        public static let name = "search.failed"
        public var query: String?

        public init(
            query: String? = nil
        ) {
            self.query = query
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["query"] = self.query?.value
            return payload
        }
    }

    /// `guide.finished`
    public struct GuideFinished: RuleEvent {
        public static let name = "guide.finished"

        public init() {}

        public var payload: [String: Value] { [:] }
    }

    /// `plan.bought`
    public struct PlanBought: RuleEvent {
        public static let name = "plan.bought"
        public var months: Int?

        public init(
            months: Int? = nil
        ) {
            self.months = months
        }

        public var payload: [String: Value] {
            var payload: [String: Value] = [:]
            payload["months"] = self.months?.value
            return payload
        }
    }
}

/// The popups of the rules.
public enum PopupName: String, CaseIterable, Sendable {
    case welcome
    case guideOverlay = "guide_overlay"
    case guideReminder = "guide_reminder"
    case newInThisVersion = "new_in_this_version"
    case locationPrimer = "location_primer"
    case pushPrimer = "push_primer"
    case trackingSettings = "tracking_settings"
    case paywall
    case promotionOfTheWeek = "promotion_of_the_week"
    case cartReminder = "cart_reminder"
    case ratingPrompt = "rating_prompt"
    case regularCustomer = "regular_customer"
    case survey
    case consent
    case forcedUpdate = "forced_update"
    case termsChanged = "terms_changed"
    case offline
    case welcomeBack = "welcome_back"
    case undoRemove = "undo_remove"
    case mapDownload = "map_download"
    case downloadFinished = "download_finished"
    case searchHelp = "search_help"
    case debugBanner = "debug_banner"
}

extension PopupEngine {
    @discardableResult
    public func enqueue(_ popup: PopupName, calling callbacks: PopupCallbacks? = nil) -> CallOutcome {
        enqueue(popup.rawValue, calling: callbacks)
    }

    @discardableResult
    public func show(_ popup: PopupName) async -> PopupEnding {
        await show(popup.rawValue)
    }

    @discardableResult
    public func dismiss(_ popup: PopupName) -> CallOutcome {
        dismiss(popup.rawValue)
    }

    @discardableResult
    public func remove(_ popup: PopupName) -> CallOutcome {
        remove(popup.rawValue)
    }

    @discardableResult
    public func userClosed(_ popup: PopupName) -> CallOutcome {
        userClosed(popup.rawValue)
    }

    @discardableResult
    public func didDisappear(_ popup: PopupName) -> CallOutcome {
        didDisappear(popup.rawValue)
    }

    @discardableResult
    public func updateContent(of popup: PopupName, _ fields: [String: (any ValueConvertible)?]) -> CallOutcome {
        updateContent(of: popup.rawValue, fields)
    }

    public func explain(_ popup: PopupName) -> PopupExplanation? {
        explain(popup.rawValue)
    }

    public func statusUpdates(of popup: PopupName) -> PopupStatusUpdates {
        statusUpdates(of: popup.rawValue)
    }
}

extension Popup {
    /// The popup's name in the rules; nil for a hand-made popup.
    public var name: PopupName? { PopupName(rawValue: id) }
}

/// The schedulers of the rules.
public enum SchedulerName: String, CaseIterable, Sendable {
    case main
    case toast
}

/// The content of a `sheet`.
public struct SheetContent: Decodable, Sendable {
    public var title: String
    public var body: String
    public var button: String
    public var image: String?
    public var secondButton: String?

    private enum CodingKeys: String, CodingKey {
        case title
        case body
        case button
        case image
        case secondButton = "second_button"
    }
}

/// The actions of a `sheet`, except closing it.
public enum SheetAction: String, CaseIterable, Sendable {
    case accept
    case later
    case never
}

extension PopupEngine {
    /// Reports that the user used an action of a popup.
    @discardableResult
    public func acted(
        _ popup: PopupName, _ action: SheetAction, stays: Bool = false
    ) -> CallOutcome {
        acted(popup.rawValue, action.rawValue, stays: stays)
    }
}

/// The content of a `blocking`.
public struct BlockingContent: Decodable, Sendable {
    public var title: String
    public var body: String
    public var button: String
    public var link: String?
}

/// The content of a `toast`.
public struct ToastContent: Decodable, Sendable {
    public var text: String
    public var button: String?
    public var progress: Double?
}
