import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

/// After any edits, the linked files have the same findings as the same files from scratch.
struct RandomEditTests {
    /// `POPRULES_LINKING_SEEDS=10000` takes so many instead of a few.
    private static let seeds =
        ProcessInfo.processInfo.environment["POPRULES_LINKING_SEEDS"].flatMap { UInt64($0) } ?? 12

    @Test(arguments: 0..<seeds)
    func `linked files give the same findings as from scratch`(_ seed: UInt64) {
        play(seed, limits: .standard)
    }

    @Test(arguments: 0..<seeds)
    func `limits apply to linked files as from scratch`(_ seed: UInt64) {
        var limits = RuleFileLimits.standard
        limits.suggestions = Int(seed % 8) + 1
        limits.entries = seed % 3 == 0 ? 9 : 100
        limits.conditionChain = 2
        limits.findings = 6
        limits.allFindings = 15
        play(seed + 1_000_000, limits: limits)
    }

    private func play(_ seed: UInt64, limits: RuleFileLimits) {
        var writer = RuleWriter(seed: seed)
        var play = EditedFiles(count: writer.number(2..<9), writer: &writer, limits: limits)
        #expect(play.difference == nil, "seed \(seed), at first")
        for step in 0..<20 {
            play.edit(&writer)
            guard let difference = play.difference else { continue }
            Issue.record("seed \(seed), step \(step): \(difference)")
            return
        }
    }
}

/// Files that are edited at random, and the same files linked.
private struct EditedFiles {
    private var texts: [FileID: RandomRuleFile] = [:]
    private var linked: LinkedFiles
    private let limits: RuleFileLimits

    init(count: Int, writer: inout RuleWriter, limits: RuleFileLimits) {
        self.limits = limits
        var sources = SourceSet()
        for number in 0..<count {
            let text = writer.file()
            let file = sources.add(path: "\(number).yaml", bytes: Array(text.text.utf8))
            texts[file.id] = text
        }
        linked = LinkedFiles(sources, limits: limits)
    }

    /// The difference from the findings of a check from scratch; nil if both agree.
    var difference: String? {
        let fresh = RuleSet.check(linked.sources, files: linked.files, limits: limits)
        if fresh.diagnostics == linked.diagnostics,
            (fresh.value == nil) == (linked.rules.value == nil)
        {
            return nil
        }
        let missing = fresh.diagnostics.list.filter { !linked.diagnostics.list.contains($0) }
        let wrong = linked.diagnostics.list.filter { !fresh.diagnostics.list.contains($0) }
        return "missing \(missing)\nwrong \(wrong)\n"
            + linked.files.map { "--- \($0.index)\n" + (texts[$0]?.text ?? "") }.joined()
    }

    mutating func edit(_ writer: inout RuleWriter) {
        switch writer.number(0..<16) {
        case 0: add(writer.file(), writer: &writer)
        case 1 where linked.files.count > 1:
            let file = writer.one(linked.files)
            texts[file] = nil
            linked.remove(file)
        case 2...4 where linked.files.count > 1: move(&writer)
        default:
            change(writer.one(linked.files), &writer)
        }
    }

    private mutating func add(_ text: RandomRuleFile, writer: inout RuleWriter) {
        let position = writer.number(0..<linked.files.count + 1)
        let added = linked.add(
            path: "new.yaml", bytes: Array(text.text.utf8), at: position)
        texts[added.id] = text
    }

    /// Moves an entry from one file to another.
    private mutating func move(_ writer: inout RuleWriter) {
        let (from, to) = (writer.one(linked.files), writer.one(linked.files))
        let section = writer.one(RuleWriter.sections)
        guard from != to, var lines = texts[from]?.sections[section], !lines.isEmpty else { return }
        let line = lines.remove(at: writer.number(0..<lines.count))
        texts[from]?.sections[section] = lines
        texts[to]?.sections[section, default: []].insert(line, at: 0)
        update(from)
        update(to)
    }

    private mutating func change(_ file: FileID, _ writer: inout RuleWriter) {
        var text = texts[file] ?? RandomRuleFile()
        let section = writer.one(RuleWriter.sections)
        let count = text.sections[section]?.count ?? 0
        switch writer.number(0..<10) {
        case 0: text.comments = writer.number(0..<3)
        case 1: text.isBroken.toggle()
        case 2, 3: writer.add(to: &text)
        case 4 where count > 0:
            text.sections[section]?.remove(at: writer.number(0..<count))
        case 5 where count > 1: text.sections[section]?.reverse()
        default:
            if count == 0 {
                writer.add(to: &text)
            } else {
                text.sections[section]?[writer.number(0..<count)] = writer.entry(section)
            }
        }
        texts[file] = text
        update(file)
    }

    private mutating func update(_ id: FileID) {
        let text = texts[id]?.text ?? ""
        linked.update(SourceFile(id: id, path: linked.sources[id].path, text: text))
    }
}
