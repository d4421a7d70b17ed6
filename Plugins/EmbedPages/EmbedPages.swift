import Foundation
import PackagePlugin

/// Embeds pages of the documentation, and the script and style of HTML pages, in the targets that
/// print them: a release is one file.
@main struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        switch target.name {
        case "PopCommand":
            return try [("checks", "CheckPages"), ("reason-codes", "ReasonPages")].map {
                let folder = root.appending(path: "docs/reference/\($0.0)")
                return try command(
                    "texts", $0.1, inputs: files(in: folder, ending: ".md"), context: context)
            }
        case "PopPages":
            let folder = root.appending(path: "Web/page")
            let inputs =
                [folder.appending(path: "page.css"), folder.appending(path: "main.js")]
                + (try files(in: folder, ending: ".js")).filter {
                    $0.lastPathComponent != "main.js"
                }
            return [try command("page", "PageSources", inputs: inputs, context: context)]
        default: return []
        }
    }

    private func command(
        _ kind: String, _ name: String, inputs: [URL], context: PluginContext
    ) throws -> Command {
        let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
        return .buildCommand(
            displayName: "Embedding \(name)",
            executable: try context.tool(named: "PageEmbedder").url,
            arguments: [kind, name, output.path] + inputs.map(\.path), inputFiles: inputs,
            outputFiles: [output])
    }

    /// The files of a folder with an ending, in the order of their names.
    private func files(in folder: URL, ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(ending) }.map { folder.appending(path: $0) }
    }
}
