import Foundation
import PopTestSupport
import Testing

@testable import PopCEL

/// All zones of this system, compared with other implementations that know the same zones.
@Suite struct AllZonesTests {
    private static let years1970To2037 = Int64(0)...2_145_916_799
    private static let years2038To2500 = Int64(2_145_916_800)...16_756_761_599

    private func table(_ zone: String) throws -> TimeZoneTable {
        try #require(ZonePlace.folder(Judge.folder).table(of: zone), "\(zone)")
    }

    /// Returns the changes that the table lists, and those of two random years after it.
    private func changes(
        of table: TimeZoneTable, using random: inout SeededGenerator
    ) -> [Int64] {
        var changes = table.changes.filter { $0 > Timestamp.min.seconds + 86_400 }
        for _ in 0..<2 {
            let start = Int64.random(in: Self.years2038To2500, using: &random)
            for week in 0..<53 {
                var low = start + Int64(week) * 604_800
                var high = low + 604_800
                let before = table.offset(at: low)
                guard before != table.offset(at: high) else { continue }
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if table.offset(at: middle) == before { low = middle } else { high = middle }
                }
                changes.append(high)
            }
        }
        return changes
    }

    private func times(
        of table: TimeZoneTable, using random: inout SeededGenerator
    ) -> [Int64] {
        changes(of: table, using: &random).flatMap { [$0 - 1, $0, $0 + 1] }
            + (0..<100).map { _ in Int64.random(in: Self.years1970To2037, using: &random) }
            + (0..<100).map { _ in Int64.random(in: Self.years2038To2500, using: &random) }
    }

    @Test(.enabled(if: Judge.isHere, "python3 has no `zoneinfo`, or the system no zones"))
    func `offsets from UTC match another implementation`() throws {
        var random = SeededGenerator(seed: 1)
        let questions = try Judge.zones.map { zone in
            (zone: zone, times: times(of: try table(zone), using: &random))
        }
        let answers = try Judge.offsets(questions)
        #expect(questions.count > 300)
        #expect(answers.count == questions.count)
        for (question, answer) in zip(questions, answers) {
            let found = question.times.map(try table(question.zone).offset)
            guard found != answer else { continue }
            let wrong = zip(question.times, zip(found, answer)).first { $1.0 != $1.1 }
            Issue.record("\(question.zone): \(String(describing: wrong))")
        }
    }

    @Test(.enabled(if: Judge.isHere, "python3 has no `zoneinfo`, or the system no zones"))
    func `local times match another implementation, also if they occur twice or never`() throws {
        var random = SeededGenerator(seed: 2)
        let questions = try Judge.zones.map { zone in
            let table = try table(zone)
            let readings = changes(of: table, using: &random).flatMap { change in
                let reading = change + Int64(table.offset(at: change))
                let before = change + Int64(table.offset(at: change - 1))
                return [reading, before, reading - 1, before - 1, (reading + before) / 2]
            }
            return (zone: zone, times: readings)
        }
        let answers = try Judge.instants(questions)
        #expect(answers.count == questions.count)
        for (question, answer) in zip(questions, answers) {
            let (zone, table) = (question.zone, try table(question.zone))
            let zones = TimeZones.only(table)
            let calendar = try #require(LocalCalendar(zone: zone, zones: zones))
            for (reading, expected) in zip(question.times, answer) {
                let found = calendar.instants(reading: reading)
                if expected.isEmpty {
                    let change = try #require(found.first)
                    let before = change - 1 + Int64(table.offset(at: change - 1))
                    let after = change + Int64(table.offset(at: change))
                    #expect(before < reading && reading < after, "\(zone) \(reading)")
                } else {
                    #expect(found == expected, "\(zone) \(reading)")
                }
            }
        }
    }

    private static let systemVersion =
        (try? String(contentsOfFile: Judge.folder + "/tzdata.zi", encoding: .utf8))?
        .split(separator: "\n").first?.split(separator: " ").last.map(String.init)

    /// For other names of zones, such as `WET`, systems know different histories.
    @Test(
        .enabled(
            if: systemVersion == TimeZone.timeZoneDataVersion,
            "Foundation and the system have zones of different versions"))
    func `offsets from UTC match Foundation from 1970 to 2037`() throws {
        var random = SeededGenerator(seed: 3)
        for name in TimeZones.systemNames {
            let zone = try #require(TimeZone(identifier: name), "\(name)")
            let table = try table(name)
            let times = table.changes.flatMap { [$0 - 1, $0, $0 + 1] }
                .filter(Self.years1970To2037.contains).shuffled(using: &random).prefix(30)
            let others = (0..<30).map { _ in
                Int64.random(in: Self.years1970To2037, using: &random)
            }
            for time in times + others {
                let date = Date(timeIntervalSince1970: TimeInterval(time))
                #expect(
                    Int(table.offset(at: time)) == zone.secondsFromGMT(for: date),
                    "\(name) at \(time)")
            }
        }
    }

    #if !canImport(Darwin)
        @Test(
            .enabled(
                if: systemVersion == EmbeddedZones.version,
                "the system has zones of another version"))
        func `the embedded zones match the zones of the system from 2020 on`() throws {
            var random = SeededGenerator(seed: 4)
            for name in Judge.zones {
                let system = try table(name)
                let embedded = try #require(EmbeddedZones.table(of: name), "\(name)")
                for time in times(of: system, using: &random) where time >= 1_577_836_800 {
                    #expect(
                        embedded.offset(at: time) == system.offset(at: time), "\(name) at \(time)")
                }
            }
        }
    #endif
}

extension TimeZones {
    /// The time zones of a system that knows one zone.
    fileprivate static func only(_ table: TimeZoneTable) -> TimeZones {
        TimeZones { _, seconds in Int(table.offset(at: seconds)) }
    }
}
