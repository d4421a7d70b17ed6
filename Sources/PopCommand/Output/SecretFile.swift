import Foundation

/// Files that nobody else may read.
enum SecretFile {
    /// Writes a file that is its owner's alone from the first moment on. Without `replacing` an existing file stays.
    static func write(_ text: String, to path: String, replacing: Bool) throws {
        let before = umask(0o077)
        defer { umask(before) }
        do {
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: path),
                options: replacing ? .atomic : .withoutOverwriting)
            // One that was replaced may have given its rights to the new one.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw EnvironmentFailure(message: "cannot write `\(path)`")
        }
    }
}
