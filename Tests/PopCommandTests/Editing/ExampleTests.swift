import Foundation
import PopSource
import PopYAML
import Testing

/// The files that this repository shows as examples of how to write them.
@Suite struct `The examples` {
    private static let line = "# yaml-language-server: $schema=./poprules.schema.json\n"
    private static let schema = "rules/poprules.schema.json"

    @Test func `of rules name an up-to-date schema in their first line`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "rules").path)
        for name in names where name.hasSuffix(".yaml") {
            #expect(try Repository.text("rules/\(name)").hasPrefix(Self.line), "\(name)")
        }
        let now = try Program.shell("poprules schema --for rules", in: Repository.root).output
        if Golden.isBeingUpdated { try Golden.write(now, to: Self.schema) }
        let isUpToDate = try now == Repository.text(Self.schema)
        #expect(isUpToDate, "run the tests with UPDATE_GOLDEN=1, or `make schema`")
    }

    @Test func `of rules have the standard layout`() throws {
        let outcome = try Program.shell("poprules fmt --check rules", in: Repository.root)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test(arguments: ["Examples/rules/news"])
    func `of other apps are valid, have tests that pass, and have the standard layout`(
        folder: String
    ) throws {
        let checked = try Program.shell("poprules validate \(folder)", in: Repository.root)
        #expect(checked.output.contains("0 errors, 0 warnings ("), "\(checked.output)")
        let tested = try Program.shell(
            "poprules test \(folder) --quiet --coverage text --threshold 65", in: Repository.root)
        #expect(tested.status == 0, "\(tested.output)")
        #expect(tested.output.contains("every popup was shown"))
        let layout = try Program.shell("poprules fmt --check \(folder)", in: Repository.root)
        #expect(layout.status == 0 && layout.output.isEmpty, "\(layout.output)")
    }

    @Test(arguments: `The documentation`.pages)
    func `in the documentation have the standard layout`(page: String) throws {
        for block in Block.all(in: try Repository.text(page)) where block.language == "yaml" {
            let source = SourceFile(path: page, bytes: Array(block.text.utf8))
            guard let text = YAMLDocument.formatted(source).value else { continue }
            #expect(String(decoding: text, as: UTF8.self) == block.text)
        }
    }
}
