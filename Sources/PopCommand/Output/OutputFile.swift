import Foundation

/// Files that commands write.
enum OutputFile {
    /// Writes a file as a whole: who reads it sees what was there before or all of the new, never a part.
    static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            // A link stays a link: what it leads to is written.
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let files = FileManager.default
            let rights = try? files.attributesOfItem(atPath: url.path)[.posixPermissions]
            try Data(bytes).write(to: url, options: .atomic)
            if let rights {
                try files.setAttributes([.posixPermissions: rights], ofItemAtPath: url.path)
            }
        } catch {
            throw EnvironmentFailure(message: "cannot write `\(path)`")
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
            throw EnvironmentFailure(message: "cannot write `\(path)`")
        }
    }
}
