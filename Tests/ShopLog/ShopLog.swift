import PopTestSupport

/// The actions of the users of a shop, generated from a seed.
///
/// Users differ in zeal and come to the shop on different days; days differ by the day of the week,
/// the season and campaigns. For each day, the lines have the order in which a server would have
/// received them. It differs from the order of their times: some devices send late, and some lines
/// are sent twice. The actions of a user don't depend on other users.
struct ShopLog {
    /// About how many there are.
    var events: Int
    /// The seed of all random choices.
    var seed: UInt64 = 1
    /// The number of users who may come; some never do.
    var users: Int
    /// The number of days, from Monday, 2026-03-02 on.
    var days = 91

    init(events: Int) {
        self.events = events
        users = max(events / 100, 1)
    }

    /// Writes all lines, in pieces.
    func write(_ put: ([UInt8]) throws -> Void) rethrows {
        let everybody = (0..<users).map { ShopUser($0, seed: seed, days: days) }
        let rate = sessionsPerVisit(everybody)
        var lines = DayLines()
        for day in 0..<days {
            for user in everybody where user.firstDay <= day {
                let expected = rate * user.zeal * ShopDay.attendance(day)
                addSessions(of: user, on: day, expected: expected, to: &lines)
            }
            try lines.write(put)
        }
    }

    private func addSessions(
        of user: ShopUser, on day: Int, expected: Double, to lines: inout DayLines
    ) {
        var dice = Dice(seed, UInt64(user.number), UInt64(day) + 1)
        let sessions = Int(expected + dice.share())
        if sessions == 0 { return }
        let times = (0..<sessions).map { _ in user.timeOfDay(&dice) }.sorted()
        for (number, time) in times.enumerated() {
            var session = ShopSession(
                user: user.number, day: day, number: number,
                isFirst: user.firstDay == day && number == 0, time: time, dice: dice)
            session.play(into: &lines)
            dice = session.dice
        }
    }

    /// So that there are as many events as are asked for.
    private func sessionsPerVisit(_ everybody: [ShopUser]) -> Double {
        var left = [0.0]
        for day in (0..<days).reversed() {
            left.append((left.last ?? 0) + ShopDay.attendance(day))
        }
        let visits = everybody.reduce(0) { sum, user in
            sum + user.zeal * left[days - max(user.firstDay, 0)]
        }
        return Double(events) / ShopSession.meanEvents / max(visits, 1e-9)
    }
}

/// Properties of a day for a shop.
enum ShopDay {
    /// Monday, 2026-03-02, in days since 1970.
    static let first = 20_514
    private static let byWeekday = [0.90, 0.85, 0.90, 1.00, 1.10, 1.30, 1.20]

    /// The campaign that begins every 13 days and takes three.
    static func campaign(_ day: Int) -> Int? { day % 13 < 3 ? day / 13 : nil }

    /// Returns the number of users who come on a day, relative to an ordinary day.
    static func attendance(_ day: Int) -> Double {
        let distance = abs((day + 60) % 365 - 182)
        let season = 0.85 + 0.4 * Double(distance) / 182
        return byWeekday[day % 7] * season * (campaign(day) == nil ? 1 : 1.6)
    }
}

/// A user who comes to the shop from time to time.
struct ShopUser {
    let number: Int
    /// The frequency of visits, relative to the usual.
    let zeal: Double
    /// When the app was installed; negative where that was before the log.
    let firstDay: Int
    private let isEarly: Bool

    init(_ number: Int, seed: UInt64, days: Int) {
        self.number = number
        var dice = Dice(seed, UInt64(number), 0)
        // Few come often: the fourth power of a share lies between 0 and 1, and mostly near 0.
        let share = dice.share()
        zeal = 0.1 + 4.5 * share * share * share * share
        firstDay = dice.below(days * 2) - days
        isEarly = dice.below(3) == 0
    }

    /// In milliseconds: around noon or in the evening, by habit.
    func timeOfDay(_ dice: inout Dice) -> Int {
        let hours = isEarly ? 8 + 6 * dice.share() : 15 + 9 * (dice.share() + dice.share()) / 2
        return Int(hours * 3_600_000)
    }
}

/// Random numbers that depend only on their seeds.
struct Dice {
    private var generator: SeededGenerator

    init(_ seed: UInt64, _ number: UInt64, _ other: UInt64) {
        var first = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ number)
        var second = SeededGenerator(seed: first.next() &+ other)
        generator = SeededGenerator(seed: second.next())
    }

    /// From 0 up to 1.
    mutating func share() -> Double {
        Double(generator.next() >> 11) / Double(UInt64(1) << 53)
    }

    /// From 0 up to a limit.
    mutating func below(_ limit: Int) -> Int { Int(generator.next() >> 33) % limit }
}
