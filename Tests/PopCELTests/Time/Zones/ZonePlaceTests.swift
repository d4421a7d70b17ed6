import Foundation
import Testing

@testable import PopCEL

@Suite struct ZonePlaceTests {
    private static let tokyo = TZifText(types: [32_400]).bytes

    /// A folder that is removed in the end.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Asia"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `a folder of zones has one file per zone`() throws {
        try inFolder { folder in
            try Data(Self.tokyo).write(to: folder.appending(path: "Asia/Tokyo"))
            let long = Self.tokyo + [UInt8](repeating: 0, count: TimeZoneLimits.fileBytes)
            try Data(long).write(to: folder.appending(path: "Asia/Long"))
            let place = ZonePlace.folder(folder.path)
            #expect(place.table(of: "Asia/Tokyo")?.offset(at: 0) == 32_400)
            for name in ["Asia", "Asia/Long", "Asia/Kyoto", "Asia/Tokyo/Shibuya"] {
                #expect(place.table(of: name) == nil, "\(name)")
            }
        }
    }

    @Test func `an archive has one file for all zones`() throws {
        try inFolder { folder in
            let file = folder.appending(path: "tzdata")
            let name = Array("Asia/Tokyo".utf8)
            let head =
                Array("tzdata2026a\0".utf8) + [24, 76, 76].flatMap { TZifText.bytes(Int32($0)) }
                + name + [UInt8](repeating: 0, count: 40 - name.count)
                + [0, Int32(Self.tokyo.count), 0].flatMap(TZifText.bytes)
            try Data(head + Self.tokyo).write(to: file)
            let place = ZonePlace.archive(file.path)
            #expect(place.table(of: "Asia/Tokyo")?.offset(at: 0) == 32_400)
            #expect(place.table(of: "Asia/Kyoto") == nil)
            try Data(head + Self.tokyo.dropLast()).write(to: file)
            #expect(place.table(of: "Asia/Tokyo") == nil)
        }
    }

    @Test func `a path that does not exist has no zones`() {
        #expect(ZonePlace.folder("/nowhere").table(of: "Asia/Tokyo") == nil)
        #expect(ZonePlace.archive("/nowhere").table(of: "Asia/Tokyo") == nil)
    }
}
