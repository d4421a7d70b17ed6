public import PopReports
public import PopSource
internal import PopYAML

/// Findings that a project knows and has not fixed yet, so that only new ones are reported.
public struct Baseline: Sendable {
    /// The version of the format that is read and written.
    static let version = 1

    /// The parts of a finding by which it is recognized again.
    struct Entry: Sendable {
        var check: Located<String>?
        var file: Located<String>?
        var fingerprint: Located<String>?
    }

    let entries: [Located<Entry>]

    /// Returns true if a file that begins so is meant to be a baseline.
    public static func isBaseline(_ bytes: [UInt8]) -> Bool {
        let mark = Array("poprules_baseline".utf8)
        return bytes.prefix(256).drop { " \t\r\n{\"'".utf8.contains($0) }.starts(with: mark)
    }

    /// Reads a baseline file. Linear in the file.
    public static func parse(_ source: SourceFile) -> Checked<Baseline> {
        YAMLDocument.parse(source).then { document in
            var limits = RuleFileLimits.standard
            limits.listItems = limits.baselineEntries
            var decoder = Decoder(source, limits: limits)
            var written = WrittenBaseline()
            if document.root.kind == .mapping {
                decoder.read(.baseline, at: document.root, into: &written)
            } else {
                decoder.report(.noBaseline(document.root.range))
            }
            return Checked(
                Baseline(entries: written.findings?.value ?? []), diagnostics: decoder.diagnostics)
        }
    }

    /// Returns the text of a baseline file in which all findings of a report are known; nil if they
    /// are more than a baseline may hold.
    ///
    /// Findings that are always reported are left out.
    public static func text(
        for report: Report, limits: RuleFileLimits = .standard
    ) -> (text: String, count: Int)? {
        let known = zip(report.findings, report.fingerprints).filter { !$0.0.check.isAlwaysTold }
        guard known.count <= limits.baselineEntries else { return nil }
        let findings = known.map { finding, fingerprint in
            JSON.object([
                "check": .string(finding.check.id),
                "file": .string(report.sources[finding.range.file].path),
                "fingerprint": .string(fingerprint.text),
            ])
        }
        let baseline = JSON.object([
            "poprules_baseline": .int(version), "findings": .array(findings),
        ])
        let text = baseline.pretty + "\n"
        return text.utf8.count <= limits.fileBytes ? (text, known.count) : nil
    }

    /// The findings of a report that are not known, and one for each entry that is about none of
    /// them.
    ///
    /// An entry about a file for which `isLookedAt` is false may still be right.
    public func remove(from report: Report, isLookedAt: (String) -> Bool) -> Diagnostics {
        var known: [String: Located<Entry>] = [:]
        for entry in entries {
            if let fingerprint = entry.value.fingerprint { known[fingerprint.value] = entry }
        }
        var rest = Diagnostics()
        for (finding, fingerprint) in zip(report.findings, report.fingerprints)
        where finding.check.isAlwaysTold || known.removeValue(forKey: fingerprint.text) == nil {
            rest.report(finding)
        }
        for entry in known.values {
            guard let file = entry.value.file, isLookedAt(file.value) else { continue }
            rest.report(.stale(entry))
        }
        return rest
    }
}

private struct WrittenBaseline: Sendable {
    var version: Located<Int>?
    var findings: Located<[Located<Baseline.Entry>]>?
}

extension Table<WrittenBaseline> {
    fileprivate static let baseline = Table(
        "a baseline",
        keys: [
            Key(
                "poprules_baseline", format: .integer(1...Baseline.version),
                store: { $0.version = $1 },
                summary: "the version of the format, 1"
            ).required,
            Key(
                "findings",
                format: .list(of: .table(.baselineEntry, startingWith: Baseline.Entry())),
                store: { $0.findings = $1 },
                summary: "the known findings"
            ).required,
        ])
}

extension Table<Baseline.Entry> {
    fileprivate static let baselineEntry = Table(
        "an entry of a baseline",
        keys: [
            Key("check", format: .text, store: { $0.check = $1 }, summary: "the id of the check")
                .required,
            Key("file", format: .text, store: { $0.file = $1 }, summary: "the path of the file")
                .required,
            Key(
                "fingerprint", format: .text, store: { $0.fingerprint = $1 },
                summary: "the value that identifies the finding"
            )
            .required,
        ])
}

extension Diagnostic {
    fileprivate static func noBaseline(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "this file is not a baseline", at: range, label: "not a map",
            help: ["run `poprules validate --write-baseline FILE` to create a baseline"])
    }

    fileprivate static func stale(_ entry: Located<Baseline.Entry>) -> Self {
        let check = entry.value.check?.value ?? ""
        let file = entry.value.file?.value ?? ""
        return Diagnostic(
            .configStaleBaseline,
            message: "the finding \(check) in `\(file)` no longer exists in the rules",
            at: entry.value.fingerprint?.range ?? entry.range, label: "matches no finding",
            help: ["write the baseline again with `--write-baseline`"])
    }
}
