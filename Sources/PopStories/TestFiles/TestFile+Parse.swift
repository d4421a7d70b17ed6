package import PopRuleFiles
package import PopSource
internal import PopYAML

extension TestFile {
    /// The version of the format that is read.
    package static let currentVersion = 1

    /// Returns true if a file has the name of a test file.
    package static func isTestFile(_ name: String) -> Bool {
        name.hasSuffix(".test.yaml") || name.hasSuffix(".test.yml")
    }

    /// Reads one test file. Linear in the file.
    package static func parse(_ source: SourceFile) -> Checked<TestFile> {
        if let unreadable = Diagnostic.unreadable(source) {
            return Checked(nil, diagnostics: Diagnostics([unreadable]))
        }
        return YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            var file = TestFile()
            if !document.root.isBroken { decoder.read(.testFile, at: document.root, into: &file) }
            if let version = file.version, version.value != currentVersion {
                decoder.report(.unknownVersion(version))
            }
            return Checked(file, diagnostics: decoder.diagnostics)
        }
    }
}

extension TestFile {
    /// Returns the permitted content of a test file, for the writer of a schema.
    package static func json(_ writer: inout SchemaWriter) -> JSON {
        // A test may be about rules other than those whose names are known.
        writer.offering { $0.table(Table.testFile.schema) }
    }
}

extension Diagnostic {
    fileprivate static func unknownVersion(_ version: Located<Int>) -> Self {
        Diagnostic(
            .schemaVersion, message: "test files of version \(version.value) are not supported",
            at: version.range, label: "this program reads version \(TestFile.currentVersion)")
    }
}

extension TestFile {
    /// The top-level keys of a test file, and the declarations in their maps.
    package static let topLevel = Table.testFile.schema.keys.map { key in
        TopLevelKey(
            key.name, summary: key.summary, schema: key.schema, kind: kindOfEntries[key.name])
    }

    private static let kindOfEntries = ["personas": "persona", "tests": "test"]
}
