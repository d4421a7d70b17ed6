import Foundation
import PopScheduler
import PopTestSupport
import Testing

@testable import PopRuleFiles
@testable import PopWire

/// Properties of each key of the table, including keys that are added later.
@Suite struct `Every key of a popup` {
    /// Keys that people and checks read, and engines do not.
    private static let leftBehind: Set = ["examples"]

    @Test(arguments: Table.popup.keys.map(\.name))
    func `is written into bundles and read back`(key: String) throws {
        let bundle = try PopupSamples.rules(having: key).bundle()
        let without = try PopupSamples.rules("{}").bundle()
        #expect((bundle == without) == Self.leftBehind.contains(key))
        #expect(try RuleSet(bundle: bundle).bundle() == bundle)
    }

    @Test(arguments: Table.popup.keys.filter { $0.defaultText != nil }.map(\.name))
    func `has its default value in the table of keys`(key: String) throws {
        let row = try #require(Table.popup.keys.first { $0.name == key })
        let value = try #require(row.defaultText)
        let written = try PopupSamples.rules("{ \(key): \(value) }").bundle()
        #expect(try written == PopupSamples.rules("{}").bundle())
    }

    @Test(arguments: Table.popup.keys.map(\.name))
    func `is used in the rules of this package`(key: String) throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let folder = root.appending(path: "rules").path
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".yaml") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        #expect(texts.contains { $0.contains("\(key):") })
    }
}
