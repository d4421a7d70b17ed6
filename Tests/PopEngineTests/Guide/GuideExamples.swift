// The code of the pages on embedding, line by line, so that it compiles.
// `GuideTests` compares them.
import Foundation
import PopDebugging
import PopEngine
import PopHistorySQLite
import PopRuleFiles
import PopTestSupport
import PopTesting
import Testing

/// Parts of the manifest and of the code of an app, which need its package: `Examples/Shop` is one.
private let partsOfAnApp = """
    dependencies: [.package(name: "poprules", path: "../poprules", traits: [])],
    targets: [
        .target(
            name: "Shop",
            dependencies: [.product(name: "PopEngine", package: "poprules")],
            resources: [.copy("rules.popbundle")])
    ]
    let bundleURL = Bundle.module.url(forResource: "rules", withExtension: "popbundle")!
    public enum ShopRules {
        public static func load() throws -> RuleSet {
            let bundleURL = Bundle.module.url(forResource: "rules", withExtension: "popbundle")!
            return try RuleSet(bundle: Data(contentsOf: bundleURL))
        }
    }
    @MainActor
    @Suite struct `The popups of the shop` {
        private let rules: RuleSet

        init() throws { rules = try ShopRules.load() }
    }
    WindowGroup {
        HomeView()
            .popups(Popups.shared.screen)
            .task { await Popups.shared.start(rules, historyPath: path) }
    }
    """

private enum FirstPopups {
    @MainActor
    final class Screen: Presenter {
        func present(_ popup: Popup) async throws {
            let title: String? = popup.resolvedContent["title"]
            print("show \(popup.id): \(title ?? "")")
        }

        func dismiss(_ popup: Popup) async {
            print("hide \(popup.id)")
        }
    }

    @MainActor
    static func make(_ screen: Screen, _ bundleURL: URL) throws {
        let rules = try RuleSet(bundle: Data(contentsOf: bundleURL))
        let engine = PopupEngine(rules: rules, presenter: screen)
        engine.context["app.screen"] = "map"
        engine.start()
        engine.send("checkout.completed", ["total": 80.0, "currency": "EUR"])

        engine.userClosed("welcome")
        engine.acted("tour", "accept")
        engine.didDisappear("rating_prompt")
    }
}

@MainActor
private func limit(_ rules: RuleSet, _ screen: any Presenter) {
    var options = EngineOptions()
    options.limits.animationTimeout = .seconds(3)
    let engine = PopupEngine(rules: rules, presenter: screen, options: options)

    engine.suspend(by: "camera")
    engine.suspend(by: "tour", scheduler: "toast")
    engine.resume(by: "tour", scheduler: "toast")
    engine.resume(by: "camera")
}

@MainActor
private final class Asking {
    var isCheckoutOpen = false

    func ask(_ engine: PopupEngine) async {
        switch await engine.show("rating_prompt") {
        case .acted(let action): print("they chose \(action)")
        case .closed: print("they closed it")
        case .gone(let reason): print("it went: \(reason.rawValue)")
        case .neverShown(let reason): print("it never showed: \(reason.rawValue)")
        case .failed(let message): print("the presenter threw: \(message)")
        case .refused(let rejection): print("the rules do not know it: \(rejection)")
        case .stopped, .waitCancelled: break
        }
    }

    func call(_ engine: PopupEngine) {
        let isCheckoutOpen = isCheckoutOpen
        var callbacks = PopupCallbacks()
        callbacks.willShow = { popup in isCheckoutOpen ? .postpone(.seconds(30)) : .show }
        callbacks.shown = { print("it shows") }
        callbacks.acted = { action in print("they chose \(action)") }
        callbacks.ended = { ending in print("over: \(ending)") }
        engine.enqueue("tour", calling: callbacks)
    }
}

private enum Content {
    struct Sheet: Decodable {
        var title: String
        var body: String
        var button: String
        var image: URL?
    }

    static func read(_ popup: Popup) throws -> Sheet {
        let sheet = try popup.resolvedContent(as: Sheet.self)
        return sheet
    }
}

@MainActor
private class Uploading {
    struct Upload { var fractionCompleted = 0.0 }

    var upload = Upload()
    var bar = 0.0

    func go(_ engine: PopupEngine) {
        engine.updateContent(of: "upload", ["progress": upload.fractionCompleted])
    }

    func update(_ popup: Popup) {
        bar = popup.resolvedContent["progress"] ?? 0
    }
}

@MainActor
private class LastWord {
    var isPlayingVideo = false
    var isKiosk = false

    func willShow(_ popup: Popup) -> WillShowAnswer {
        if isPlayingVideo { return .postpone(.seconds(30)) }
        return popup.template == "survey" && isKiosk ? .cancel : .show
    }
}

