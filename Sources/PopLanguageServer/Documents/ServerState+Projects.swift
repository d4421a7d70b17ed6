internal import PopRuleFiles
internal import PopSource
internal import PopStories
internal import PopValidation

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Which projects there are.
extension ServerState {
    /// Reads what the configurations of the open folders name, without one their `rules`.
    mutating func openFolders() {
        for folder in folders { openFolder(folder) }
        openHomeless()
    }

    /// Opens what documents belong to that belong to nothing yet.
    mutating func openHomeless() {
        for document in documents.values.sorted(by: { $0.path < $1.path })
        where projects(with: document.path).isEmpty {
            openProject(with: document)
        }
    }

    mutating func openFolder(_ folder: String) {
        if let configuration = configuration(from: folder, through: 1) {
            openProject(configuredBy: configuration)
        } else if exists("\(folder)/rules") {
            add(Validation(arguments: ["\(folder)/rules"], now: now))
        }
    }

    private func exists(_ path: String) -> Bool {
        documents.document(at: path) != nil || FileManager.default.fileExists(atPath: path)
    }

    mutating func openProject(configuredBy path: String) {
        let isKnown =
            index.map { $0.byConfiguration[path] != nil }
            ?? projects.contains { $0.validation.configuration == path }
        if isKnown || refused.contains(path) { return }
        if !add(Validation(arguments: [], configuration: path, now: now)) { refused.insert(path) }
    }

    /// Opens the project that a document belongs to: that of the nearest configuration upwards
    /// which names it, or else its folder.
    mutating func openProject(with document: OpenDocument) {
        guard document.path.hasPrefix("/") else {
            let input = (path: document.path, bytes: document.bytes)
            add(Validation(arguments: ["-"], standardInput: input, now: now))
            return
        }
        guard document.path.hasSuffix(".yaml") || document.path.hasSuffix(".yml") else { return }
        let own = Self.parent(of: document.path)
        if let configuration = configuration(from: own) { openProject(configuredBy: configuration) }
        if projects(with: document.path).isEmpty, isOurs(document) { openFolder(own, of: document) }
    }

    /// Opens the files of a folder that no configuration names, including open files that were
    /// never saved.
    mutating func openFolder(_ folder: String, of document: OpenDocument) {
        if refused.contains(folder) { return }
        let known = index ?? ProjectIndex(projects)
        for index in (known.byFolder[folder] ?? []).reversed() { forget(index) }
        let open = documents.documents(inFolder: folder).filter(isOurs)
        steps += open.count
        let paths = open.map(\.path).sorted()
        let arguments = (hasRules(folder) ? [folder] : []) + paths
        if !add(Validation(arguments: arguments, now: now)) { refused.insert(folder) }
    }

    /// Returns true if a document that no configuration names is about popups: other YAML files are
    /// left alone.
    private func isOurs(_ document: OpenDocument) -> Bool {
        if TestFile.isTestFile(document.path) || RuleFiles.isMarked(document.bytes) { return true }
        // A new file in a folder of rules is meant to become one.
        return document.bytes.allSatisfy { $0 <= 0x20 }
            && hasRules(Self.parent(of: document.path))
    }

    /// Returns true if a folder has rule files that were saved.
    private func hasRules(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder)
            && RuleFiles.hasRuleFiles(inFolder: folder)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Adds a project; answers whether its files could be read.
    @discardableResult
    mutating func add(_ validation: Validation) -> Bool {
        steps += 1 + validation.arguments.count
        do {
            projects.append(try RuleProject(validation, given: given))
            steps += projects[projects.count - 1].paths.count
            index?.add(projects[projects.count - 1], at: projects.count - 1)
            hasNews = true
            nameByLastProject()
            return true
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
            return false
        }
    }

    mutating func reload(_ index: Int) {
        var validation = projects[index].validation
        validation.now = now
        outdate(index)
        linesOfFiles[index] = nil
        written[index] = nil
        self.index = nil
        do {
            projects[index] = try RuleProject(validation, given: given)
            steps += projects[index].paths.count
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
            forget(index)
        }
    }

