import Foundation
import PopCEL
import PopRuleFiles
import PopSource
import PopTestSupport
import PopValidation
import Testing

@testable import PopLanguageServer

/// After any edits, an editor gets the findings that `validate` reports for the files as they would
/// be saved.
struct RandomEditTests {
    /// `POPRULES_EDITS=100000` takes so many edits instead of a few.
    private static let edits =
        ProcessInfo.processInfo.environment["POPRULES_EDITS"].flatMap { Int($0) } ?? 400
    private static let editsOfOne = 50

    private static let scraps = [
        "\n", "  ", "- ", ":", "#", "{", "}", "[", "]", "\"", "'", "user.plan", "settled", "when: ",
        "priority: high", "welcome", "event_count(\"order.paid\") > 1", "&& ", "true", "x: {}\n",
        "&a ", "*a", "é", "  y:\n    when: user.plan == \"pro\"\n    after: [welcome]\n",
        "# poprules:ignore[P0801] reason\n",
    ]

    @Test(arguments: 0..<max(edits / editsOfOne, 1))
    func `the findings after edits match the findings of validate`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let editor = try Editor(Shop.files)
        let names = Shop.files.keys.sorted()
        for name in names { try editor.open(name) }
        for edit in 0..<Self.editsOfOne {
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            change(name, in: editor, &random)
            // Sometimes the editor has a moment, sometimes the next key comes first.
            if Int.random(in: 0..<4, using: &random) == 0 { editor.settle() }
            guard edit % 10 == 9 else { continue }
            editor.settle()
            let told = editor.findings.mapValues { $0.map { $0["code"]?.text ?? "" }.sorted() }
                .filter { !$0.value.isEmpty }
            #expect(told == (try validated(editor)), "seed \(seed), edit \(edit)")
        }
    }

    private func change(
        _ name: String, in editor: Editor, _ random: inout SeededGenerator
    ) {
        let original = Shop.files[name] ?? ""
        if Int.random(in: 0..<12, using: &random) == 0 {
            return editor.change(name, to: original)
        }
        let text = editor.texts[name] ?? ""
        let scalars = Array(text.utf16)
        let start = Int.random(in: 0...scalars.count, using: &random)
        let length =
            Int.random(in: 0..<4, using: &random) == 0
            ? Int.random(in: 0...min(12, scalars.count - start), using: &random) : 0
        let scrap = Self.scraps[Int.random(in: 0..<Self.scraps.count, using: &random)]
        editor.replace(utf16: start..<start + length, by: length > 0 ? "" : scrap, in: name)
    }

    /// By file the checks that `validate` reports, once they are saved.
    private func validated(_ editor: Editor) throws -> [String: [String]] {
        let given = Dictionary(
            uniqueKeysWithValues: editor.texts.map { (editor.path($0.key), Array($0.value.utf8)) })
        let validation = Validation(
            arguments: [editor.path("rules")],
            now: Timestamp(parsing: "2026-11-25T12:00:00Z") ?? .min)
        let outcome = try validation.look(changed: given)
        let shown = Diagnostics(outcome.diagnostics.sorted).atMost(.standard)
        var codes: [String: [String]] = [:]
        for finding in shown.list {
            let path = outcome.sources[finding.range.file].path
            codes[String(path.dropFirst(editor.folder.path.count + 1)), default: []]
                .append(finding.check.id)
        }
        return codes.mapValues { $0.sorted() }
    }
}
