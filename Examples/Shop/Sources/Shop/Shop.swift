import Foundation
import PopEngine

/// What is for sale.
struct Product {
    let name: String
    let price: Double
    let color: String

    static let all = [
        Product(name: "Teapot", price: 24, color: "sage"),
        Product(name: "Lamp", price: 59, color: "sun"),
        Product(name: "Blanket", price: 45, color: "rose"),
        Product(name: "Clock", price: 32, color: "sky"),
        Product(name: "Basket", price: 19, color: "sand"),
        Product(name: "Vase", price: 27, color: "plum"),
    ]

    var priceText: String { String(format: "%.2f €", price) }
}

/// The shop without its window: what is in the cart and which screen is in front, and what the
/// engine hears of both.
@MainActor
final class Shop {
    enum Screen: String, CaseIterable { case home, map, cart, checkout }

    private let engine: PopupEngine
    private(set) var screen = Screen.home
    private(set) var cart: [Product] = []
    private(set) var isOnline = true
    private var removed: Product?
    private var download: Task<Void, Never>?
    /// Draws anew what has changed.
    var onChange: Action = {}

    init(engine: PopupEngine) {
        self.engine = engine
        engine.context["user.launches"] = 1
        go(to: .home)
    }

    var total: Double { cart.map(\.price).reduce(0, +) }

    func go(to screen: Screen) {
        self.screen = screen
        engine.context["app.screen"] = .string(screen.rawValue)
        onChange()
    }

    func put(_ product: Product) { changeCart { $0.append(product) } }

    func remove(at place: Int) {
        changeCart { removed = $0.remove(at: place) }
        engine.send("item.removed", ["name": .string(removed?.name ?? "")])
    }

    func undoRemove() {
        if let removed { put(removed) }
        removed = nil
    }

    func pay() {
        engine.send("checkout.completed", ["total": .double(total), "currency": "EUR"])
        changeCart { $0 = [] }
        go(to: .home)
    }

    /// Saves the map. The rules say that a toast shows this; how far it is, the toast hears from
    /// here, for as long as it shows.
    func saveMap() {
        guard download == nil else { return }
        engine.send("download.started", ["name": "Old town"])
        download = Task {
            for await share in Download.shares() {
                engine.updateContent(of: "map_download", ["progress": share])
            }
            engine.dismiss("map_download")
            engine.send("download.finished", ["name": "Old town", "bytes": 4_200_000])
            download = nil
        }
    }

    func switchNetwork() {
        isOnline.toggle()
        engine.context["net.online"] = .bool(isOnline)
        onChange()
    }

    /// What the app does when a person says yes to a popup; the engine hears of it from the popup.
    func accepted(_ popup: String) {
        switch popup {
        case "consent": engine.context["consent.answered"] = true
        case "location_primer": engine.context["permission.location"] = "granted"
        case "push_primer": engine.context["permission.push"] = "granted"
        case "undo_remove": undoRemove()
        case "guide_overlay": engine.send("guide.finished")
        default: break
        }
    }

    private func changeCart(_ change: (inout [Product]) -> Void) {
        change(&cart)
        engine.context.update { [cart] context in
            context["cart.items"] = .int(Int64(cart.count))
            context["cart.total"] = .double(cart.map(\.price).reduce(0, +))
        }
        onChange()
    }
}
