/// The shop's own screens. What is over them is in `PopupLayer`.
@MainActor
final class ShopWindow {
    let window = Widget.window("Shop", width: 900, height: 640)
    /// The controls that the guide points at.
    let anchors: [String: Widget]
    let overlay: Widget

    private let shop: Shop
    private let stack: Widget
    private let tabs: [Shop.Screen: Widget]
    private let network: Widget
    private let cartRows = Widget.column(spacing: 8)
    private let cartTotal = Widget.label("", "total")
    private let payTotal = Widget.label("", "total")
    private let cartCount = Widget.label("", "badge").placed(.fill, .center)

    init(_ shop: Shop) {
        self.shop = shop
        let tab = { (screen: Shop.Screen, text: String) in
            Widget.button(text, named: "tab.\(screen)") { shop.go(to: screen) }
                .styled("tab").placed(.fill, .center)
        }
        tabs = [.home: tab(.home, "Home"), .map: tab(.map, "Map"), .cart: tab(.cart, "Cart")]
        network = Widget.button("●", named: "tab.network") { shop.switchNetwork() }
            .styled("network").placed(.fill, .center)
        let search = Widget.label("Search lamps, vases …", "search").growing().placed(
            .fill, .center)
        anchors = tabs.reduce(into: ["search": search]) { $0[$1.key.rawValue] = $1.value }
        stack = Widget.stack([
            ("home", Self.home(shop)), ("map", Self.map(shop)),
            ("cart", Self.cart(shop, rows: cartRows, total: cartTotal)),
            ("checkout", Self.checkout(shop, total: payTotal)),
        ])
        let brand = Widget.label("Corner Shop", "brand")
        let order = [Shop.Screen.home, .map, .cart].compactMap { [tabs] in tabs[$0] }
        let bar = Widget.row([brand, search] + order + [cartCount, network]).styled("bar")
        overlay = Widget.overlay(Widget.column([bar, stack.filling()], spacing: 0))
        shop.onChange = { [weak self] in self?.draw() }
        draw()
        window.show(overlay)
    }

    private func draw() {
        stack.showPage(shop.screen.rawValue)
        for (screen, tab) in tabs { tab.marked("current", screen == shop.screen) }
        network.marked("offline", !shop.isOnline)
        cartCount.setText("\(shop.cart.count)")
        cartTotal.setText("Total \(Product(name: "", price: shop.total, color: "").priceText)")
        payTotal.setText("Amount due \(Product(name: "", price: shop.total, color: "").priceText)")
        cartRows.clear()
        for (place, product) in shop.cart.enumerated() {
            let remove = Widget.button("Remove", named: "remove.\(place)") { [shop] in
                shop.remove(at: place)
            }
            let row = Widget.row([
                Widget.label("").styled("swatch").styled(product.color),
                Widget.label(product.name, "name").growing(),
                Widget.label(product.priceText), remove.placed(.end, .center),
            ])
            cartRows.add(row.styled("line"))
        }
        if shop.cart.isEmpty { cartRows.add(.label("Your cart is empty.", "faint")) }
    }
}

// MARK: Screens

extension ShopWindow {
    private static func home(_ shop: Shop) -> Widget {
        let rows = [Product.all.prefix(3), Product.all.suffix(3)].map { products in
            Widget.row(products.map { card($0, shop) }, spacing: 20).placed(.center)
        }
        return Widget.column([.label("New this week", "heading")] + rows, spacing: 20)
            .styled("page").placed(.center, .start)
    }

    private static func card(_ product: Product, _ shop: Shop) -> Widget {
        let buy = Widget.button("Add to cart", named: "buy.\(product.name)") { shop.put(product) }
        let price = Widget.row([
            .label(product.name, "name").growing(), .label(product.priceText),
        ])
        let picture = Widget.label("").styled("picture").styled(product.color)
        return Widget.column([picture, price, buy], spacing: 8).styled("card")
    }

    private static func map(_ shop: Shop) -> Widget {
        let save = Widget.button("Save this map", named: "map.save") { shop.saveMap() }
        return Widget.column([
            .label("Shops near you", "heading"), Widget.label("").styled("map").filling(),
            save.placed(.start),
        ]).styled("page")
    }

    private static func cart(_ shop: Shop, rows: Widget, total: Widget) -> Widget {
        let next = Widget.button("Check out", named: "cart.checkout") { shop.go(to: .checkout) }
        return Widget.column([
            .label("Your cart", "heading"), rows, total, next.styled("main").placed(.end),
        ]).styled("page")
    }

    private static func checkout(_ shop: Shop, total: Widget) -> Widget {
        let pay = Widget.button("Pay now", named: "checkout.pay") { shop.pay() }
        return Widget.column([
            .label("Check out", "heading"), .label("12 Mill Lane, second floor"),
            .label("By card ending in 4242"), total, pay.styled("main").placed(.start),
        ]).styled("page")
    }
}
