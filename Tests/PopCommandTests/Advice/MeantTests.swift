import Foundation
import PopCEL
import PopScheduler
import PopSource
import Testing

/// The meaning that the author of a line in a golden file intended, written above it as `# meant
/// POPUP: EXPRESSION`; one line for each possible meaning.
@Suite struct `The intended rule` {
    private struct Meant {
        var popup: String
        var expressions: [String] = []
        var line = 0
    }

    static let files = AdvisedFiles.all.filter { files in
        files.paths.contains { path in
            (try? String(contentsOfFile: path, encoding: .utf8))?.contains("# meant ") == true
        }
    }

    @Test(arguments: files)
    func `is the result of a fix`(_ files: AdvisedFiles) throws {
        let path = try #require(files.paths.first)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let meant = notes(in: text)
        let before = try files.read()
        for note in meant {
            let findings = before.findings.filter {
                before.line(of: $0) == "\(path):\(note.line)" && !$0.fixes.isEmpty
            }
            #expect(!findings.isEmpty, "\(files.name): no fix for `\(note.popup)`")
            for finding in findings {
                for fix in finding.fixes { try check(fix, of: finding, note, files, before) }
            }
        }
    }

    private func check(
        _ fix: Diagnostic.Fix, of finding: Diagnostic, _ note: Meant, _ files: AdvisedFiles,
        _ before: AdvisedWorkspace
    ) throws {
        let names = note.expressions.indices.map { "meant_\($0)" }
        let expected = zip(names, note.expressions).map {
            "  \($0): '\($1.replacing("'", with: "''"))'\n"
        }
        var changed = before.applying(fix)
        changed["meant.yaml"] = Array("poprules: 1\nconditions:\n\(expected.joined())".utf8)
        let after = try files.beside("meant.yaml").read(changed)
        let left = after.findings.filter {
            $0.level == .error && after.line(of: $0).hasSuffix(":\(note.line)")
        }
        // Another mistake in the same line is fixed by another fix.
        if !left.isEmpty, before.findings.count(where: { $0.level == .error }) > left.count {
            return
        }
        let name = "\(files.name): \(finding.message): \(fix.title)"
        let rules = try #require(after.rules)
        let popup = try #require(rules.popups.first { $0.id == note.popup })
        let program = try #require(popup.when?.program)
        let differences = names.map { name in
            rules.conditions.first { $0.name == name }.flatMap {
                Meaning.difference($0.condition.program, in: rules, program, in: rules)
            }
        }
        #expect(differences.contains { $0 == nil }, "\(name): \(differences)")
        #expect(!fix.isSafe || names.count == 1, "\(name) is one of several meanings")
    }

    private func notes(in text: String) -> [Meant] {
        var notes: [Meant] = []
        var open: Meant?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if let match = line.firstMatch(of: /# meant (\w+): (.+)/) {
                var note = open ?? Meant(popup: String(match.1))
                note.expressions.append(String(match.2))
                open = note
            } else if var note = open {
                note.line = index + 1
                notes.append(note)
                open = nil
            }
        }
        return notes
    }
}
