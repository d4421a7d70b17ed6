import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopSource
import PopValidation
import PopYAML

/// A file, or a string of the command line, that a command reads in addition to the rules.
struct InputFile {
    private var sources = SourceSet()
    private let file: SourceFile

    /// Reads a file of YAML, or of JSON if its name ends in `.json`; one that cannot be read ends
    /// the command.
    init(path: String) throws {
        do {
            let bytes = try RuleFiles.bytes(of: path)
            let isJSON = path.lowercased().hasSuffix(".json")
            file = sources.add(
                path: path, bytes: isJSON ? SurrogatePair.replaced(in: bytes) : bytes)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }

    /// Creates an input from a string, with a name for diagnostics.
    init(name: String, text: String) {
        file = sources.add(path: name, bytes: Array(text.utf8))
    }

    /// The text on standard input, which findings know by a name.
    static func standardInput(named name: String) throws -> [UInt8] {
        let limit = RuleFileLimits.standard.fileBytes
        guard let bytes = try? Descriptor.standardInput.bytes(atMost: limit + 1) else {
            throw EnvironmentFailure(message: "standard input cannot be read")
        }
        do {
            try RuleFiles.check(bytes, path: name)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        return bytes
    }

    /// Parses the input; diagnostics that are errors are printed and end the command.
    func read<Value>(
        _ style: TextStyle, parse: (SourceFile) -> Checked<Value>
    ) throws -> Value? {
        let checked = parse(file)
        if checked.diagnostics.hasErrors {
            ResultForm.other.show(checked.diagnostics, in: sources, style: style)
            throw ExitCode(ExitStatus.findings)
        }
        return checked.value
    }
}
