import ArgumentParser
import PopBacktest
import PopReports
import PopRuleFiles
import PopSource
import PopStories

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print a JSON Schema for editors.",
        usage: "poprules schema [<options>]",
        discussion: """
            The schema describes rule files, test files, mapping files and poprules.yaml.
            It recognizes the kind of a file by the first key. With --for, it also
            contains the names that the rules declare.

            Example:
              poprules schema --for rules -o rules/poprules.schema.json
            """)

    @Option(
        name: .customLong("for"), help: "Rule files or folders whose names editors then suggest.",
        completion: .yamlFiles)
    var rules: [String] = []

    @Option(help: "The kind of file that the schema describes.")
    var kind = Editing.Kind.any

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String?

    @OptionGroup var replacing: ReplacingOption

    func run() throws {
        let schema: String
        if rules.isEmpty {
            schema = Editing.schema(kind, for: nil)
        } else {
            let workspace = try Workspace(readable: rules)
            _ = try workspace.validRules(
                style: ColourChoice.auto.style, for: .other)
            if let output { try OutputFile.checkIsNone(of: workspace.sources, output) }
            schema = Editing.schema(kind, for: workspace.main?.model)
        }
        guard let output else {
            return Terminal.putData(withoutCommandMarks(schema, escape: .json))
        }
        try OutputFile.write(schema, to: output, kind: .result, force: replacing.force)
    }
}

/// The schemas for editors.
enum Editing {
    /// The file that the first line of rule files and test files names.
    static let schemaName = "poprules.schema.json"

    /// The files that a schema describes.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case any, rules, test, config, mapping
    }

    /// A JSON Schema, with the names that a rule set declares.
    static func schema(_ kind: Kind, for model: RuleModel?) -> String {
        let names = model.map { DeclaredNames($0) }
        var writer = SchemaWriter(names: names)
        let root: JSON
        switch kind {
        case .rules: root = RuleFile.json(&writer)
        case .test: root = TestFile.json(&writer)
        case .config: root = Configuration.json(&writer)
        case .mapping: root = MappingFile.json(&writer)
        case .any:
            let rules = RuleFile.json(&writer)
            root = .object([
                "if": has("poprules_test"), "then": TestFile.json(&writer),
                "else": .object([
                    "if": has("poprules_config"), "then": Configuration.json(&writer),
                    "else": .object([
                        "if": has("poprules_mapping"), "then": MappingFile.json(&writer),
                        "else": rules,
                    ]),
                ]),
            ])
        }
        return writer.document(title(kind), root: root).pretty + "\n"
    }

    private static func has(_ key: String) -> JSON {
        .object(["type": "object", "required": [.string(key)]])
    }

    private static func title(_ kind: Kind) -> String {
        switch kind {
        case .any: "poprules: rule files, test files, mapping files and poprules.yaml"
        case .rules: "poprules: rule files"
        case .test: "poprules: test files"
        case .config: "poprules: poprules.yaml"
        case .mapping: "poprules: mapping files"
        }
    }
}
