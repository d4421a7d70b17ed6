import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopYAML
import Testing

/// A file as a JSON value, with its findings.
struct SchemaCase {
    var name: String
    var root: YAMLNode
    var findings: [Diagnostic]

    init(name: String, root: YAMLNode, findings: [Diagnostic]) {
        self.name = name
        self.root = root
        self.findings = []
        // A schema cannot tell whether there are defaults that nothing would set aside
        // (R13: `when: null`).
        self.findings = findings.filter { finding in
            let path = path(of: finding)
            return path.first != "popups" || path.count != 3
                || !finding.message.hasSuffix("has no value")
        }
    }

    init(name: String, text: String) throws {
        var sources = SourceSet()
        let source = sources.add(path: name, bytes: Array(text.utf8))
        self.init(
            name: name, root: try #require(YAMLDocument.parse(source).value).root, findings: [])
    }

    /// A rule file in JSON, which is YAML too, with the errors that are found in it.
    init(checking value: JSON, name: String) throws {
        var sources = SourceSet()
        let source = sources.add(path: name, bytes: Array(value.pretty.utf8))
        self.init(
            name: name, root: try #require(YAMLDocument.parse(source).value).root,
            findings: RuleSet.check(sources).diagnostics.list.filter { $0.level == .error })
    }

    var json: JSON { JSON(root) }

    /// Returns the keys and positions that lead to the value that a finding points at.
    func path(of finding: Diagnostic) -> [String] { path(of: finding.range, from: root) }

    /// Returns true if a finding points into the value at a path, or into the map or list around
    /// it.
    func stands(_ finding: Diagnostic, near path: [String]) -> Bool {
        [path, path.dropLast()].contains {
            node(at: $0)?.definitionRange.contains(finding.range) ?? false
        }
    }

    /// Returns true if a finding points at exactly the value at a path, even if it was found by
    /// another path.
    func isValue(at path: [String], of finding: Diagnostic) -> Bool {
        node(at: path)?.definitionRange == finding.range
    }

    private func node(at path: [String]) -> YAMLNode? {
        path.reduce(root as YAMLNode?) { node, part in
            guard let node else { return nil }
            return node.kind == .sequence ? Int(part).map { node.items[$0] } : node[part]
        }
    }

    private func path(of range: SourceRange, from node: YAMLNode) -> [String] {
        for entry in node.entries {
            let name = entry.key.scalar?.text ?? ""
            if entry.key.range.contains(range) { return [name] }
            if entry.value.range.contains(range) {
                return [name] + path(of: range, from: entry.value)
            }
        }
        for (position, item) in node.items.enumerated() where item.range.contains(range) {
            return ["\(position)"] + path(of: range, from: item)
        }
        return []
    }
}

extension SourceRange {
    fileprivate func contains(_ other: SourceRange) -> Bool {
        file == other.file && lower <= other.lower && other.upper <= upper
    }
}

extension JSON {
    /// The value as a JSON Schema sees it: all keys are strings.
    fileprivate init(_ node: YAMLNode) {
        switch node.kind {
        case .sequence: self = .array(node.items.map { JSON($0) })
        case .mapping:
            self = .object(
                node.entries.map { Member(key: $0.key.scalar?.text ?? "", value: JSON($0.value)) })
        case .scalar:
            switch node.scalar?.value {
            case .bool(let value)?: self = .bool(value)
            case .int(let value)?: self = .int(Int(value))
            case .unsigned(let value)?: self = .uint(value)
            case .hugeInteger?: self = .double(1e30)
            case .float(let value)?: self = .double(value)
            case .string?: self = .string(node.scalar?.text ?? "")
            case .null?, nil: self = .null
            }
        }
    }
}

/// The module `jsonschema` of python3.
enum Validator {
    struct Eligibility {
        var errors: [Failure]
    }

    /// A failed keyword, and the keys and positions that lead to the value.
    struct Failure {
        var path: [String]
        /// The keyword of the schema that is not met.
        var keyword: String

        /// About that place, or about a key of the map around it.
        func isAbout(_ place: [String]) -> Bool {
            let ofMap: Set = [
                "additionalProperties", "propertyNames", "required", "not", "maxProperties",
                "false",
            ]
            return path.starts(with: place)
                || path == place.dropLast() && ofMap.contains(keyword)
        }
    }

    /// Returns the verdicts of the validator on values, by the schema that a command prints.
    static func verdicts(on values: [JSON], by command: String, in place: URL) throws
        -> [Eligibility]
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(JSON.array(values).compact, to: "values.json")
        try folder.write(script, to: "check.py")
        let outcome = try Program.shell(
            "\(command) > \(folder.url.path)/schema.json && cd \(folder.url.path)"
                + " && python3 check.py", in: place)
        let verdicts = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let list = try #require(verdicts as? [[[Any]]], "\(outcome.output)")
        #expect(list.count == values.count)
        return try list.map { errors in
            Eligibility(
                errors: try errors.map {
                    Failure(
                        path: try #require($0.first as? [String]),
                        keyword: try #require($0.last as? String))
                })
        }
    }

    /// Prints, for each value, the path and keyword of each complaint; of alternatives, those of
    /// each.
    private static let script = """
        import json, jsonschema
        schema = json.load(open("schema.json"))
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        def flat(error):
            ofName = "propertyNames" in error.absolute_schema_path
            keyword = "propertyNames" if ofName else error.validator or "false"
            yield [[str(part) for part in error.absolute_path], keyword]
            for inner in error.context:
                yield from flat(inner)
        print(json.dumps([
            [one for error in validator.iter_errors(value) for one in flat(error)]
            for value in json.load(open("values.json"))]))
        """
}
