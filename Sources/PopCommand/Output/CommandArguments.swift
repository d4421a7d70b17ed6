internal import PopValidation

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The arguments of the command line.
enum CommandArguments {
    /// Commands that create files whose names are plain arguments.
    private static let creating: Set = ["bundle", "generate", "init"]

    /// Throws if an argument isn't UTF-8 and would name another file than the one that was meant:
    /// Swift replaces such bytes.
    ///
    /// A file to read whose name isn't UTF-8 isn't refused here, because the other files are still
    /// read; it is reported where it is read.
    static func refuseForeignNames() throws {
        let arguments = CommandLine.arguments
        for (place, argument) in arguments.enumerated().dropFirst()
        where argument.contains("\u{FFFD}") && !isUTF8(place) {
            let isOfOption = argument.hasPrefix("-") || arguments[place - 1].hasPrefix("-")
            guard
                isOfOption || creating.contains(arguments[1])
                    || FileManager.default.fileExists(atPath: argument)
            else { continue }
            throw UsageFailure(message: "argument \(place) is not valid UTF-8: `\(argument)`")
        }
    }

    private static func isUTF8(_ place: Int) -> Bool {
        guard let bytes = unsafe CommandLine.unsafeArgv[place] else { return true }
        return unsafe String(validatingCString: bytes) != nil
    }
}
