internal import PopMapping
internal import PopRuleFiles
internal import PopStories

/// The kind of a file of the rules, by its name.
package enum FileKind: Sendable, Hashable {
    case rules, tests, mapping, configuration

    package init(path: String, bytes: [UInt8]) {
        if TestFile.isTestFile(path) {
            self = .tests
        } else if RuleFiles.isMappingFile(path) {
            self = .mapping
        } else if path == Configuration.fileName || path.hasSuffix("/\(Configuration.fileName)") {
            self = .configuration
        } else {
            self = .rules
        }
    }

    /// The keys that the top of such a file takes.
    var topLevel: [TopLevelKey] {
        switch self {
        case .rules: TopLevelKey.ofRules
        case .tests: TestFile.topLevel
        case .mapping: MappingFile.topLevel
        case .configuration: Configuration.topLevel
        }
    }
}

extension TopLevelKey {
    fileprivate static let ofRules =
        [
            TopLevelKey(
                "poprules", summary: "the version of the format, 1", schema: .integer(1...1))
        ] + all
}
