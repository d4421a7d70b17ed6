internal import PopReports
package import PopRuleFiles
package import PopScheduler
package import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The rule sets and test files that a command works on, read and checked.
package struct Workspace {
    /// A rule set, and the findings about it.
    package struct Rules {
        package var files: [String]
        package var checked: Checked<RuleSet>
        package var model: RuleModel?
        /// True if all files could be read.
        package var isComplete = true
    }

    /// A test file, the findings about it without its rules, and the rules that it is about.
    package struct Test {
        package var source: SourceFile
        package var checked: Checked<TestFile>
        /// The index into the rule sets; nil if its rules can't be read.
        package var rules: Int?
    }

    package private(set) var sources: SourceSet
    package private(set) var ruleSets: [Rules] = []
    package private(set) var tests: [Test] = []
    private var indexByGroup: [FileGroup: Int] = [:]
    private var indexByFiles: [[ExactText]: Int] = [:]
    private var idsByPath: [ExactText: FileID] = [:]
    private let given: [String: [UInt8]]
    private let home: String

    /// Reads rule files, test files and folders of both, which form one rule set.
    package init(
        _ paths: [String], given: [String: [UInt8]] = [:], beside sources: SourceSet = SourceSet(),
        home: String = "."
    ) throws(ReadError) {
        try self.init([FileGroup(paths)], given: given, beside: sources, home: home)
    }

    /// Reads rule files, test files and folders of both. The rule files and folders of a group form
    /// one rule set; a test file belongs to the rules that it names, by default to those in its
    /// folder. The files whose paths are keys of `given` have that content, even if the content on
    /// disk differs. Files in `sources` keep their ids.
    ///
    /// Files that a test file names must be in its own folder or in `home`, by default the current
    /// directory of the program.
    package init(
        _ groups: [FileGroup], given: [String: [UInt8]] = [:],
        beside sources: SourceSet = SourceSet(), home: String = "."
    ) throws(ReadError) {
        self.given = given
        self.home = home
        self.sources = sources
        for group in groups { try add(group) }
    }

    private mutating func add(_ group: FileGroup) throws(ReadError) {
        var rules = group
        rules.paths = []
        var tests = group
        tests.paths = []
        var folders: [FileGroup] = []
        for path in group.paths.map(normalised) {
            if TestFile.isTestFile(path) {
                tests.paths.append(path)
                continue
            }
            let found = TestFile.paths(inFolder: path)
            if !found.isEmpty {
                folders.append(
                    FileGroup(found, foundIn: path, isNamedByFile: group.isNamedByFile))
            }
            if found.isEmpty || RuleFiles.hasRuleFiles(inFolder: path) { rules.paths.append(path) }
        }
        if !rules.paths.isEmpty { _ = try load(rules) }
        for files in [tests] + folders {
            for file in try RuleFiles.read(files, given: given).files { try add(test: file) }
        }
    }

    /// The rule set that was named, or that the first test is about.
    package var main: Rules? { ruleSets.first }

    /// The findings about all files, including tests checked against their rules.
    package var diagnostics: Diagnostics {
        var all = Diagnostics()
        for rules in ruleSets { all.report(contentsOf: rules.checked.diagnostics) }
        let linked = tests.map { link($0) }
        for test in linked { all.report(contentsOf: test.diagnostics) }
        all.report(contentsOf: findings(aboutTests: linked))
        // Rule sets may share files.
        let found = ruleSets.count > 1 ? all.withoutRepeats : all
        return found.withoutFixesOfKeysThatStand(in: { sources[$0] })
    }

    /// Returns the tests of a file, checked against their rules; only the file's own findings if
    /// the rules can't be used.
    package func link(_ test: Test) -> Checked<RunnableTests> {
        test.checked.then { file in
            guard let index = test.rules, ruleSets[index].isComplete,
                let rules = ruleSets[index].checked.value
            else { return Checked(nil) }
            let folder = folder(of: test.source.path)
            // Many steps may reload the same rules.
            let loaded = LockedValue<[String: RuleSet?]>([:])
            return TestLinker.link(file, of: test.source, rules: rules) { path in
                let path = joined(folder, path: path)
                if let known = loaded.withLock({ $0[path] }) { return known }
                let rules = mayBeNamed(path, in: folder) ? try? RuleSet.load(path).get() : nil
                loaded.withLock { $0[path] = .some(rules) }
                return rules
            }
        }
    }

    private mutating func add(test file: SourceFile) throws(ReadError) {
        let path = file.path
        if tests.contains(where: { ExactText($0.source.path) == ExactText(path) }) { return }
        let source = add(file)
        var checked = TestFile.parse(source)
        let folder = folder(of: path)
        let named = checked.value?.rules?.value ?? []
        let paths = named.isEmpty ? [folder] : named.map { joined(folder, path: $0.value) }
        var rules: Int?
        do throws(ReadError) {
            for path in paths where !mayBeNamed(path, in: folder) {
                throw ReadError(path: path, .leadsOut(folder: home))
            }
            rules = try load(FileGroup(paths, isNamedByFile: !named.isEmpty))
        } catch {
            let culprit = named.first { joined(folder, path: $0.value) == error.path }
            let place = culprit?.range ?? SourceRange(file: source.id, 0..<0)
            let meant = culprit.flatMap { pathAbove(folder, named: $0.value, error) }
            checked.diagnostics.report(.noRules(error, at: place, meant: meant))
        }
        tests.append(Test(source: source, checked: checked, rules: rules))
    }

    /// Returns the path from the folder of a test file to something that was named as if it were
    /// there, but is in a folder above; nil if there is nothing.
    private func pathAbove(_ folder: String, named name: String, _ error: ReadError) -> String? {
        guard error.reason == .missing, !name.hasPrefix("/") else { return nil }
        return (1...3).lazy.map { String(repeating: "../", count: $0) + name }.first { path in
            let whole = joined(folder, path: path)
            return mayBeNamed(whole, in: folder) && FileManager.default.fileExists(atPath: whole)
        }
    }

    /// Returns true if a test file in a folder may name a path, after links on it are followed.
    private func mayBeNamed(_ path: String, in folder: String) -> Bool {
        RuleFiles.leads(path, into: folder)
            || RuleFiles.leads(path, into: ProtectedFolders.project(of: folder) ?? home)
    }

    /// Returns the index of the rule set of a group; reads it once, even if tests name its files by
    /// different paths.
    private mutating func load(_ group: FileGroup) throws(ReadError) -> Int {
        if let index = indexByGroup[group] { return index }
        let files = try RuleFiles.read(group, given: given).files
        let names = files.map(\.path)
        let key = names.map { ExactText($0) }
        let index = indexByFiles[key] ?? add(files, named: names)
        indexByFiles[key] = index
        indexByGroup[group] = index
        return index
    }

    private mutating func add(_ files: [SourceFile], named names: [String]) -> Int {
        let added = files.map { add($0) }
        let model = RuleModel.check(sources, files: added.map(\.id))
        let rules = model.then { RuleSet.compile($0) }
        let isComplete = added.allSatisfy { $0.problem == nil }
        let findings = rules.diagnostics.withoutRepeats.withoutAbsences(unless: isComplete)
        ruleSets.append(
            Rules(
                files: names, checked: Checked(rules.value, diagnostics: findings),
                model: model.value,
                isComplete: isComplete))
        return ruleSets.count - 1
    }

    /// Returns the index of the rule set of a folder in which some files may have errors.
    package mutating func load(rulesIn folder: String) throws(ReadError) -> Int {
        try load(FileGroup([folder]))
    }

    /// Adds a file, or returns the known one: a file that several rule sets share is added once.
    package mutating func add(_ file: SourceFile) -> SourceFile {
        if let id = idsByPath[ExactText(file.path)] { return sources[id] }
        let added = sources.add(path: file.path, bytes: file.bytes, problem: file.problem)
        idsByPath[ExactText(file.path)] = added.id
        return added
    }

    /// The number of popups in the rule sets; a popup that several sets share counts once.
    package var popupCount: Int {
        if ruleSets.count == 1 { return ruleSets[0].checked.value?.popups.count ?? 0 }
        return Set(ruleSets.flatMap { $0.checked.value?.popups.map(\.range) ?? [] }).count
    }

    /// Replaces the content of a file whose path and id are known. Update the rule sets with
    /// `setRules`.
    ///
    /// Returns false if a test file names other rules than before: then everything must be read
    /// again.
    package mutating func replace(_ file: SourceFile) -> Bool {
        sources.replace(file)
        guard let index = tests.firstIndex(where: { $0.source.id == file.id }) else { return true }
        let checked = TestFile.parse(file)
        let names = checked.value?.rules?.value.map(\.value)
        let former = tests[index].checked.value?.rules?.value.map(\.value)
        guard names == former || checked.value == nil, tests[index].rules != nil else {
            return false
        }
        tests[index].source = file
        tests[index].checked = checked
        return true
    }

    /// Replaces a rule set with the current findings about its files.
    package mutating func setRules(
        at index: Int, checked: Checked<RuleSet>, model: RuleModel?
    ) {
        ruleSets[index].checked = checked
        ruleSets[index].model = model
    }

    /// Adds a file that is neither rules nor tests, but has findings too.
    package mutating func add(path: String, bytes: [UInt8]) -> SourceFile {
        sources.add(path: path, bytes: bytes)
    }
}

