import Foundation
import PopSource
import PopYAML
import Testing

/// Compares with a copy of the branch `data` of yaml/yaml-test-suite, whose folder
/// `YAML_TEST_SUITE` names.
@Suite struct YAMLTestSuiteTests {
    static let folder = ProcessInfo.processInfo.environment["YAML_TEST_SUITE"]

    /// The cases that libyaml 0.2.5 itself reads differently than the suite.
    static let readOtherwise = ["Y2GN", "JEF9/02", "652Z", "HM87/01", "L24T/01", "DK95/01"]

    @Test(.enabled(if: folder != nil, "YAML_TEST_SUITE names no copy of the test suite"))
    func `every accepted document matches the JSON of the suite`() throws {
        let folder = URL(filePath: try #require(Self.folder))
        var compared = 0
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = paths?.nextObject() as? URL {
            guard file.lastPathComponent == "in.yaml" else { continue }
            let bytes = Array(try Data(contentsOf: file))
            check(bytes)
            let checked = YAMLDocument.parse(SourceFile(path: file.path, bytes: bytes))
            let json = file.deletingLastPathComponent().appending(path: "in.json")
            guard !checked.diagnostics.hasErrors, let root = checked.value?.root,
                let data = try? Data(contentsOf: json),
                let expected = try? JSONDecoder().decode(JSON.self, from: data),
                !Self.readOtherwise.contains(where: { file.path.hasSuffix($0 + "/in.yaml") })
            else { continue }
            compared += 1
            #expect(shown(root) == shown(expected), "\(file.path)")
        }
        #expect(compared > 150)
    }

    private func shown(_ node: YAMLNode) -> String {
        switch node.kind {
        case .sequence: "[" + node.items.map(shown).joined(separator: ",") + "]"
        case .mapping:
            "{"
                + node.entries.map { ($0.key.scalar?.text ?? "", $0.value) }
                .sorted { $0.0 < $1.0 }.map { "\($0.0.debugDescription):\(shown($0.1))" }
                .joined(separator: ",") + "}"
        case .scalar:
            switch node.scalar?.value {
            case .null, nil: "null"
            case .bool(let value): "\(value)"
            case .int(let value): "\(Double(value))"
            case .unsigned(let value): "\(Double(value))"
            case .float(let value): "\(value)"
            case .string, .hugeInteger: (node.scalar?.text ?? "").debugDescription
            }
        }
    }

    private func shown(_ json: JSON) -> String {
        switch json {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let text): text.debugDescription
        case .list(let list): "[" + list.map(shown).joined(separator: ",") + "]"
        case .map(let map):
            "{"
                + map.sorted { $0.key < $1.key }
                .map { "\($0.key.debugDescription):\(shown($0.value))" }.joined(separator: ",")
                + "}"
        }
    }
}

private enum JSON: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case map([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .map(try value.decode([String: JSON].self))
        }
    }
}
