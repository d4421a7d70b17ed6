internal import PopReports
internal import PopSource
internal import PopValidation
internal import PopYAML

/// The code actions for diagnostics.
enum CodeActions {
    static func json(_ site: inout RequestContext, parameters: JSON) -> JSON {
        guard let project = site.project, let outcome = site.desk.outcome(project) else {
            return .array([])
        }
        let range = site.lines.range(parameters["range"]) ?? 0..<0
        let only = parameters["context"]?["only"]?.items.compactMap(\.text) ?? []
        func isWanted(_ kind: String) -> Bool {
            only.isEmpty || only.contains { kind == $0 || kind.hasPrefix($0 + ".") }
        }
        let own = outcome.findings(in: site.path)
        var actions: [JSON] = []
        if isWanted("quickfix") {
            // A fix that several diagnostics share is offered once.
            var edits: Set<[Diagnostic.Edit]> = []
            let near = beside(range, among: own, site).prefix(site.desk.limits.findingsOfActions)
            let texts = near.isEmpty ? [] : site.textsOfSeveralLines
            for finding in near {
                actions += mends(finding, except: &edits, sources: outcome.sources, site: site)
                actions += suppressions(finding, beside: texts, site: site)
            }
        }
        if isWanted("source.fixAll"), let all = fixAll(own, sources: outcome.sources, site: site) {
            actions.append(all)
        }
        return .array(actions)
    }

    /// Returns the diagnostics on the lines of a range, those inside the range first.
    private static func beside(
        _ range: Range<Int>, among findings: [Diagnostic], _ site: RequestContext
    ) -> [Diagnostic] {
        let first = site.lines.bytes(ofLine: site.lines.line(at: range.lowerBound)).lowerBound
        let last = site.lines.bytes(ofLine: site.lines.line(at: range.upperBound)).upperBound
        func touch(_ finding: Diagnostic, _ start: Int, _ end: Int) -> Bool {
            finding.range.lower <= end && start <= finding.range.upper
        }
        let near = findings.filter { touch($0, first, last) }
        return near.filter { touch($0, range.lowerBound, range.upperBound) }
            + near.filter { !touch($0, range.lowerBound, range.upperBound) }
    }

    private static func mends(
        _ finding: Diagnostic, except known: inout Set<[Diagnostic.Edit]>, sources: SourceSet,
        site: RequestContext
    ) -> [JSON] {
        finding.fixes.filter { known.insert($0.edits).inserted }.map { fix in
            let edits = fix.edits.map { edit in
                TextEdit(
                    path: sources[edit.range.file].path, range: edit.range.bytes,
                    text: edit.replacement)
            }
            return .object([
                "title": .string(fix.title), "kind": "quickfix",
                "isPreferred": .bool(fix.isSafe && finding.fixes.count == 1),
                "diagnostics": diagnostics(finding, sources: sources, site: site),
                "edit": site.workspaceEdit(edits),
            ])
        }
    }

    private static func diagnostics(
        _ finding: Diagnostic, sources: SourceSet, site: RequestContext
    ) -> JSON {
        var places = Places(sources: sources, desk: site.desk)
        return .array([finding.json(&places)])
    }

    /// A comment above the line, with room for the reason.
    private static func suppressions(
        _ finding: Diagnostic, beside texts: [Range<Int>], site: RequestContext
    ) -> [JSON] {
        guard !finding.check.isAlwaysTold, finding.level != .error else { return [] }
        guard let line = site.lineForComment(about: finding.range.lower, beside: texts) else {
            return []
        }
        let indent = site.bytes[line].prefix { $0 == 0x20 }
        let margin = String(decoding: indent, as: UTF8.self)
        let comment =
            "\(margin)# poprules:ignore[\(finding.check.id)] reason\(site.lines.lineEnding)"
        let edit = TextEdit(
            path: site.path, range: line.lowerBound..<line.lowerBound, text: comment)
        return [
            .object([
                "title": .string("ignore \(finding.check.id) here, with a reason"),
                "kind": "quickfix", "edit": site.workspaceEdit([edit]),
            ])
        ]
    }

    /// Returns an action that applies every safe fix of the document together.
    private static func fixAll(
        _ findings: [Diagnostic], sources: SourceSet, site: RequestContext
    ) -> JSON? {
        let within = findings.filter { finding in
            finding.fixes.first(where: \.isSafe).map { fix in
                fix.edits.allSatisfy { $0.range.file == finding.range.file }
            } ?? false
        }
        let fixed = FixedFiles(Diagnostics(within), sources: sources)
        guard let bytes = fixed.contents.values.first else { return nil }
        return .object([
            "title": .string("apply all safe fixes (\(fixed.count))"), "kind": "source.fixAll",
            "edit": site.workspaceEdit([site.replacement(by: bytes)]),
        ])
    }
}

extension RequestContext {
    /// Returns the line above which a comment about a byte belongs: in a multiline string, the line
    /// where the string begins. Nil if no comment is possible above that line either.
    fileprivate func lineForComment(
        about offset: Int, beside texts: [Range<Int>]
    ) -> Range<Int>? {
        func text(around line: Range<Int>) -> Range<Int>? {
            texts.first { $0.lowerBound < line.lowerBound && line.lowerBound < $0.upperBound }
        }
        let line = lines.bytes(ofLine: lines.line(at: offset))
        guard let around = text(around: line) else { return line }
        let first = lines.bytes(ofLine: lines.line(at: around.lowerBound))
        return text(around: first) == nil ? first : nil
    }

    /// The places of the document's multiline strings. Linear in the document.
    fileprivate var textsOfSeveralLines: [Range<Int>] {
        YAMLDocument.parse(file).value.map { $0.root.textsOfSeveralLines(lines) } ?? []
    }

    /// The smallest single edit that makes another text of the document.
    func replacement(by new: [UInt8]) -> TextEdit {
        let shorter = min(bytes.count, new.count)
        var start = 0
        while start < shorter, bytes[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start,
            bytes[bytes.count - 1 - end] == new[new.count - 1 - end]
        {
            end += 1
        }
        // Not in the middle of a character.
        while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        while end > 0, bytes[bytes.count - end] & 0xC0 == 0x80 { end -= 1 }
        return TextEdit(
            path: path, range: start..<bytes.count - end,
            text: String(decoding: new[start..<new.count - end], as: UTF8.self))
    }
}

extension YAMLNode {
    /// Returns the places of the multiline strings below the node, without those behind aliases.
    fileprivate func textsOfSeveralLines(_ lines: TextLines) -> [Range<Int>] {
        if isAlias { return [] }
        guard scalar == nil else {
            let place = range.bytes
            let end = max(place.upperBound - 1, place.lowerBound)
            return lines.line(at: place.lowerBound) < lines.line(at: end) ? [place] : []
        }
        let values = Array(items) + entries.flatMap { [$0.key, $0.value] }
        return values.flatMap { $0.textsOfSeveralLines(lines) }
    }
}
