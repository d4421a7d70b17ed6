import PopSource
import PopYAML
import Testing

/// A YAML text in which `«` and `»` mark the place of the only finding.
struct MarkedText {
    let file: SourceFile
    let place: Range<Int>

    init(_ marked: String) {
        let halves = marked.split(separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = halves[1].split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
        file = SourceFile(path: "a.yaml", text: "\(halves[0])\(rest[0])\(rest[1])")
        place = halves[0].utf8.count..<(halves[0].utf8.count + rest[0].utf8.count)
    }
}

/// Reads a marked text, expects one finding at the mark, and returns it.
@discardableResult
func expectFinding(
    _ check: Check, in marked: String, _ message: String, label: String? = nil,
    help: String? = nil, fixed: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) -> Diagnostic? {
    let text = MarkedText(marked)
    let found = YAMLDocument.parse(text.file).diagnostics.sorted
    #expect(
        found.map { text.file.text(in: $0.range) + ": " + $0.message }.count == 1,
        "\(found.map(\.message))", sourceLocation: sourceLocation)
    guard let first = found.first else { return nil }
    #expect(first.check == check, sourceLocation: sourceLocation)
    #expect(first.message == message, sourceLocation: sourceLocation)
    #expect(
        first.range.bytes == text.place, "\(text.file.text(in: first.range))",
        sourceLocation: sourceLocation)
    if let label { #expect(first.label == label, sourceLocation: sourceLocation) }
    if let help { #expect(first.help.first == help, sourceLocation: sourceLocation) }
    if let fixed {
        let result = first.fixes.first.map { apply($0, to: text.file) }
        #expect(result == fixed, sourceLocation: sourceLocation)
        let again = YAMLDocument.parse(SourceFile(path: "a.yaml", text: fixed))
        #expect(
            again.diagnostics.isEmpty, "\(again.diagnostics.list.map(\.message))",
            sourceLocation: sourceLocation)
    }
    return first
}

/// The file with the edits of a fix.
func apply(_ fix: Diagnostic.Fix, to file: SourceFile) -> String {
    var bytes = file.bytes
    for edit in fix.edits.sorted(by: { $0.range > $1.range }) {
        bytes.replaceSubrange(edit.range.bytes, with: Array(edit.replacement.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
}
