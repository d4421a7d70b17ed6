import Foundation
import PopSource

/// Files that commands write; `-` is standard output.
enum OutputFile {
    /// Writes a file as a whole: who reads it sees what was there before or all of the new, never a part.
    static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        if path == "-" { return Terminal.put(bytes) }
        // A link stays a link: what it leads to is written.
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        do {
            switch attributes?[.type] as? FileAttributeType {
            case nil, .typeRegular?:
                try Data(bytes).write(to: url, options: .atomic)
                if let rights = attributes?[.posixPermissions] {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: rights], ofItemAtPath: url.path)
                }
            case .typeDirectory?: throw EnvironmentFailure(message: "it is a folder")
            case .typeSymbolicLink?:
                throw EnvironmentFailure(message: "it is a link that leads nowhere")
            default:
                // A device or a pipe takes what is written; a file must not come into its place.
                let file = try FileHandle(forWritingTo: url)
                defer { try? file.close() }
                try file.write(contentsOf: bytes)
            }
        } catch {
            throw failure(path, error)
        }
    }

    static func append(_ text: String, to path: String) throws {
        do {
            if !FileManager.default.fileExists(atPath: path) {
                try Data().write(to: URL(fileURLWithPath: path))
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: Data(text.utf8))
        } catch {
            throw failure(path, error)
        }
    }

    /// Says that a file was written, unless it is standard output, where the words would stand in it.
    static func sayWritten(_ path: String, _ details: String = "") {
        if path != "-" { Terminal.say("wrote \(escapedForTerminal(path))\(details)") }
    }

    private static func failure(_ path: String, _ error: any Error) -> EnvironmentFailure {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let reason =
            if !FileManager.default.fileExists(atPath: folder) {
                ": the folder that it would stand in is not there"
            } else if let error = error as? EnvironmentFailure {
                ": \(error.message)"
            } else {
                ""
            }
        return EnvironmentFailure(message: "cannot write `\(path)`\(reason)")
    }
}
