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
extension Desk {
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
        let configuration = "\(folder)/\(Configuration.fileName)"
        if exists(configuration) {
            openProject(configuredBy: configuration)
        } else if exists("\(folder)/rules") {
            add(Validation(arguments: ["\(folder)/rules"], now: now))
        }
    }

    private func exists(_ path: String) -> Bool {
        given[path] != nil || FileManager.default.fileExists(atPath: path)
    }

    mutating func openProject(configuredBy path: String) {
        if projects.contains(where: { $0.validation.configuration == path }) { return }
        add(Validation(arguments: [], configuration: path, now: now))
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
        var folder = parent(of: document.path)
        let own = folder
        while true {
            let configuration = folder == "/" ? "/" : folder + "/"
            if exists(configuration + Configuration.fileName) {
                openProject(configuredBy: configuration + Configuration.fileName)
                break
            }
            if folder == "/" { break }
            folder = parent(of: folder)
        }
        if projects(with: document.path).isEmpty, isOurs(document) { openFolder(own, of: document) }
    }

    /// Opens the files of a folder that no configuration names, those included that are open and
    /// were never saved.
    mutating func openFolder(_ folder: String, of document: OpenDocument) {
        for index in projects.indices.reversed()
        where projects[index].validation.configuration == nil
            && projects[index].validation.arguments.contains(where: { parent(of: $0) == folder })
        {
            forget(index)
        }
        let open = documents.values.filter { parent(of: $0.path) == folder && isOurs($0) }
        let paths = open.map(\.path).sorted()
        add(Validation(arguments: (hasRules(folder) ? [folder] : []) + paths, now: now))
    }

    /// Whether a document that nothing names is about popups: other YAML files are left alone.
    private func isOurs(_ document: OpenDocument) -> Bool {
        if TestFile.isTestFile(document.path) || RuleFiles.isMarked(document.bytes) { return true }
        // A new file in a folder of rules is meant to become one.
        return document.bytes.allSatisfy { $0 <= 0x20 }
            && hasRules(parent(of: document.path))
    }

    /// Whether a folder holds rule files that were saved.
    private func hasRules(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder)
            && RuleFiles.hasRuleFiles(inFolder: folder)
    }

    func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    mutating func add(_ validation: Validation) {
        do {
            projects.append(try RuleProject(validation, given: given))
            hasNews = true
            nameByLastProject()
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
        }
    }

    mutating func reload(_ index: Int) {
        var validation = projects[index].validation
        validation.now = now
        outdate(index)
        linesOfFiles[index] = nil
        written[index] = nil
        do {
            projects[index] = try RuleProject(validation, given: given)
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
            forget(index)
        }
    }

    mutating func forget(_ index: Int) {
        projects.remove(at: index)
        outcomes = [:]
        failures = [:]
        linesOfFiles = [:]
        written = [:]
        hasNews = true
    }

    mutating func reloadAll(around configuration: String) {
        let named = projects.indices.filter {
            projects[$0].validation.configuration == configuration
        }
        for index in named.reversed() { reload(index) }
        let isKnown = projects.contains { $0.validation.configuration == configuration }
        if !isKnown, exists(configuration) { openProject(configuredBy: configuration) }
        openHomeless()
    }

    /// Files that changed outside of the editor. Open documents go before them.
    mutating func filesChanged(_ parameters: JSON) {
        let open = Set(documents.values.map(\.path))
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
        let event = parameters["event"]
        let gone = Set((event?["removed"]?.items ?? []).compactMap { path(of: $0) })
        folders.removeAll { gone.contains($0) }
        for index in projects.indices.reversed() {
            let isGone = gone.contains { folder in
                projects[index].paths.allSatisfy { $0.hasPrefix(folder + "/") }
            }
            let isOpen = documents.values.contains { projects[index].file(at: $0.path) != nil }
            if isGone, !isOpen { forget(index) }
        }
        for folder in (event?["added"]?.items ?? []).compactMap({ path(of: $0) })
        where !folders.contains(folder) {
            guard folders.count < limits.folders else {
                return say("more than \(limits.folders) folders are open")
            }
            folders.append(folder)
            openFolder(folder)
        }
    }

    private func path(of folder: JSON) -> String? {
        folder["uri"]?.text.flatMap { DocumentURI.path(of: $0) }.map(normalised)
    }
}
