/// One visit: the products that a user views, puts into the cart and buys.
struct ShopSession {
    /// The average number of events of a session, as measured.
    static let meanEvents = 10.3

    private static let viewed = Array(#"Product Viewed","payload":{"sku":"#.utf8)
    private static let price = Array(#","price":"#.utf8)
    private static let searched = Array(
        #"Products Searched","payload":{"query":"shoes","results":"#.utf8)
    private static let scrolled = Array(#"Page Scrolled","payload":{"depth":"#.utf8)
    private static let cart = Array(#"Cart Changed","payload":{"items":"#.utf8)
    private static let total = Array(#","total":"#.utf8)
    private static let left = Array(#"Cart Left"}"#.utf8)
    private static let ordered = Array(#"Order Completed","payload":{"items":"#.utf8)
    private static let currency = Array(#","currency":"EUR"}}"#.utf8)
    private static let opened = Array(#"App Opened"}"#.utf8)
    private static let installed = Array(#"App Installed"}"#.utf8)
    private static let campaign = Array(#"Campaign Opened","payload":{"campaign":"c"#.utf8)
    private static let plan = Array(#"Plan Changed","payload":{"plan":"#.utf8)
    private static let end = Array("}}".utf8)
    private static let quoteAndEnd = Array(#""}}"#.utf8)
    private static let pro = Array(#""pro"}}"#.utf8)
    private static let free = Array(#""free"}}"#.utf8)

    private(set) var dice: Dice
    private let user: Int
    private let day: Int
    private let number: Int
    private let isFirst: Bool
    /// In milliseconds of the day with which it began.
    private var time: Int
    private var events = 0
    private var items = 0
    private var cents = 0
    /// The delay of the lines after their events, in milliseconds.
    private let lateness: Int

    init(user: Int, day: Int, number: Int, isFirst: Bool, time: Int, dice: Dice) {
        (self.user, self.day, self.number, self.time) = (user, day, number, time)
        (self.isFirst, self.dice) = (isFirst, dice)
        // Three of a hundred devices have no network meanwhile.
        lateness = self.dice.below(100) < 3 ? self.dice.below(6 * 3_600_000) : 0
    }

    mutating func play(into lines: inout DayLines) {
        if isFirst { add(Self.installed, to: &lines) { _ in } }
        add(Self.opened, to: &lines) { _ in }
        if let campaign = ShopDay.campaign(day), dice.below(4) == 0 {
            add(Self.campaign, to: &lines) {
                $0.add(campaign)
                $0.add(Self.quoteAndEnd)
            }
        }
        if dice.below(40) == 0 { changePlan(to: &lines) }
        // Most look around for a moment, some for long.
        let steps = 1 + dice.below(dice.below(4) == 0 ? 36 : 10)
        for _ in 0..<steps { step(into: &lines) }
        guard items > 0 else { return }
        if dice.below(3) == 0 {
            order(to: &lines)
        } else {
            add(Self.left, to: &lines) { _ in }
        }
    }

    private mutating func changePlan(to lines: inout DayLines) {
        let plan = dice.below(3) == 0 ? Self.free : Self.pro
        add(Self.plan, to: &lines) { $0.add(plan) }
    }

    private mutating func step(into lines: inout DayLines) {
        switch dice.below(100) {
        case ..<36:
            let (sku, cents) = (dice.below(5_000), 99 + dice.below(9_900))
            add(Self.viewed, to: &lines) {
                $0.add(sku)
                $0.add(Self.price)
                $0.add(cents: cents)
                $0.add(Self.end)
            }
        case ..<76:
            let depth = dice.below(101)
            add(Self.scrolled, to: &lines) {
                $0.add(depth)
                $0.add(Self.end)
            }
        case ..<88:
            let results = dice.below(3) == 0 ? 0 : dice.below(200)
            add(Self.searched, to: &lines) {
                $0.add(results)
                $0.add(Self.end)
            }
        default: changeCart(to: &lines)
        }
    }

    private mutating func changeCart(to lines: inout DayLines) {
        if items > 0, dice.below(5) == 0 {
            cents -= cents / items
            items -= 1
        } else {
            items += 1
            cents += 199 + dice.below(7_000)
        }
        let (items, cents) = (items, cents)
        add(Self.cart, to: &lines) {
            $0.add(items)
            $0.add(Self.total)
            $0.add(cents: cents)
            $0.add(Self.end)
        }
    }

    private mutating func order(to lines: inout DayLines) {
        let (items, cents) = (items, cents)
        add(Self.ordered, to: &lines) {
            $0.add(items)
            $0.add(Self.total)
            $0.add(cents: cents)
            $0.add(Self.currency)
        }
    }

    /// An event, and the time until the next one.
    private mutating func add(
        _ event: [UInt8], to lines: inout DayLines, _ rest: (inout DayLines) -> Void
    ) {
        let delay = lateness + dice.below(5_000)
        let isTwice = dice.below(200) == 0
        lines.begin(arriving: time + delay, isTwice: isTwice)
        lines.addHead(user: user, day: day, session: number, event: events, time: time)
        lines.add(event)
        rest(&lines)
        lines.end()
        events += 1
        // From time to time a user is called away.
        time += dice.below(60) == 0 ? dice.below(3_000_000) : 200 + dice.below(40_000)
    }
}
