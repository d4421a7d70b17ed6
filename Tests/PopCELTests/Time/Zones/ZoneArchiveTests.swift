import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct ZoneArchiveTests {
    /// The head of a file as Android has it, and two zones after it.
    private static let archive: [UInt8] = {
        let names = ["Africa/Abidjan", "Europe/Berlin"]
        let zones = 24 + 52 * Int32(names.count)
        let head = Array("tzdata2026a\0".utf8) + [24, zones, zones].flatMap(TZifText.bytes)
        return names.enumerated().reduce(head) { head, entry in
            let name = Array(entry.element.utf8)
            let numbers = [Int32(entry.offset) * 4, 4, 0].flatMap(TZifText.bytes)
            return head + name + [UInt8](repeating: 0, count: 40 - name.count) + numbers
        } + Array("ABIDBERL".utf8)
    }()

    @Test func `a zone is read from the offset in the table`() throws {
        let place = try #require(ZoneArchive.place(of: "Europe/Berlin", in: Self.archive))
        let bytes = Self.archive.dropFirst(Int(place.start)).prefix(place.length)
        #expect(String(decoding: bytes, as: UTF8.self) == "BERL")
    }

    @Test func `other names are not found`() {
        for name in ["Europe/Paris", "Europe", "Europe/Berlin2", ""] {
            #expect(ZoneArchive.place(of: name, in: Self.archive) == nil, "\(name)")
        }
    }

    @Test func `truncated or randomly changed bytes cause no crash`() {
        for length in 0..<128 {
            let head = Array(Self.archive.prefix(length))
            #expect(ZoneArchive.place(of: "Europe/Berlin", in: head) == nil)
        }
        var random = SeededGenerator(seed: 15)
        for _ in 0..<20_000 {
            var changed = Self.archive
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] = UInt8.random(in: 0...255, using: &random)
            guard let found = ZoneArchive.place(of: "Europe/Berlin", in: changed) else { continue }
            #expect(found.start >= 0 && (0...TimeZoneLimits.fileBytes).contains(found.length))
        }
    }
}
