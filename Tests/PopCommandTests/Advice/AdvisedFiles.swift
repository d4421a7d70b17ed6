import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation
import Testing

/// Files with findings: a golden file, a fixture, or the example of a page.
struct AdvisedFiles: Sendable, CustomTestStringConvertible {
    let name: String
    let paths: [String]
    /// The content of files that lie on no disk.
    var given: [String: [UInt8]] = [:]

    var testDescription: String { name }

    static let all = goldens + fixtures + pages

    private static var goldens: [AdvisedFiles] {
        ["Tests/PopRuleFilesTests/Golden", "Tests/PopValidationTests/Golden"].flatMap { folder in
            entries(of: folder).filter { !$0.hasSuffix(".out") }.map { entry in
                AdvisedFiles(
                    name: entry.replacing(".yaml", with: ""),
                    paths: [Repository.root.appending(path: "\(folder)/\(entry)").path])
            }
        }
    }

    private static var fixtures: [AdvisedFiles] {
        let folder = "Tests/PopCommandTests/Fixtures"
        return entries(of: folder).filter { $0.hasSuffix(".yaml") || !$0.contains(".") }.map {
            AdvisedFiles(
                name: "fixture \($0)",
                paths: [Repository.root.appending(path: "\(folder)/\($0)").path])
        }
    }

    /// The bad and the good example of each check: the files in front of each console block.
    private static var pages: [AdvisedFiles] {
        let folder = "docs/reference/checks"
        return entries(of: folder).flatMap { entry -> [AdvisedFiles] in
            let page = (try? Repository.text("\(folder)/\(entry)")) ?? ""
            var given: [String: [UInt8]] = [:]
            var examples: [AdvisedFiles] = []
            for block in Block.all(in: page) {
                if let file = block.file, file.hasSuffix(".yaml") {
                    given["page/\(file)"] = Array(block.text.utf8)
                }
                guard block.language == "console" else { continue }
                let rules = given.filter { $0.key != "page/poprules.yaml" }
                examples.append(
                    AdvisedFiles(
                        name: "page \(entry) \(examples.count + 1)", paths: rules.keys.sorted(),
                        given: rules))
                given = [:]
            }
            return examples.filter { !$0.paths.isEmpty }
        }
    }

    private static func entries(of folder: String) -> [String] {
        let path = Repository.root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The same files and another one.
    func beside(_ path: String) -> AdvisedFiles {
        AdvisedFiles(name: name, paths: paths + [path], given: given)
    }

    /// The files as they are found when some of them have another content.
    func read(_ changed: [String: [UInt8]] = [:]) throws -> AdvisedWorkspace {
        let all = given.merging(changed) { $1 }
        return AdvisedWorkspace(
            try Workspace(paths, given: all, home: Repository.root.path))
    }
}

/// Files with their findings and the rules that they make.
struct AdvisedWorkspace {
    let sources: SourceSet
    let rules: RuleSet?
    let findings: [Diagnostic]

    init(_ workspace: Workspace) {
        sources = workspace.sources
        rules = workspace.main?.checked.value
        var found = workspace.diagnostics
        if let main = workspace.main, let model = main.model, !main.checked.diagnostics.hasErrors,
            let rules = main.checked.value
        {
            let now = Timestamp(seconds: 1_795_000_000)
            found.report(contentsOf: Lints.findings(in: LintSubject(model, rules: rules, now: now)))
        }
        findings = found.sorted
    }

    /// The content of the files that a fix changes.
    func applying(_ fix: Diagnostic.Fix) -> [String: [UInt8]] {
        var contents: [FileID: [UInt8]] = [:]
        for edit in fix.edits.sorted(by: { $0.range > $1.range }) {
            let file = edit.range.file
            contents[file, default: sources[file].bytes].replaceSubrange(
                edit.range.bytes, with: edit.replacement.utf8)
        }
        return Dictionary(uniqueKeysWithValues: contents.map { (sources[$0].path, $1) })
    }

    /// Returns the lines, from 1, that a fix wrote.
    func linesWritten(by fix: Diagnostic.Fix) -> Set<String> {
        var lines: Set<String> = []
        let shifts = fix.edits.sorted { $0.range < $1.range }
        var growth: [FileID: Int] = [:]
        let contents = applying(fix)
        for edit in shifts {
            let file = sources[edit.range.file]
            guard let bytes = contents[file.path] else { continue }
            let start = edit.range.lower + growth[file.id, default: 0]
            growth[file.id, default: 0] += edit.replacement.utf8.count - edit.range.bytes.count
            let index = LineIndex(SourceFile(path: file.path, bytes: bytes))
            let end = start + edit.replacement.utf8.count
            for line in index.line(at: start)...index.line(at: max(start, end - 1)) {
                lines.insert("\(file.path):\(line)")
            }
        }
        return lines
    }

    /// The file and line at which a finding begins.
    func line(of finding: Diagnostic) -> String {
        let file = sources[finding.range.file]
        return "\(file.path):\(LineIndex(file).line(at: finding.range.lower))"
    }
}
