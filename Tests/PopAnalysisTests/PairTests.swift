import Foundation
import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Two rule sets, and the lines that `diff` must report for the step from one to the other.
private struct Pair: CustomTestStringConvertible {
    let name: String
    /// The beginnings of the reported lines; empty if both mean the same.
    let told: [String]
    private let lines: [String]

    var testDescription: String { name }

    private static let text = try? String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Sets/pairs.txt"), encoding: .utf8)

    /// The lines before both parts of each pair.
    private static let head: [String] = {
        let lines = text?.components(separatedBy: "\n# ")[0].components(separatedBy: "\n") ?? []
        return Array(lines.drop { !$0.hasPrefix("@ ") })
    }()

    static let all = text?.components(separatedBy: "\n# ").dropFirst().map { Pair($0) } ?? []

    private init(_ text: String) {
        let lines = text.components(separatedBy: "\n")
        name = lines[0]
        told = lines.filter { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)) }
        self.lines = Array(lines.dropFirst())
    }

    /// Returns the rule set of the lines with a mark and the lines without any mark.
    func rules(marked mark: Character) throws -> RuleSet {
        var files: [String: String] = [:]
        var file = ""
        for line in Self.head + ["@ rules.yaml"] + lines {
            switch line.first {
            case "@":
                file = String(line.dropFirst(2))
                files[file] = "poprules: 1\n"
            case mark, " ": files[file, default: ""] += line.dropFirst(2) + "\n"
            case _: continue
            }
        }
        var sources = SourceSet()
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            sources.add(path: path, bytes: Array(text.utf8))
        }
        return try RuleSet.compile(try RuleModel.check(sources).get()).get()
    }
}

@Suite struct PairTests {
    @Test func `the table has at least as many pairs as intended`() {
        #expect(Pair.all.filter { $0.told.isEmpty }.count >= 100)
        #expect(Pair.all.filter { !$0.told.isEmpty }.count >= 50)
    }

    @Test(arguments: Pair.all)
    fileprivate func `only rules with another meaning give a change, however little differs`(
        pair: Pair
    )
        throws
    {
        let (one, other) = (try pair.rules(marked: "-"), try pair.rules(marked: "+"))
        let changes = RuleChanges(from: one, to: other)
        #expect(changes.isDecided)
        if pair.told.isEmpty {
            #expect(changes.text == "No behavior changes.\n")
            #expect(RuleChanges(from: other, to: one).isSame)
            return
        }
        let told = changes.entries.flatMap { entry in
            entry.lines.isEmpty
                ? ["\(entry.name) \(entry.kind.rawValue)"]
                : entry.lines.map { "\(entry.name): \($0.key) \($0.text)" }
        }
        #expect(
            told.count >= pair.told.count
                && pair.told.allSatisfy { start in told.contains { $0.hasPrefix(start) } },
            "\(told)")
    }
}
