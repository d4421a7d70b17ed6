import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation
import PopWire

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
        guard let file = try? Descriptor(reading: path) else {
            throw EnvironmentFailure(message: "`\(path)` cannot be read")
        }
        defer { file.end() }
        guard let bytes = try? file.bytes(atMost: limit + 1) else {
            throw EnvironmentFailure(message: "`\(path)` cannot be read")
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
