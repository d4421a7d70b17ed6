public import PopSource

/// A YAML file as an immutable tree, every node with its place.
///
/// It follows the YAML 1.2 core schema; anchors, aliases and merge keys are applied.
public struct YAMLDocument: Sendable {
    /// The value that the file contains.
    public let root: YAMLNode

    /// Reads a file that contains one document.
    ///
    /// It never traps, whatever the bytes are. A value with a syntax error is reported and set
    /// aside (`YAMLNode.isBroken`), and the rest is still read; there is no document if that is
    /// impossible, if the file is empty, or if it exceeds a limit. Linear in the file, plus once
    /// more for every value that is set aside.
    public static func parse(
        _ source: SourceFile, limits: YAMLLimits = .standard
    ) -> Checked<YAMLDocument> {
        var diagnostics = Diagnostics()
        guard let text = CheckedText(source, limits: limits, diagnostics: &diagnostics) else {
            return Checked(nil, diagnostics: diagnostics)
        }
        var attempts = RepairedText(text)
        while true {
            var builder = TreeBuilder(attempts.text, limits: limits, broken: attempts.broken)
            let ending = LibYAMLParser.reading(attempts.text.bytes, from: text.start) {
                builder.build(&$0)
            }
            if case .failed(let error) = ending,
                attempts.repair(error, limits: limits, into: &diagnostics)
            {
                continue
            }
            let root = builder.finish(
                ending ?? .givenUp, text: text, isRepaired: attempts.isRepaired, into: &diagnostics)
            return Checked(root, diagnostics: diagnostics)
        }
    }
}

extension TreeBuilder {
    /// Adds the builder's findings to the diagnostics, and creates the document if there is one.
    mutating func finish(
        _ ending: Ending, text: CheckedText, isRepaired: Bool, into all: inout Diagnostics
    ) -> YAMLDocument? {
        var document: YAMLDocument?
        switch ending {
        case .document(let root):
            reportUnusedAnchors()
            document = YAMLDocument(root: YAMLNode(tree(), place: root))
        case .noDocument where isRepaired, .givenUp, .failed:
            break
        case .noDocument:
            diagnostics.report(.emptyFile(at: range(text.start..<bytes.count)))
        }
        if !hasRoom, let last = diagnostics.list.last {
            diagnostics.report(
                .findingsCut(
                    diagnostics.list.count, at: last.range, hasErrors: diagnostics.hasErrors))
        }
        all.report(contentsOf: diagnostics)
        return document
    }
}

extension Diagnostic {
    fileprivate static func findingsCut(
        _ count: Int, at range: SourceRange, hasErrors: Bool
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlLimit,
            message: "only the first \(count) findings about the YAML of this file are shown",
            at: range, label: "there may be more findings after this one",
            help: ["fix these findings first"])
        if !hasErrors { diagnostic.level = .warning }
        return diagnostic
    }

    fileprivate static func emptyFile(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlEmptyFile, message: "the file is empty", at: range,
            label: "only whitespace and comments",
            help: ["write `key: value` lines, or remove the file"])
    }
}
