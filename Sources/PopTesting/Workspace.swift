internal import Foundation
package import PopRuleFiles
package import PopScheduler
package import PopSource

/// The rule sets and test files that a command works on, read and checked.
package struct Workspace {
    /// A rule set, and what was found in it.
    package struct Rules {
        package var files: [String]
        package var checked: Checked<RuleSet>
        package var model: RuleModel?
    }

    /// A test file, what was found in it alone, and the rules that it is about.
    package struct Test {
        package var source: SourceFile
        package var checked: Checked<TestFile>
        /// Index into the rule sets; nil when its rules cannot be read.
        package var rules: Int?
    }

    package private(set) var sources: SourceSet
    package private(set) var ruleSets: [Rules] = []
    package private(set) var tests: [Test] = []
    private var indexByFiles: [[String]: Int] = [:]
    private let given: [String: [UInt8]]
    private let home: String

    /// Reads rule files, test files and folders of both. All rule files and folders that are named make one rule set; a
    /// test file belongs to the rules that it names, by default to those in its folder. The files whose paths are keys of
    /// `given` have that content, whatever the disk holds. Files in `sources` keep their ids.
    ///
    /// What a test file names must lie in its own folder or in `home`, by default where the program runs.
    package init(
        _ paths: [String], given: [String: [UInt8]] = [:], beside sources: SourceSet = SourceSet(),
        home: String = "."
    ) throws(ReadError) {
        self.given = given
        self.home = home
        self.sources = sources
        var rulePaths: [String] = []
        var testPaths: [String] = []
        for path in paths.map(normalised) {
            if TestFile.isTestFile(path) {
                testPaths.append(path)
            } else {
                let found = TestFile.paths(inFolder: path)
                for file in found { try RuleFiles.checkLink(file, in: path) }
                testPaths += found
                if found.isEmpty || RuleFiles.hasRuleFiles(inFolder: path) {
                    rulePaths.append(path)
                }
            }
        }
        if !rulePaths.isEmpty { _ = try load(rulePaths) }
        for (index, path) in testPaths.enumerated() where testPaths.firstIndex(of: path) == index {
            try add(test: path, named: rulePaths)
        }
    }

    /// The rule set that was named, or that the first test is about.
    package var main: Rules? { ruleSets.first }

    /// What was found in all files, tests against their rules included.
    package var diagnostics: Diagnostics {
        var all = Diagnostics()
        for rules in ruleSets { all.report(contentsOf: rules.checked.diagnostics) }
        let linked = tests.map { link($0) }
        for test in linked { all.report(contentsOf: test.diagnostics) }
        all.report(contentsOf: findings(aboutTests: linked.map(\.value)))
        return all
    }

    /// The tests of a file, checked against their rules; only its own findings when the rules cannot be used.
    package func link(_ test: Test) -> Checked<RunnableTests> {
        test.checked.then { file in
            guard let index = test.rules, let rules = ruleSets[index].checked.value else {
                return Checked(nil)
            }
            let folder = folder(of: test.source.path)
            return TestLinker.link(file, of: test.source, rules: rules) { path in
                let path = joined(folder, path)
                return mayBeNamed(path, in: folder) ? try? RuleSet.load(path).get() : nil
            }
        }
    }

    private mutating func add(test path: String, named rulePaths: [String]) throws(ReadError) {
        let bytes = if let bytes = given[path] { bytes } else { try RuleFiles.bytes(of: path) }
        let source = sources.add(path: path, bytes: bytes)
        var checked = TestFile.parse(source)
        let folder = folder(of: path)
        let named = checked.value?.rules?.value ?? []
        let paths = named.isEmpty ? [folder] : named.map { joined(folder, $0.value) }
        var rules: Int?
        do throws(ReadError) {
            for path in paths where !mayBeNamed(path, in: folder) {
                throw ReadError(path: path, .leadsOut(folder: home))
            }
            rules = try load(paths)
        } catch {
            let culprit = named.first { joined(folder, $0.value) == error.path }
            let place = culprit?.range ?? SourceRange(file: source.id, 0..<0)
            checked.diagnostics.report(.noRules(error, at: place))
        }
        tests.append(Test(source: source, checked: checked, rules: rules))
    }

    /// Whether a test file in a folder may name a path, wherever links on it lead.
    private func mayBeNamed(_ path: String, in folder: String) -> Bool {
        RuleFiles.leads(path, into: folder) || RuleFiles.leads(path, into: home)
    }

    /// The index of the rule set of these paths; read once.
    private mutating func load(_ paths: [String]) throws(ReadError) -> Int {
        let files = try RuleFiles.read(paths, given: given).files
        let names = files.map(\.path)
        if let index = indexByFiles[names] { return index }
        let added = files.map { sources.add(path: $0.path, bytes: $0.bytes) }
        let model = RuleModel.check(sources, files: added.map(\.id))
        let rules = model.then { RuleSet.compile($0) }
        ruleSets.append(
            Rules(
                files: names,
                checked: Checked(
                    rules.value,
                    rules.diagnostics.withoutRepeats.atMost(RuleFileLimits.standard.findings)),
                model: model.value))
        indexByFiles[names] = ruleSets.count - 1
        return ruleSets.count - 1
    }

    /// Adds a file that is neither rules nor tests, about which there are findings too.
    package mutating func add(path: String, bytes: [UInt8]) -> SourceFile {
        sources.add(path: path, bytes: bytes)
    }
}

/// A path that a file in a folder names.
private func joined(_ folder: String, _ path: String) -> String {
    normalised("\(folder)/\(path)")
}

private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The path without `.` and `..` parts, as far as it stays below where it starts.
package func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
        if part == "..", let last = parts.last, last != ".." {
            parts.removeLast()
        } else {
            parts.append(part)
        }
    }
    let joined = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
}

extension TestFile {
    /// The test files of a folder, in name order; none when the path is no folder.
    fileprivate static func paths(inFolder path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { isTestFile($0) && !$0.hasPrefix(".") }.sorted()
            .map { normalised("\(path)/\($0)") }
    }
}

extension Diagnostic {
    fileprivate static func noRules(_ error: ReadError, at range: SourceRange) -> Self {
        Diagnostic(
            .testUnknownRules, "the rules that the tests are about cannot be read: \(error)",
            at: range, label: "looked for beside this file",
            help: ["`rules: [shop]` names the files and folders that the tests are about"])
    }
}
