import Foundation
import PopBacktest
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

@testable import ShopLog

/// The generated log of a shop, with the meaning that the mapping files give it, checked against
/// the naive model, for which a line has the meaning that is written here. `make test-fleet` passes
/// the users of a large log.
struct ShopLogTests {
    fileprivate struct Line: Decodable {
        struct Payload: Decodable {
            var items: Int64?
            var total: Double?
            var sku: Int64?
            var price: Double?
            var results: Int64?
            var campaign: String?
            var plan: String?
        }

        var id: String
        var user: String
        var time: String
        var event: String
        var payload: Payload?
    }

    private static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }

    private static func log() throws -> [UInt8] {
        if let path = environment("POPRULES_SHOP_LOG") {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        var bytes: [UInt8] = []
        var shop = ShopLog(events: 2_000)
        shop.users = 80
        shop.write { bytes += $0 }
        return bytes
    }

    private static func source(_ name: String) throws -> SourceFile {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../ShopLog/Rules/\(name)")
        var sources = SourceSet()
        return sources.add(path: name, bytes: [UInt8](try Data(contentsOf: path)))
    }

    private static func rules() throws -> RuleSet {
        var sources = SourceSet()
        let file = try source("shop.yaml")
        sources.add(path: file.path, bytes: Array(file.bytes))
        return try RuleSet.check(sources).get()
    }

    @Test func `the log of a shop gives the same impressions as the model, user by user`() throws {
        var log = try Self.log()
        let rules = try Self.rules()
        let lines = try Self.events(log)
        let mapping = try MappingFile.parse(Self.source("shop.mapping.yaml")).get()
        var replay = MemoryReplay(rules, mapping: mapping.meaning)
        replay.read(&log)
        let popups = replay.popups
        var told: [String: [String]] = [:]
        _ = try replay.play { user, row in
            if let line = row.line(popups[row.popup]) { told[user, default: []].append(line) }
        }
        var seen: Set<String> = []
        var output = ""
        for (user, events) in lines.sorted(by: { $0.key < $1.key }) {
            var naive = NaiveHost(
                user: user, key: "user.id", rules: rules, replies: Self.replies)
            naive.play(events, timeout: 1_800)
            #expect(told[user] ?? [] == naive.lines, "\(user)")
            output += naive.lines.map { "\(user) \($0)\n" }.joined()
            for line in naive.lines where line.hasPrefix("shown ") {
                seen.insert(String(line.split(separator: " ")[1]))
            }
        }
        #expect(lines.count > 30 && seen.count == popups.count, "\(seen)")
        if let path = Self.environment("POPRULES_SHOP_TOLD") {
            try output.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    /// The replies of users, as in the mapping.
    private static var replies: [String: ReplyModel] {
        var sheet = ReplyModel()
        sheet.closed = 40
        sheet.acted = ["accept": 20, "never": 5]
        sheet.after = .seconds(2)...(.seconds(9))
        var others = ReplyModel()
        others.closed = 60
        others.after = .seconds(4)...(.seconds(4))
        return ["sheet": sheet, "others": others]
    }

    /// By user, in their order and without copies.
    private static func events(_ log: [UInt8]) throws -> [String: [NaiveHost.Sent]] {
        var users: [String: [Line]] = [:]
        var known: Set<String> = []
        let decoder = JSONDecoder()
        for text in log.split(separator: UInt8(ascii: "\n")) {
            let line = try decoder.decode(Line.self, from: Data(text))
            if known.insert(line.id).inserted { users[line.user, default: []].append(line) }
        }
        return try users.mapValues { lines in
            try lines.sorted { ($0.time, rank($0)) < ($1.time, rank($1)) }.map { try sent($0) }
        }
    }

    /// Returns a key for sorting: lines that nothing reads come first.
    private static func rank(_ line: Line) -> String {
        ["App Installed", "App Opened", "Page Scrolled"].contains(line.event) ? "" : line.event
    }

    private static func sent(_ line: Line) throws -> NaiveHost.Sent {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let time = try format.parse(line.time).timeIntervalSince1970
        var sent = NaiveHost.Sent(time: Int64((time * 1_000).rounded()))
        let fields = line.payload
        switch line.event {
        case "Cart Changed":
            sent.updates["cart.items"] = fields?.items.map { .int($0) }
            sent.updates["cart.total"] = fields?.total.map { .double($0) }
        case "Plan Changed": sent.updates["user.plan"] = fields?.plan.map { .string($0) }
        case "Order Completed": sent.add("order.completed", of: fields)
        case "Product Viewed": sent.add("product.viewed", of: fields)
        case "Products Searched": sent.add("search.done", of: fields)
        case "Campaign Opened":
            sent.updates["knows.campaigns"] = .bool(true)
            sent.add("campaign.opened", of: fields)
        case "Cart Left": sent.add("cart.left", of: nil)
        default: #expect(rank(line) == "", "\(line.event)")
        }
        return sent
    }
}

extension NaiveHost.Sent {
    fileprivate mutating func add(_ event: String, of fields: ShopLogTests.Line.Payload?) {
        var payload: [String: Value] = [:]
        payload["items"] = fields?.items.map { .int($0) }
        payload["total"] = fields?.total.map { .double($0) }
        payload["sku"] = fields?.sku.map { .int($0) }
        payload["price"] = fields?.price.map { .double($0) }
        payload["results"] = fields?.results.map { .int($0) }
        payload["campaign"] = fields?.campaign.map { .string($0) }
        events.append((event, payload))
    }
}
