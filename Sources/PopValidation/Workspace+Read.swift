package import PopRuleFiles
package import PopSource
package import PopStories

extension Workspace {
    /// A name that is empty is that of a variable that was not set, and not meant to be the folder
    /// that one is in.
    package static func refuseEmpty(_ paths: [String]) throws {
        guard paths.contains("") else { return }
        throw UsageFailure(message: "the name of a file or folder is empty")
    }

    package init(
        readable groups: [FileGroup], given: [String: [UInt8]] = [:],
        beside sources: SourceSet = SourceSet()
    ) throws {
        do {
            try self.init(groups, given: given, beside: sources, home: Project.home)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }
}
