package import PopRuleFiles
package import PopSource
package import PopStories

extension Workspace {
    /// The folder that commands read unless others are named.
    private static let usualFolder = "rules"

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
        for path in groups.flatMap(\.paths) where path == Self.usualFolder {
            // Others who may add files to a project must not choose which files outside of it are
            // read.
            guard RuleFiles.leads(path, into: Project.home) else {
                throw EnvironmentFailure(
                    message: "`\(path)` is a link that leads outside its folder: to check the files"
                        + " there, name that folder")
            }
        }
        do {
            try self.init(groups, given: given, beside: sources, home: Project.home)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }
}
