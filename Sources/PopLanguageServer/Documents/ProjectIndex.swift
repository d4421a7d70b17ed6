internal import PopValidation

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
        for folder in Set(project.validation.arguments.map { Desk.parent(of: $0) }) {
            byFolder[folder, default: []].append(position)
        }
    }
}