@MainActor
private class FetchingAhead {
    struct Images {
        func fetch(_ image: URL) {}
        func have(_ image: URL) -> Bool { true }
    }

    let images = Images()

    func begin(_ rules: RuleSet) {
        for rule in rules.popups {
            if let image: URL = rule.content["image"] { images.fetch(image) }
        }
    }

    func willShow(_ popup: Popup) -> WillShowAnswer {
        guard let image: URL = popup.resolvedContent["image"] else { return .show }
        return images.have(image) ? .show : .postpone(.seconds(2))
    }
}

extension TypedKey<String> {
    static var screen: Self { TypedKey("app.screen") }
}

extension TypedKey<Int> {
    static var launches: Self { TypedKey("user.launches") }
}

private struct Cart {
    enum Plan: String, ValueConvertible { case free, pro }

    var total = 80.0
    var coupon: String?
    var plan = Plan.pro
}

private func tell(_ engine: PopupEngine, _ cart: Cart) {
    engine.send("checkout.completed", ["total": cart.total, "coupon": cart.coupon])
    engine.context.update(["user.plan": cart.plan, "user.age": nil])
}

private func tell(_ engine: PopupEngine) throws {
    engine.context[.screen] = "map"
    engine.context.update { context in
        context["user.plan"] = "pro"
        context["user.launches"] = (context["user.launches"] ?? 0) + 1
    }
    try engine.context.set(json: #"{"user.id": "ann", "user.tags": ["beta"]}"#)

    let written = engine.context.set("user.plan", to: "gold")
    if written.state == .refused { print(written.rejections) }
    for remark in engine.send("checkout.completed", ["totl": 80.0]).remarks {
        print(remark)
    }
}

private func watch(_ engine: PopupEngine) -> String {
    let events = engine.events
    let reading = Task {
        for await event in events {
            switch event.kind {
            case .scheduler(.shown(let task)): print("\(task.popup) is on the screen")
            case .scheduler(.dismissed(let task, let reason)): print(task.popup, reason.rawValue)
            case .scheduler(.rejected(let rejection)): print("a call was refused: \(rejection)")
            case .remark(let remark): print("a call was taken, but \(remark)")
            case .historyUnavailable(let error): print("the history goes on in memory: \(error)")
            case .historyRestored: print("the history is kept again")
            default: break
            }
        }
    }
    engine.start()
    defer { reading.cancel() }
    let reason = engine.explain("rating_prompt")?.reason?.rawValue ?? "it shows"
    return reason
}

/// A substitute for the app's log.
@Sendable private func log(_ line: String) {}

@MainActor
private func observe(_ rules: RuleSet, _ screen: any Presenter) -> PopupEngine {
    var options = EngineOptions()
    options.observer = { event in
        log("\(event.number) \(event.popup ?? "-") \(event.kind)")
    }
    let engine = PopupEngine(rules: rules, presenter: screen, options: options)
    return engine
}

private func named(
    _ engine: PopupEngine, _ cart: Cart, _ popup: Popup
) async throws -> (PopupEnding, SheetContent) {
    engine.context[.userPlan] = .pro
    engine.send(RuleEvents.CheckoutCompleted(total: cart.total, currency: "EUR"))
    engine.updateContent(of: .mapDownload, ["progress": 0.5])
    let answer = await engine.show(.paywall)
    let sheet = try popup.resolvedContent(as: SheetContent.self)
    return (answer, sheet)
}

private func debugging(_ engine: PopupEngine) async throws -> String? {
    for popup in engine.debug.popups { print(popup.text) }
    engine.debug.force("rating_prompt")
    print(engine.debug.why("rating_prompt") ?? "there is no such popup")
    try await engine.debug.reset("rating_prompt")

    engine.debug.record()
    engine.start()
    let story = engine.debug.stop(named: "the tour came twice")
    return story
}

@MainActor
private class Badge {
    var isBadgeVisible = false

    func follow(_ engine: PopupEngine) async {
        for await status in engine.statusUpdates(of: "rating_prompt") {
            isBadgeVisible = status.reason == .slotBusy
        }
    }
}

@MainActor
private func remember(_ rules: RuleSet, _ screen: any Presenter, folder: String) async throws {
    let history = SQLiteHistoryStore(path: folder + "/popups.sqlite")
    let engine = await PopupEngine(
        rules: rules, presenter: screen, user: "ann", history: history)
    engine.start()
    try await engine.flush()
    await engine.switchUser("bob")
    await engine.switchUser("cyd", context: ["user.plan": "free"], keeping: ["app.screen"])
    try await engine.forget(user: "bob")
    await engine.stop(dismissing: true)
}

private enum InSwiftUI {
    /// A substitute for the class of PopPresenting.
    @MainActor
    final class PopupScreen: Presenter {
        weak var engine: PopupEngine?
        func present(_ popup: Popup) async throws {}
        func dismiss(_ popup: Popup) async {}
    }

    @MainActor
    final class Popups {
        static let shared = Popups()

        let screen = PopupScreen()
        let context = ContextStore()
        private(set) var engine: PopupEngine?
        private var isStarted = false

        func start(_ rules: RuleSet, historyPath: String) async {
            guard !isStarted else { return }
            isStarted = true
            let engine = await PopupEngine(
                rules: rules, presenter: screen, context: context, user: "ann",
                history: SQLiteHistoryStore(path: historyPath))
            screen.engine = engine
            self.engine = engine
            engine.start()
        }
    }
}

actor LoggedHistory: HistoryStore {
    private let file: SQLiteHistoryStore
    private var log: [String] = []

    init(path: String) { file = SQLiteHistoryStore(path: path) }

    func history(of user: String) async throws -> History { try await file.history(of: user) }

    func append(_ records: [HistoryRecord], user: String) async throws {
        try await file.append(records, user: user)
        log += records.map { "\(user): \($0)" }
    }

    func remove(user: String) async throws {
        try await file.remove(user: user)
        log.removeAll { $0.hasPrefix("\(user): ") }
    }
}

private func ship(_ engine: PopupEngine, _ bundleURL: URL) throws {
    let rules = try RuleSet(bundle: Data(contentsOf: bundleURL))
    engine.reload(rules)
    engine.reload(rules, rollOut: .betweenSessions)
}

@MainActor
private func follow(_ screen: any Presenter) throws {
    let source = RuleSource("rules")
    let engine = PopupEngine(rules: try source.load().get(), presenter: screen)
    engine.start()
    engine.startFollowing(source)
}

private func queue(_ engine: PopupEngine) {
    var alert = ForeignPopup(id: "location_alert", priority: 1000)
    alert.isShownByApp = true
    var turn = PopupCallbacks()
    turn.shown = { askForLocation { engine.didDisappear("location_alert") } }
    engine.enqueue(alert, calling: turn) { context in
        context["app.screen"] == "map"
    }
}

/// A substitute for the system's question.
@MainActor
private func askForLocation(_ answered: () -> Void) { answered() }

@MainActor
private final class IdleView { var isIdle = true }

@MainActor
private func queue(_ engine: PopupEngine, _ view: IdleView) {
    engine.enqueue(ForeignPopup(id: "consent"), whenOnMain: { _ in view.isIdle })
}

@MainActor
@Suite struct `The test that the guide shows` {
    private let rules: RuleSet

    init() throws {
        rules = try RuleSet.parse("popups: { welcome: { priority: high }, tour: {} }")
    }

    @Test func `the keys fit the rules`() throws {
        let rules = try RuleSet.parse("context: { app.screen: string, user.launches: int }")
        #expect(rules.check(keys: [TypedKey<String>.screen, TypedKey<Int>.launches]) == [])
    }

    @Test func `the tour waits for the welcome`() async throws {
        let driver = EngineDriver(rules: rules)
        await driver.start()
        #expect(driver.engine.showing == ["main": "welcome"])
        driver.engine.userClosed("welcome")
        await driver.advance(by: .seconds(1))
        #expect(driver.presenter.calls.last == .present("tour"))
    }

    @Test func `the welcome does not come back after a restart`() async throws {
        let rules = try RuleSet.parse("popups: { welcome: { cap: { lifetime: 1 } } }")
        let start = try #require(Timestamp(parsing: "2026-05-04T09:00:00+02:00"))
        let clock = VirtualClock(date: start)
        let history = MemoryHistoryStore()
        let monday = await EngineDriver(rules: rules, user: "ann", history: history, clock: clock)
        monday.engine.zoneChanged("Europe/Berlin")
        await monday.start()
        #expect(monday.engine.showing == ["main": "welcome"])
        await monday.engine.stop()

        clock.advance(by: .seconds(86_400))
        let tuesday = await EngineDriver(rules: rules, user: "ann", history: history, clock: clock)
        await tuesday.start()
        #expect(tuesday.engine.explain("welcome")?.reason == .lifetimeCap)
    }

    @Test func `the user has closed the welcome before`() async throws {
        let rules = try RuleSet.parse("popups: { welcome: { cap: { closes: 1 } } }")
        let lastYear = try #require(Timestamp(parsing: "2025-05-04T09:00:00Z"))
        let history = MemoryHistoryStore()
        history.append(
            [
                .impression(popup: "welcome", date: lastYear),
                .acted(popup: "welcome", action: "close", date: lastYear, isClosing: true),
            ], user: "ann")
        let driver = await EngineDriver(rules: rules, user: "ann", history: history)
        await driver.start()
        #expect(driver.engine.explain("welcome")?.reason == .closedTooOften)
    }
}
