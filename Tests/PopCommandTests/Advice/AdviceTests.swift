import PopSource
import Testing

/// Advice is a promise: authors who follow it fix the problem that it is about, and their rules
/// mean what they meant.
@Suite struct `A fix` {
    @Test(arguments: AdvisedFiles.all)
    func `resolves its finding and keeps the meaning of the author`(
        _ files: AdvisedFiles
    ) throws {
        let before = try files.read()
        for finding in before.findings {
            for fix in finding.fixes {
                let after = try files.read(before.applying(fix))
                judgeMending(of: finding, by: fix, from: before, to: after, in: files)
                if AdviceExceptions.meanings.contains(finding.check) {
                    #expect(!fix.isSafe)
                } else {
                    let difference = Meaning.difference(before, after, about: finding, fix)
                    #expect(
                        difference == nil, "\(files.name): \(finding.message): \(fix.title)")
                }
            }
        }
    }

    @Test(arguments: AdvisedFiles.all)
    func `that is marked safe changes the audience of no valid popup`(
        _ files: AdvisedFiles
    ) throws {
        let before = try files.read()
        for finding in before.findings {
            for fix in finding.fixes where fix.isSafe {
                let after = try files.read(before.applying(fix))
                let changed = AudienceDifference.changed(from: before, to: after)
                #expect(changed == [], "\(files.name): \(finding.message): \(fix.title)")
            }
        }
    }

    @Test func `that is marked safe is distinguished from a fix that changes an audience`() throws {
        let head = "poprules: 1\ncontext: { n: { type: int, default: 0 } }\npopups:\n"
        func changed(_ one: String, _ other: String) throws -> [String] {
            let files = AdvisedFiles(name: "a", paths: ["a.yaml"], given: [:])
            let before = try files.read(["a.yaml": Array((head + one).utf8)])
            let after = try files.read(["a.yaml": Array((head + other).utf8)])
            return AudienceDifference.changed(from: before, to: after)
        }
        #expect(try changed("  a: { when: n > 2 }\n", "  a: { when: n >= 3 }\n") == [])
        #expect(try changed("  a: { when: n > 2 }\n", "  a: { when: n > 3 }\n").count == 1)
        #expect(try changed("  a: { wehn: n > 2 }\n", "  a: { when: n > 2 }\n") == [])
        #expect(
            try changed("  a: { wehn: 'true' }\n  b: { when: n > 2 }\n", "  b: {}\n").count == 1)
    }

    /// Expects that the finding no longer exists and that the written lines have no new error.
    private func judgeMending(
        of finding: Diagnostic, by fix: Diagnostic.Fix, from before: AdvisedWorkspace,
        to after: AdvisedWorkspace, in files: AdvisedFiles
    ) {
        let name = "\(files.name): \(finding.message): \(fix.title)"
        if AdviceExceptions.fixes.contains(where: { name.hasPrefix($0.text) }) { return }
        #expect(
            after.findings.count { $0.isSame(as: finding) }
                < before.findings.count { $0.isSame(as: finding) },
            "\(name): the finding is still there")
        let written = before.linesWritten(by: fix)
        let worse = after.findings.filter { error in
            error.level == .error && written.contains(after.line(of: error))
                && !before.findings.contains { $0.isSame(as: error) }
        }
        #expect(worse.isEmpty, "\(name): now \(worse.map(\.message))")
    }

    @Test(arguments: AdvisedFiles.all)
    func `that shows what to write can be applied`(_ files: AdvisedFiles) throws {
        let before = try files.read()
        for finding in before.findings {
            let results = finding.fixes.map { fix in
                before.applying(fix).values.map { String(decoding: $0, as: UTF8.self) }
                    .joined()
            }
            for help in finding.help {
                if AdviceExceptions.helps.contains(where: { help.contains($0.text) }) { continue }
                for code in replacements(shownIn: help) {
                    let standing = "`\(code)` is already here"
                    if finding.secondary.contains(where: { $0.text == standing }) { continue }
                    #expect(
                        results.contains { $0.contains(code) },
                        "\(files.name): \(finding.message): no fix writes `\(code)`: \(help)")
                }
            }
        }
    }

    @Test func `has no unused exception`() throws {
        let findings = try AdvisedFiles.all.flatMap { files in
            try files.read().findings.map { (files.name, $0) }
        }
        for exception in AdviceExceptions.fixes {
            #expect(
                findings.contains { name, finding in
                    finding.fixes.contains {
                        "\(name): \(finding.message): \($0.title)".hasPrefix(exception.text)
                    }
                }, "\(exception.text)")
        }
        for exception in AdviceExceptions.helps {
            #expect(
                findings.contains { $1.help.contains { $0.contains(exception.text) } },
                "\(exception.text)")
        }
    }

    /// Returns the code in a help that replaces what the author wrote: after `write`, `written` or
    /// a colon. Code with an ellipsis is a sketch, and code after `such as` is an example.
    private func replacements(shownIn help: String) -> [String] {
        help.matches(of: #/(?:write|written|as a whole|: )\s*`([^`]+)`/#).map { String($0.1) }
            .filter { !$0.contains("…") && help.contains("such as `\($0)`") == false }
    }
}

extension Diagnostic {
    fileprivate func isSame(as other: Diagnostic) -> Bool {
        check == other.check && message == other.message
    }
}