    mutating func forget(_ index: Int) {
        projects.remove(at: index)
        self.index = nil
        outcomes = [:]
        lists = [:]
        failures = [:]
        linesOfFiles = [:]
        written = [:]
        hasNews = true
    }

    mutating func reloadAll(around configuration: String) {
        refused = []
        let named = projects.indices.filter {
            projects[$0].validation.configuration == configuration
        }
        for index in named.reversed() { reload(index) }
        let isKnown = projects.contains { $0.validation.configuration == configuration }
        let folder = Self.parent(of: configuration)
        if !isKnown, self.configuration(from: folder, through: 1) == configuration {
            openProject(configuredBy: configuration)
        }
        openHomeless()
    }

    /// Handles files that changed outside of the editor. Open documents take precedence over them.
    mutating func filesChanged(_ parameters: JSON) {
        refused = []
        let open = Set(documents.paths)
        var stale: Set<Int> = []
        for change in parameters["changes"]?.items ?? [] {
            guard let path = change["uri"]?.text.flatMap({ DocumentURI.path(of: $0) }),
                !open.contains(path)
            else { continue }
            let isChanged = change["type"]?.index == 2
            for index in projects.indices {
                if isChanged, projects[index].file(at: path) != nil,
                    let bytes = try? RuleFiles.bytes(of: path),
                    update(index, path: path, bytes: bytes)
                {
                    continue
                }
                if projects[index].isConcerned(by: path) { stale.insert(index) }
            }
        }
        for index in stale.sorted(by: >) { reload(index) }
    }

    mutating func foldersChanged(_ parameters: JSON) {
        refused = []
        let event = parameters["event"]
        let gone = Set((event?["removed"]?.items ?? []).compactMap { path(of: $0) })
        folders.removeAll { gone.contains($0) }
        for index in projects.indices.reversed() {
            let isGone = gone.contains { folder in
                projects[index].paths.allSatisfy { $0.hasPrefix(folder + "/") }
            }
            let isOpen = projects[index].paths.contains { documents.document(at: $0) != nil }
            if isGone, !isOpen { forget(index) }
        }
        for folder in (event?["added"]?.items ?? []).compactMap({ path(of: $0) })
        where !folders.contains(folder) {
            guard folders.count < limits.folders else {
                return say("more than \(limits.folders) folders are open; the others are ignored")
            }
            folders.append(folder)
            ProtectedFolders.add(projectOf: folder)
            openFolder(folder)
        }
    }

    private func path(of folder: JSON) -> String? {
        folder["uri"]?.text.flatMap { DocumentURI.path(of: $0) }.map(normalised)
    }
}

/// Which of many projects read a file: their positions by what they are looked up by.
struct ProjectIndex: Sendable {
    private(set) var byPath: [String: [Int]] = [:]
    /// By the path to which links lead, the path by which the first project reads the file.
    private(set) var byTarget: [String: String] = [:]
    private(set) var byConfiguration: [String: Int] = [:]
    /// The projects of folders that no configuration names.
    private(set) var byFolder: [String: [Int]] = [:]

    init(_ projects: [RuleProject] = []) {
        for (position, project) in projects.enumerated() { add(project, at: position) }
    }

    /// Linear in the files of the project.
    mutating func add(_ project: RuleProject, at position: Int) {
        for path in project.paths { byPath[path, default: []].append(position) }
        for (target, path) in project.pathsByTarget where byTarget[target] == nil {
            byTarget[target] = path
        }
        if let configuration = project.validation.configuration {
            if byConfiguration[configuration] == nil { byConfiguration[configuration] = position }
            return
        }
        let folders = project.validation.arguments.map { argument in
            let isFile = argument.hasSuffix(".yaml") || argument.hasSuffix(".yml")
            return isFile ? ServerState.parent(of: argument) : argument
        }
        for folder in Set(folders) { byFolder[folder, default: []].append(position) }
    }
}
