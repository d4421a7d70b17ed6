internal import PopCEL
internal import PopRuleFiles
package import PopSource
internal import PopStories
package import PopValidation

/// The rule sets of a configuration, or of a folder that has none, as an editor sees them.
///
/// What a changed file concerns is looked at anew at once (`LinkedFiles`); tests and advice follow
/// when they are asked for.
package struct RuleProject: Sendable {
    package let validation: Validation
    private var opened: OpenedFiles
    /// Beside each rule set of the workspace.
    private var linked: [LinkedFiles] = []
    private var idsByPath: [String: FileID] = [:]
    /// What tests and advice came to the last time, with places as they are now.
    private var advice = Diagnostics()
    /// Whether tests and advice are about the files as they are.
    package private(set) var isSettled = false
    private var outlines: [FileID: FileOutline] = [:]
    private var environments: [Int: ExpressionNames] = [:]

    /// Reads everything; the files whose paths are keys of `given` have that content.
    package init(_ validation: Validation, given: [String: [UInt8]]) throws {
        self.validation = validation
        opened = try validation.open(changed: given)
        for file in opened.workspace.sources.files { idsByPath[file.path] = file.id }
        linked = opened.workspace.ruleSets.map { rules in
            LinkedFiles(
                opened.workspace.sources, files: rules.files.compactMap { idsByPath[$0] })
        }
        advice = Diagnostics()
    }

    package var sources: SourceSet { opened.workspace.sources }
    package var paths: [String] { sources.files.map(\.path) }

    package func file(at path: String) -> SourceFile? { idsByPath[path].map { sources[$0] } }

    /// The folders that new files may come into.
    package var folders: [String] { opened.input.paths }

    /// Whether a file that comes, goes or changes may be one of the project.
    package func isConcerned(by path: String) -> Bool {
        idsByPath[path] != nil || path == opened.project.path
            || folders.contains { path.hasPrefix($0 + "/") }
    }

    /// Takes up what a file says now. Answers false where everything must be read anew.
    package mutating func update(_ path: String, bytes: [UInt8]) -> Bool {
        guard let id = idsByPath[path], opened.workspace.sources[id].problem == nil,
            path != opened.project.path
        else { return false }
        let former = opened.workspace.sources[id]
        if former.bytes == bytes { return true }
        let file = SourceFile(id: id, path: path, bytes: bytes)
        guard opened.workspace.replace(file) else { return false }
        let shift = PlaceShift(from: former, to: file)
        advice = Diagnostics(advice.list.compactMap { shift($0) })
        outlines[id] = nil
        for index in linked.indices where linked[index].files.contains(id) {
            linked[index].update(file)
            environments[index] = nil
        }
        isSettled = false
        return true
    }

    /// What is told of the files as they are: of tests and advice what was known before the last
    /// change, until `settle` has looked at them.
    package func findings() throws -> Validation.Outcome {
        var all = Diagnostics()
        for rules in linked { all.report(contentsOf: rules.diagnostics) }
        if !isSettled {
            for test in opened.workspace.tests {
                all.report(contentsOf: test.checked.diagnostics)
            }
        }
        let known = Set(all.list)
        all.report(contentsOf: Diagnostics(advice.list.filter { !known.contains($0) }))
        return try validation.outcome(of: all, in: opened)
    }

    /// Looks at tests, and for advice; `check` can end it by throwing.
    package mutating func settle(check: (String) throws -> Void = { _ in }) rethrows {
        if isSettled { return }
        var files = opened
        for (index, rules) in linked.enumerated() {
            try check("compiling")
            files.workspace.setRules(at: index, checked: rules.compiled(), model: rules.model)
        }
        try check("checking tests")
        let known = files.workspace.diagnostics
        advice = try files.withAdvice(known, now: validation.now, say: check)
        opened = files
        isSettled = true
    }
}

// MARK: - what features ask

extension RuleProject {
    /// The positions of the rule sets that a file belongs to, or is about.
    func ruleSets(of path: String) -> [Int] {
        guard let id = idsByPath[path] else { return [] }
        let own = linked.indices.filter { linked[$0].files.contains(id) }
        if !own.isEmpty { return own }
        return opened.workspace.tests.filter { $0.source.id == id }.compactMap(\.rules)
    }

    /// What all files of a rule set say.
    func model(_ index: Int) -> RuleModel? { linked[index].model }

    /// The rule files of a set and the test files about it.
    func files(ofRuleSet index: Int) -> [SourceFile] {
        linked[index].files.map { sources[$0] }
            + opened.workspace.tests.filter { $0.rules == index }.map { sources[$0.source.id] }
    }

    /// The rule set as the scheduler runs it, without errors; nil while it has some.
    mutating func rules(_ index: Int) -> Workspace.Rules {
        if !isSettled {
            opened.workspace.setRules(
                at: index, checked: linked[index].compiled(), model: linked[index].model)
        }
        return opened.workspace.ruleSets[index]
    }

    mutating func outline(of file: SourceFile) -> FileOutline {
        if let known = outlines[file.id] { return known }
        let outline = FileOutline(file, kind: FileKind(path: file.path, bytes: file.bytes))
        outlines[file.id] = outline
        return outline
    }

    /// What conditions of a rule set may name.
    mutating func names(ofRuleSet index: Int) -> ExpressionNames? {
        if let known = environments[index] { return known }
        guard let model = linked[index].model else { return nil }
        let names = ExpressionNames(model)
        environments[index] = names
        return names
    }

    /// The tests of a file, ready to be run; nil while they or their rules have errors.
    mutating func tests(at path: String) -> RunnableTests? {
        for index in linked.indices { _ = rules(index) }
        guard let test = opened.workspace.tests.first(where: { $0.source.path == path }) else {
            return nil
        }
        return try? opened.workspace.link(test).get()
    }
}
