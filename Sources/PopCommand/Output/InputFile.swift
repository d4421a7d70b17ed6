import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation
import PopWire
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

extension Workspace {
    /// Reads what the command line names as one rule set; what is not there ends the command.
    init(readable paths: [String]) throws {
        try Self.refuseEmpty(paths)
        try self.init(readable: [FileGroup(paths)])
    }

    /// Reads what the command line names, each folder as a rule set of its own, as a test file sees
    /// it.
    init(eachOf paths: [String]) throws {
        try Self.refuseEmpty(paths)
        try self.init(readable: FileGroup.each(of: paths.map(normalised)))
    }

    /// The named rule set, or an end to the command with all findings printed.
    func validRules(style: TextStyle, for form: ResultForm = .text) throws -> RuleSet {
        guard let rules = main else { throw EnvironmentFailure(message: "no rules were found") }
        try requireValid(rules.checked.diagnostics, style: style, for: form)
        guard let value = rules.checked.value else { throw ExitCode(ExitStatus.findings) }
        return value
    }

    /// Ends the command if there are errors: further results would be about invalid rules. Possible
    /// improvements of the rules are reported by `validate`.
    func requireValid(
        _ diagnostics: Diagnostics, style: TextStyle, for form: ResultForm = .text
    ) throws {
        guard diagnostics.hasErrors else { return }
        let grave = Diagnostics(diagnostics.list.filter { $0.level >= .warning })
        form.show(grave.atMost(.standard), in: sources, style: style)
        throw ExitCode(ExitStatus.findings)
    }
}

extension RuleSet {
    /// Reads the rules of a folder, a file or a bundle.
    static func read(
        _ path: String, style: TextStyle, for form: ResultForm = .text
    ) throws -> RuleSet {
        guard path.hasSuffix(".popbundle") else {
            return try Workspace(readable: [path]).validRules(style: style, for: form)
        }
        let limit = BundleLimits.standard.json.bytes
        guard let owner = FileOwner(path, followingLinks: true) else {
            throw EnvironmentFailure(message: "there is no file `\(path)`")
        }
        guard !owner.isFolder, let file = try? Descriptor(reading: path) else {
            throw EnvironmentFailure(message: "`\(path)` cannot be read")
        }
        defer { file.end() }
        guard let bytes = try? file.bytes(atMost: limit + 1) else {
            throw EnvironmentFailure(message: "`\(path)` cannot be read")
        }
        if OutputKind.isSigned(bytes) {
            throw EnvironmentFailure(
                message: "`\(path)` is a signed bundle, and only unsigned ones are read here: use"
                    + " the bundle that was signed, such as `rules.popbundle`, or take it out with"
                    + " `tail -n +3 \(path.quotedForShell) > unsigned.popbundle`")
        }
        do {
            return try RuleSet(bundle: bytes)
        } catch {
            throw EnvironmentFailure(message: "`\(path)`: \(error)")
        }
    }
}

extension GitFiles {
    /// Returns the rules at some paths.
    func ruleSet(
        at paths: [String], style: TextStyle, for form: ResultForm = .text
    ) throws -> RuleSet {
        try Workspace.refuseEmpty(paths)
        let given = try rules(at: paths)
        let group = FileGroup(given.keys.sorted())
        return try Workspace(readable: [group], given: given)
            .validRules(style: style, for: form)
    }
}

/// Does something with files; what goes wrong is the environment's.
func environment<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw EnvironmentFailure(message: "\(error)")
    }
}
