package import PopRuleFiles
package import PopSource
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The project that a command runs in: its configuration and the place of that file.
package struct Project: Sendable {
    /// The path of the configuration as it is printed; nil without a configuration.
    package let path: String?
    /// The prefix of a path that is relative to the configuration: empty, or `../`.
    private let prefix: String
    private let bytes: [UInt8]

    /// The folder of the nearest configuration upwards; without a configuration, the folder that
    /// the program runs in.
    package static var home: String {
        guard let path = nearest, path.contains("/") else { return "." }
        return String(path.dropLast(Configuration.fileName.utf8.count + 1))
    }

    /// The configuration that is named, or the nearest `poprules.yaml` from here upwards.
    ///
    /// A file whose path is a key of `given` has that content, whatever the disk holds.
    package init(named path: String?, given: [String: [UInt8]] = [:]) throws {
        self.path = path ?? Self.nearest
        let slash = self.path?.lastIndex(of: "/")
        prefix = self.path.flatMap { path in slash.map { String(path[...$0]) } } ?? ""
        guard let found = self.path else {
            bytes = []
            return
        }
        // Others who may add files to a project must not choose which files outside of it are read.
        guard path != nil || RuleFiles.leads(found, into: prefix.isEmpty ? "." : prefix) else {
            throw EnvironmentFailure(message: "`\(found)` is a link that leads outside its folder")
        }
        if let text = given[found] {
            bytes = text
            return
        }
        do {
            bytes = try RuleFiles.bytes(of: found)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: found)) != nil
        guard path != nil || !isLink || RuleFiles.isMarked(bytes) else {
            throw EnvironmentFailure(
                message: "`\(found)` is a link to a file without `poprules_config: 1`")
        }
    }

    /// The configuration as written, read into a run's sources.
    package func configuration(in sources: inout SourceSet) -> Checked<Configuration> {
        guard let path else { return Checked(Configuration()) }
        let checked = Configuration.parse(sources.add(path: path, bytes: bytes))
        return Checked(checked.value ?? Configuration(), diagnostics: checked.diagnostics)
    }

    /// A path that the configuration names, relative to the user's folder.
    package func path(of named: String) -> String {
        normalised(named.hasPrefix("/") ? named : prefix + named)
    }

    /// Returns true if a path stays in the folder of the configuration, wherever links on it lead.
    package func holds(_ path: String) -> Bool {
        RuleFiles.leads(
            PathPattern.isPattern(path) ? PathPattern.fixedFolder(of: path) : path,
            into: prefix.isEmpty ? "." : prefix)
    }

    /// A path relative to the user's folder, made relative to the configuration; nil outside of
    /// that folder.
    package func relative(_ path: String) -> String? {
        let folder = Self.absolute(prefix)
        let whole = Self.absolute(path)
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return whole.hasPrefix(start) ? String(whole.dropFirst(start.count)) : nil
    }

    private static func absolute(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath
        return normalised(path.hasPrefix("/") ? path : "\(here)/\(path)")
    }

    /// The search for the nearest configuration from here upwards.
    package static var search: ConfigurationSearch {
        ConfigurationSearch(from: FileManager.default.currentDirectoryPath)
    }

    private static var nearest: String? {
        let search = search
        return search.path.map { _ in
            String(repeating: "../", count: search.height) + Configuration.fileName
        }
    }
}
