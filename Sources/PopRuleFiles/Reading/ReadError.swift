/// The reason why rule files could not be read: a fault of the environment, not of the files'
/// content.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why a file could not be read.
    public enum Reason: Sendable, Hashable {
        /// Nothing has that path.
        case missing
        /// A symbolic link whose target cannot be reached.
        case brokenLink(to: String)
        /// The system refused, for lack of rights.
        case forbidden
        /// The system refused for another reason.
        case unreadable
        /// A folder where a file is wanted.
        case folder
        /// A device, a socket or the like.
        case noFile
        /// It holds bytes that no text has.
        case binary
        /// It holds a private key, of which nothing may be printed.
        case privateKey
        /// It has more bytes than the limit.
        case tooLarge(limit: Int)
        /// With it there are more rule files than the limit.
        case tooManyFiles(limit: Int)
        /// With it the rule files have more bytes than the limit.
        case tooLargeTogether(limit: Int)
        /// A pattern for paths is beyond a limit, such as `more than 1000 characters`.
        case largePattern(excess: String)
        /// The folder holds no file whose name ends in `.yaml` or `.yml`.
        case noRuleFiles
        /// It leads out of the folder that it must stay in, by a symbolic link or by `..`.
        case leadsOut(folder: String)
        /// Its name is not UTF-8, so that it cannot be opened by it.
        case misnamed
        /// Nothing marks it as a file of rules or tests, and the user has not named it.
        case unmarked
    }

    /// The path as it was given or found.
    public let path: String
    /// The reason why it could not be read.
    public let reason: Reason

    /// An error about a path; `description` explains it in a sentence.
    public init(path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    public var description: String {
        switch reason {
        case .missing: "there is no file or folder `\(path)`"
        case .brokenLink(let target):
            "`\(path)` is a link to `\(target)`, which does not exist or cannot be reached"
        case .forbidden:
            "no permission to read `\(path)`: check its permissions and those of its folders"
        case .unreadable: "`\(path)` cannot be read"
        case .folder: "`\(path)` is a folder, but a file is expected here"
        case .noFile: "`\(path)` is neither a file nor a folder"
        case .binary: "`\(path)` is not a text file"
        case .privateKey:
            "`\(path)` is a private key, so it is neither read nor printed"
        case .tooLarge(let limit): "`\(path)` is larger than \(limit >> 20) MiB"
        case .tooManyFiles(let limit):
            "there are more than \(limit) rule files, counted up to `\(path)`"
        case .tooLargeTogether(let limit):
            "the rule files have more than \(limit >> 20) MiB, counted up to `\(path)`"
        case .largePattern(let excess): "the pattern `\(path.shortened)` has \(excess)"
        case .noRuleFiles: "there is no rule file (`*.yaml` or `*.yml`) in the folder `\(path)`"
        case .leadsOut(let folder): "`\(path)` points outside of the folder `\(folder)`"
        case .misnamed: "the name of `\(path)` is not UTF-8, so the file cannot be opened"
        case .unmarked: "`\(path)` has no line such as `poprules: 1`, so it is not read"
        }
    }
}