/// Returns a path that a file in a folder names.
private func joined(_ folder: String, path: String) -> String {
    normalised("\(folder)/\(path)")
}

/// Returns the folder of a path, `.` for a bare name.
package func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Returns the path without `.` and `..` parts, as far as it stays below its start.
package func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
    where part != "." {
        if part == "..", let last = parts.last, last != ".." {
            parts.removeLast()
        } else {
            parts.append(part)
        }
    }
    let joined = parts.joined(separator: "/")
    if path.utf8.first == UInt8(ascii: "/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
}

extension TestFile {
    /// Returns the test files of a folder in name order; empty if the path isn't a folder.
    fileprivate static func paths(inFolder path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { isTestFile($0) && !$0.hasPrefix(".") }.sorted()
            .map { normalised("\(path)/\($0)") }
    }
}

extension Diagnostic {
    fileprivate static func noRules(
        _ error: ReadError, at range: SourceRange, meant: String?
    ) -> Self {
        Diagnostic(
            .testUnknownRules,
            message: "the rules of the tests cannot be read: \(error)",
            at: range, label: "relative to this file",
            help: [
                meant.map { "write `\($0)`, the path from the folder of this file" }
                    ?? "write the files and folders of the rules, such as `rules: [shop]`"
            ],
            fixes: meant.map { [Fix.rename(range, to: $0)] } ?? [])
    }
}

/// Finds lines and columns; each file's index is built once.
package struct SourcePlaces {
    package let sources: SourceSet
    private var indexes: [FileID: LineIndex] = [:]

    package init(_ sources: SourceSet) { self.sources = sources }

    /// The file, line and column at which a range begins.
    package mutating func place(
        of range: SourceRange
    ) -> (path: String, line: Int, column: Int) {
        let file = sources[range.file]
        let index = indexes[range.file] ?? LineIndex(file)
        indexes[range.file] = index
        let place = index.place(at: range.lower)
        return (file.path, place.line, place.column)
    }

    /// Returns a place such as `rules/shop.yaml:12:5`, safe for a terminal.
    package mutating func text(of range: SourceRange) -> String {
        let place = place(of: range)
        return "\(escapedForTerminal(place.path)):\(place.line):\(place.column)"
    }
}
