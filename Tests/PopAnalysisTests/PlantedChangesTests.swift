import Foundation
import PopAnalysis
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A change of the rules of this repository, and the lines that `diff` must report for it.
struct PlantedChange {
    let name: String
    var edits: [(old: String, new: String)] = []
    var told: [String] = []
    var isDecided = true

    static func all() throws -> [PlantedChange] {
        let text = try String(
            contentsOf: root.appending(path: "Tests/PopAnalysisTests/Sets/planted-changes.txt"),
            encoding: .utf8)
        return text.components(separatedBy: "\n# ").dropFirst().map { PlantedChange($0) }
    }

    private init(_ text: String) {
        let lines = text.split(separator: "\n")
        name = String(lines[0])
        var last: Character = "="
        for line in lines.dropFirst() {
            let rest = String(line.dropFirst(2))
            switch (line.first, last) {
            case ("-", "-"): edits[edits.count - 1].old += "\n" + rest
            case ("-", _): edits.append((rest, ""))
            case ("+", "+"): edits[edits.count - 1].new += "\n" + rest
            case ("+", _): edits[edits.count - 1].new = rest
            case _ where rest == "~": isDecided = false
            default: told.append(rest)
            }
            last = line.first ?? "="
        }
    }

    /// Returns the rules with the replacements. Precondition: each edit has something to replace.
    func rules(_ files: [(path: String, text: String)]) throws -> RuleSet {
        var found = Set<Int>()
        let edited = files.map { file in
            var text = file.text
            for (place, edit) in edits.enumerated() where text.contains(edit.old) {
                found.insert(place)
                text = text.replacingOccurrences(of: edit.old, with: edit.new)
            }
            return (path: file.path, text: text)
        }
        #expect(found.count == edits.count, "\(name)")
        return try PlantedChangesTests.compile(edited)
    }
}

@Suite struct PlantedChangesTests {
    static func files() throws -> [(path: String, text: String)] {
        let folder = root.appending(path: "rules")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    static func compile(_ files: [(path: String, text: String)]) throws -> RuleSet {
        var sources = SourceSet()
        for file in files { sources.add(path: file.path, bytes: Array(file.text.utf8)) }
        return try RuleSet.compile(try RuleModel.check(sources).get()).get()
    }

    @Test func `planted changes are reported with the users gained and lost`() throws {
        let files = try Self.files()
        let earlier = try Self.compile(files)
        let changes = try PlantedChange.all()
        #expect(changes.count >= 40)
        var tried = 0
        for change in changes {
            let later = try change.rules(files)
            let found = RuleChanges(from: earlier, to: later)
            #expect(found.told == change.told, "\(change.name)")
            #expect(found.isDecided == change.isDecided, "\(change.name)")
            for affected in found.affected
            where affected.person.others.isEmpty && affected.event == nil {
                let sees = [earlier, later].map {
                    $0.lets(affected.person.values, see: affected.popup)
                }
                #expect(sees == [!affected.isGained, affected.isGained], "\(change.name)")
                tried += 1
            }
        }
        #expect(tried >= 10)
    }
}

extension PlantedChangesTests {
    /// The changes for which no test is found, each with a reason in the file.
    private static let withoutStory: Set = [
        "removed", "values", "described", "trigger", "tags",
    ]
    /// The changes with a test that names a popup which the earlier rules don't have.
    private static let withNewPopups: Set = ["added", "renamed"]

    @Test func `each scenario of a planted change passes after the change and fails before it`()
        throws
    {
        let files = try Self.files()
        let earlier = try Self.compile(files)
        var told = 0
        var untold: Set<String> = []
        for change in try PlantedChange.all() {
            let later = try change.rules(files)
            let changes = RuleChanges(from: earlier, to: later)
            let stories = ChangeStories(
                of: changes, from: earlier, to: later, limits: .ofCommand())
            guard let text = stories.text else {
                #expect(changes.isSame || !stories.untold.isEmpty, "\(change.name)")
                if !changes.isSame { untold.insert(change.name) }
                continue
            }
            let after = try Self.run(text, later)
            let isOfBoth = !Self.withNewPopups.contains(change.name)
            let before = isOfBoth ? try Self.run(text, earlier) : []
            #expect(after.count == stories.count && after.allSatisfy(\.passed), "\(change.name)")
            #expect(!before.contains { $0.passed }, "\(change.name)")
            for result in before where result.name.value.contains(" shows ") {
                let words = result.name.value.split(separator: " ")
                let isGained = words[2] == "now"
                let hasShown = result.plays.contains { play in
                    play.log.contains { "\($0)".contains("shown") && "\($0)".contains(words[0]) }
                }
                #expect(hasShown != isGained, "\(change.name): \(result.name.value)")
            }
            told += stories.count
        }
        #expect(told >= 56, "\(told)")
        #expect(untold == Self.withoutStory)
    }

    private static func run(_ text: String, _ rules: RuleSet) throws -> [TestResult] {
        let source = SourceFile(path: "change.test.yaml", text: text)
        let tests = try TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }.get()
        return tests.tests.map { TestRunner.run($0, of: tests, within: .ofCommand()) }
    }
}

extension RuleChanges {
    /// On a line each; who comes and goes without the popups' own descriptions.
    fileprivate var told: [String] {
        entries.flatMap { entry in
            if entry.kind != .changed { return ["\(entry.name) \(entry.kind.rawValue)"] }
            return entry.lines.flatMap { line in
                let isAudience = ["audience", "when", "trigger"].contains(line.key)
                let details = line.details.filter {
                    !isAudience || $0.hasPrefix("newly shown to")
                        || $0.hasPrefix("no longer shown to")
                }
                return ["\(entry.name): \(line.key) \(line.text)"] + details
            }
        }
    }
}

extension RuleSet {
    /// Returns true if users with some values may see a popup, judged only by its conditions; nil
    /// if there is no such popup.
    fileprivate func lets(_ values: [String: Value?], see id: String) -> Bool? {
        guard let popup = popups.first(where: { $0.id == id }) else { return nil }
        let group = popup.group.flatMap { groups[$0].when }
        let asked = [group, popup.when].compactMap { $0?.program }
        return asked.allSatisfy { isTrue($0, values) == .yes }
            && popup.dismissWhen.map { isTrue($0.program, values) != .yes } ?? true
    }

    private func isTrue(_ program: Program, _ values: [String: Value?]) -> Truth {
        var slots = SlotValues(count: self.slots.count)
        for (slot, _) in program.slotEntries {
            switch self.slots[slot.number] {
            case .key(let key):
                let value = values[keys[key].name].flatMap { $0 } ?? keys[key].defaultValue
                slots[slot] = value.map { .value($0) } ?? .missing
            case .condition(let place):
                switch isTrue(conditions[place].condition.program, values) {
                case .yes: slots[slot] = .value(.bool(true))
                case .no: slots[slot] = .value(.bool(false))
                case .error(let error): slots[slot] = .error(error)
                }
            default: slots[slot] = .missing
            }
        }
        return program.isTrue(slots)
    }
}
