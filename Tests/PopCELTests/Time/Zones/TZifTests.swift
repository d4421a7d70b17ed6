import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct TZifTests {
    private static let berlin = TZifText(
        changes: [(-1000, 1), (1000, 0), (5000, 1)], types: [3600, 7200],
        rule: "CET-1CEST,M3.5.0,M10.5.0/3")

    @Test
    func `the first type applies before the first change, and the rule after the last change`()
        throws
    {
        let zone = try #require(TimeZoneTable(tzif: Self.berlin.bytes))
        let times: [Int64] = [.min, -1001, -1000, 999, 1000, 4999, 1_782_864_000, 1_798_761_600]
        #expect(
            times.map(zone.offset) == [3600, 3600, 7200, 7200, 3600, 3600, 7200, 3600])
    }

    @Test func `without a rule the last type applies forever`() throws {
        var text = Self.berlin
        text.rule = ""
        let zone = try #require(TimeZoneTable(tzif: text.bytes))
        #expect(zone.offset(at: .max) == 7200)
        text.changes = []
        #expect(try #require(TimeZoneTable(tzif: text.bytes)).offset(at: .max) == 3600)
    }

    @Test func `the times of the first version have 32 bits`() throws {
        var text = Self.berlin
        text.version = 0
        let zone = try #require(TimeZoneTable(tzif: text.bytes))
        #expect(
            [-1001, -1000, 1000, 5000, .max].map(zone.offset) == [3600, 7200, 3600, 7200, 7200])
    }

    @Test(arguments: ["2", "3", "4", "5"] as [Unicode.Scalar])
    func `later versions can be read as well`(version: Unicode.Scalar) throws {
        var text = Self.berlin
        text.version = UInt8(ascii: version)
        // From 1900-01-01 on, further back than 32 bits reach.
        text.changes[0].time = -2_208_988_800
        let zone = try #require(TimeZoneTable(tzif: text.bytes))
        #expect([-2_208_988_801, -2_208_988_800].map(zone.offset) == [3600, 7200])
    }

    @Test func `a truncated file isn't a valid file`() {
        let bytes = Self.berlin.bytes
        #expect(TimeZoneTable(tzif: bytes) != nil)
        for length in bytes.indices {
            #expect(TimeZoneTable(tzif: Array(bytes.prefix(length))) == nil, "\(length)")
        }
    }

    private static let mistakes: [(String, @Sendable (inout TZifText) -> Void)] = [
        ("times that go back", { $0.changes[1].time = -1000 }),
        ("a type that is not there", { $0.changes[1].type = 2 }),
        ("no type", { $0 = TZifText(types: []) }),
        ("clocks that are days away", { $0.types[1] = 93_600 }),
        ("a rule that is none", { $0.rule = "CET-1CEST" }),
        ("leap seconds", { $0.leapSeconds = 1 }),
        ("flags for some types", { $0.flags = 1 }),
        ("an unknown version", { $0.version = UInt8(ascii: "1") }),
        ("more than a counter holds", { $0.flags = -1 }),
        (
            "too many changes",
            { $0.changes = (0...Int64(TimeZoneLimits.changes)).map { ($0, 0) } }
        ),
        ("a file that is too long", { $0.rule += "\n" + String(repeating: "x", count: 65_536) }),
    ]

    @Test(arguments: mistakes.indices) func `a file with a mistake isn't a valid file`(index: Int) {
        var text = Self.berlin
        let (name, change) = Self.mistakes[index]
        if name == "more than a counter holds" {
            var bytes = text.bytes
            bytes[20] = 0xFF
            #expect(TimeZoneTable(tzif: bytes) == nil, "\(name)")
        } else {
            change(&text)
            #expect(TimeZoneTable(tzif: text.bytes) == nil, "\(name)")
        }
    }

    @Test func `bytes changed at random cause no crash`() throws {
        var random = SeededGenerator(seed: 15)
        let bytes = Self.berlin.bytes
        var survivors = 0
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                changed[place] = UInt8.random(in: 0...255, using: &random)
            }
            guard let zone = TimeZoneTable(tzif: changed) else { continue }
            survivors += 1
            for time in [Int64.min, -1, 1000, 2_000_000_000, .max] {
                #expect(TimeZoneLimits.offsets.contains(zone.offset(at: time)))
            }
        }
        #expect(survivors > 100)
    }
}
