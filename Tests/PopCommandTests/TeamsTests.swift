import Foundation
import PopSource
import PopYAML
import Testing

/// The definitions by which other programs run `poprules` are played as those programs would.
@Suite struct `An integration for teams` {
    private static let action = ".github/actions/poprules"

    // MARK: pre-commit

    @Test func `has hooks that run only for rules`() throws {
        let paths = [
            "poprules.yaml", "rules/app.yaml", "rules/deep/app.yml", "apps/shop/rules/a.test.yaml",
            "README.md", "my-rules/app.yaml", "rules.yaml", "rulesets/app.yaml", "rules/notes.md",
        ]
        for hook in try document(".pre-commit-hooks.yaml").items {
            let files = try Regex(#require(hook.text("files")))
            let wanted = paths.filter { $0.firstMatch(of: files) != nil }
            let own = hook.text("id") == "poprules-validate" ? paths[..<4] : paths[1..<4]
            #expect(wanted == Array(own), "\(hook.text("id") ?? "")")
            for key in ["id", "name", "description"] { #expect(hook.text(key)?.isEmpty == false) }
            #expect(hook.text("language") == "swift")
        }
    }

    @Test func `has hooks that let valid rules pass, and stop invalid rules`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        for hook in try document(".pre-commit-hooks.yaml").items {
            let entry = try #require(hook.text("entry"))
            let files =
                hook.text("pass_filenames") == "false" ? "" : " rules/app.yaml rules/a.test.yaml"
            let outcome = try Program.shell(entry + files, in: folder.url)
            #expect(outcome.status == 0, "\(entry): \(outcome.output)")
        }
        try folder.write("poprules: 1\npopups: { a: { wen: true } }\n", to: "rules/app.yaml")
        for entry in ["poprules validate", "poprules test"] {
            #expect(try Program.shell(entry, in: folder.url).status == 1, "\(entry)")
        }
    }

    // MARK: GitHub

    @Test func `has a problem matcher that parses every finding of the short format`() throws {
        let matchers =
            try #require(
                JSONSerialization.jsonObject(
                    with: Data(Repository.text("\(Self.action)/problem-matcher.json").utf8))
                    as? [String: [[String: Any]]])["problemMatcher"] ?? []
        let fixtures = Repository.root.appending(path: "Tests/PopCommandTests/Fixtures")
        let command = "poprules validate wrong wrong.test.yaml shop -q -f"
        let lines = try Program.shell("\(command) short", in: fixtures).output
            .split(separator: "\n").map(String.init)
        let findings =
            try #require(
                JSONSerialization.jsonObject(
                    with: Data(Program.shell("\(command) json", in: fixtures).output.utf8))
                    as? [String: Any])["diagnostics"] as? [[String: Any]] ?? []
        #expect(lines.count == findings.count && lines.count > 8)
        for (line, finding) in zip(lines, findings) {
            let taken = try matchers.compactMap { try problem($0, in: line) }
            let start = (finding["range"] as? [String: [String: Int]])?["start"]
            #expect(
                taken == [
                    [
                        "file": finding["file"] as? String, "code": finding["check"] as? String,
                        "severity": (finding["level"] as? String).map {
                            $0 == "info" ? "notice" : $0
                        },
                        "message": finding["message"] as? String,
                        "line": start?["line"].map(String.init),
                        "column": start?["column"].map(String.init),
                    ]
                ], "\(line)")
        }
    }

    /// Returns the fields that a matcher finds in a line; nil if the matcher doesn't match.
    private func problem(_ matcher: [String: Any], in line: String) throws -> [String: String?]? {
        let pattern = try #require((matcher["pattern"] as? [[String: Any]])?.first)
        let regex = try Regex(#require(pattern["regexp"] as? String))
        guard let match = line.wholeMatch(of: regex) else { return nil }
        var problem: [String: String?] = [:]
        for (name, group) in pattern {
            guard let group = group as? Int else { continue }
            problem[name] = match.output[group].substring.map(String.init)
        }
        if problem["severity"] == nil { problem["severity"] = matcher["severity"] as? String }
        return problem
    }

    @Test func `has an action that validates and tests, and executes no input`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        let good = try run(["sarif": "found.sarif"], in: folder)
        #expect(good.statuses == [0, 0, 0], "\(good.output)")
        #expect(good.output.contains("1 popup in 2 files: 0 errors"))
        #expect(good.output.contains("1 passed, 0 failed"))
        let sarif = folder.url.appending(path: "found.sarif").path
        #expect(FileManager.default.fileExists(atPath: sarif))

        try folder.write("poprules: 1\npopups: { a: { wen: true } }\n", to: "rules/app.yaml")
        let wrong = try run(["paths": "rules/app.yaml\n\n"], in: folder)
        #expect(wrong.statuses == [0, 1, 1], "\(wrong.output)")
        #expect(wrong.output.contains("::error file=rules/app.yaml,line=2"))

        let evil = try run(["paths": "$(touch pwned)\n`touch pwned`; touch pwned"], in: folder)
        #expect(evil.statuses == [0, 3, 1], "\(evil.output)")
        #expect(
            !FileManager.default.fileExists(atPath: folder.url.appending(path: "pwned").path))
        #expect(try run(["tests": ""], in: folder).statuses.count == 2)
    }

    @Test func `has an action that reports changes in one comment, which it updates`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        // A substitute for GitHub's `gh` that records its arguments and prints prepared answers.
        try folder.write(
            """
            #!/bin/sh
            echo "$@" >>asked
            for word; do case "$word" in body=@*) cat "${word#body=@}" >said ;; esac; done
            case "$*" in
                "api user "*) echo poprules-bot ;;
                *--jq*) cat known 2>/dev/null || true ;;
            esac
            """, to: "bin/gh")
        let git = "git -c user.name=a -c user.email=a@b"
        let made = try Program.shell(
            "chmod +x bin/gh && git init -q . && git add rules && \(git) commit -qm one"
                + " && git remote add origin . && git rev-parse HEAD", in: folder.url)
        #expect(made.status == 0, "\(made.output)")
        let base = String(made.output.split(separator: "\n").last ?? "")
        try folder.write(
            "poprules: 1\npopups: { a: { owner: b, description: Greets } }\n",
            to: "rules/app.yaml")
        let inputs = [
            "changes": "rules", "tests": "", "token": "secret",
            "github.event.pull_request.base.sha": base,
            "github.event.pull_request.number": "7",
        ]
        let first = try run(inputs, in: folder)
        #expect(first.statuses.last == 0, "\(first.output)")
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
        }
        #expect(try text("asked").contains("--method POST repos/o/r/issues/7/comments"))
        // S-M10: the comment of another user is not edited.
        #expect(try text("asked").contains(#"select(.user.login == "poprules-bot" and"#))
        #expect(try text("said").hasPrefix("<!-- poprules diff -->\n"))
        #expect(try text("said").contains("- owner: team-growth → b"))
        try folder.write("12\n13\n", to: "known")
        #expect(try run(inputs, in: folder).statuses.last == 0)
        #expect(try text("asked").contains("--method PATCH repos/o/r/issues/comments/12 "))
    }

    /// The token of a pull request from a fork can only read.
    @Test func `has an action that warns if the comment can't be written`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        try folder.write("#!/bin/sh\nexit 1\n", to: "bin/gh")
        let git = "git -c user.name=a -c user.email=a@b"
        let made = try Program.shell(
            "chmod +x bin/gh && git init -q . && git add rules && \(git) commit -qm one"
                + " && git remote add origin . && git rev-parse HEAD", in: folder.url)
        let base = String(made.output.split(separator: "\n").last ?? "")
        try folder.write(
            "poprules: 1\npopups: { a: { owner: b, description: Greets } }\n",
            to: "rules/app.yaml")
        let done = try run(
            [
                "changes": "rules", "tests": "", "token": "secret",
                "github.event.pull_request.base.sha": base,
                "github.event.pull_request.number": "7",
            ], in: folder)
        #expect(done.statuses.last == 0, "\(done.output)")
        #expect(done.output.contains("::warning::poprules could not write the comment"))
        let summary = folder.url.appending(path: "summary")
        #expect(
            try String(contentsOf: summary, encoding: .utf8).contains("- owner: team-growth → b"))
    }

    /// Plays the steps of the action as a runner does, each regardless of the result of the one
    /// before.
    private func run(
        _ inputs: [String: String], in folder: TemporaryFolder
    ) throws -> (statuses: [Int32], output: String) {
        let action = try document("\(Self.action)/action.yml")
        var values = inputs
        for input in try #require(action["inputs"]).entries {
            let name = input.key.scalar?.text ?? ""
            if values[name] == nil { values[name] = input.value.text("default") }
        }
        var statuses: [Int32] = []
        var output = ""
        for step in try #require(action["runs"]?["steps"]).items {
            #expect(step.text("shell") == "bash")
            let condition = step.text("if") ?? ""
            if ["tests", "changes"].contains(where: {
                condition.contains("inputs.\($0) ") && values[$0] == ""
            }) {
                continue
            }
            var script =
                "export GITHUB_REPOSITORY=o/r GITHUB_STEP_SUMMARY=\"$PWD/summary\""
                + " PATH=\"$PWD/bin:$PATH\"\n"
            for variable in step["env"]?.entries.map({ $0 }) ?? [] {
                let text = values.reduce(variable.value.scalar?.text ?? "") { text, input in
                    text.replacing("${{ inputs.\(input.key) }}", with: input.value)
                        .replacing("${{ \(input.key) }}", with: input.value)
                }
                #expect(!text.contains("${{"))
                script += "export \(variable.key.scalar?.text ?? "")=\(quoted(text))\n"
            }
            try folder.write(script + (step.text("run") ?? ""), to: "step.sh")
            let result = try Program.shell(
                "bash --noprofile --norc -eo pipefail step.sh", in: folder.url)
            statuses.append(result.status)
            output += result.output
        }
        return (statuses, output)
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }

    // MARK: GitLab

    @Test func `has a GitLab job that reports findings in the format of GitLab`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        #expect(try runJob(in: folder).status == 0)
        try folder.write(
            "poprules: 1\npopups: { a: { wen: true }, b: { wen: true } }\n", to: "rules/app.yaml")
        let job = try runJob(in: folder)
        #expect(job.status == 1)
        let report = try Data(contentsOf: folder.url.appending(path: "poprules-quality.json"))
        let findings = try #require(
            JSONSerialization.jsonObject(with: report) as? [[String: Any]])
        #expect(findings.count >= 2)
        #expect(Set(findings.compactMap { $0["fingerprint"] as? String }).count == findings.count)
        for finding in findings {
            #expect((finding["description"] as? String)?.isEmpty == false)
            #expect((finding["check_name"] as? String)?.contains("/") == true)
            let severity = finding["severity"] as? String ?? ""
            #expect(["info", "minor", "major", "critical", "blocker"].contains(severity))
            let place = finding["location"] as? [String: Any]
            let path = place?["path"] as? String ?? ""
            #expect(["rules/app.yaml", "rules/a.test.yaml"].contains(path))
            #expect((place?["lines"] as? [String: Int])?["begin"].map { $0 > 0 } == true)
        }
    }

    @Test func `has a GitLab job that reports changes in one note, which it updates`() throws {
        let folder = try rulesFolder()
        defer { folder.remove() }
        // A substitute for `curl` that records the requests to GitLab and prints prepared answers.
        try folder.write(
            """
            #!/bin/sh
            printf '%s ' "$@" >>asked; echo >>asked
            case "$*" in *"/api/v4/user") echo '{"id":4,"username":"poprules"}'; exit ;; esac
            case "$*" in *"PUT"*"/14 "*|*"PUT"*"/14") exit 22 ;; esac
            while [ $# -gt 0 ]; do
                case "$1" in
                    --config) cat "$2" >config ;;
                    --output) [ "$2" = /dev/null ] || cat "notes$page" >"$2" ;;
                    --dump-header) cat headers >"$2" 2>/dev/null || : >"$2" ;;
                    --data-urlencode) cat "${2#body@}" >said ;;
                esac
                shift
            done
            """, to: "bin/curl")
        let git = "git -c user.name=a -c user.email=a@b"
        let made = try Program.shell(
            "chmod +x bin/curl && git init -q . && git add rules && \(git) commit -qm one"
                + " && git remote add origin . && git rev-parse HEAD", in: folder.url)
        #expect(made.status == 0, "\(made.output)")
        try folder.write(
            "poprules: 1\npopups:\n  a: { owner: \"$(touch pwned)`touch pwned`\", description: Hi }\n",
            to: "rules/app.yaml")
        let variables = [
            "POPRULES_TOKEN": "secret", "CI_API_V4_URL": "https://git.example.com/api/v4",
            "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": String(made.output.split(separator: "\n").last ?? ""),
        ]
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
        }
        let notes = "https://git.example.com/api/v4/projects/5/merge_requests/7/notes"
        // S-M10: the second comment begins with the mark, and is from another user.
        let others =
            #"{"id":11,"type":null,"body":"\"id\":12,\"body\":\"<!-- poprules diff -->","author":{"id":4,"username":"poprules"}},"#
            + #"{"id":10,"type":null,"body":"<!-- poprules diff -->","author":{"id":9,"username":"eve"}}"#
        try folder.write("[\(others)]", to: "notes")
        let first = try runJob(in: folder, variables: variables)
        #expect(first.status == 0, "\(first.output)")
        let asked = try text("asked")
        #expect(asked.contains("\(notes)?per_page=100&page=1 \n"), "\(asked)")
        #expect(asked.contains("--request POST"))
        #expect(asked.hasSuffix("\(notes) \n"))
        #expect(!asked.contains("secret"))
        #expect(try text("config") == "header = \"PRIVATE-TOKEN: secret\"\n")
        #expect(try text("said").hasPrefix("<!-- poprules diff -->\n"))
        #expect(try text("said").contains(#"- owner: team-growth → \$(touch pwned)`touch pwned`"#))
        for note in [
            #"{"id":13,"type":null,"body":"\u003c!-- poprules diff --\u003e\n","attachment":null,"author":{"id":4,"name":"p"}}"#,
            #"{"id": 13, "body": "<!-- poprules diff -->\n", "author": {"id": 4, "name": "p"}}"#,
        ] {
            try folder.write("[\(others),\(note)]", to: "notes")
            #expect(try runJob(in: folder, variables: variables).status == 0)
            #expect(try text("asked").hasSuffix("\(notes)/13 \n"))
            #expect(try text("asked").contains("--request PUT"))
        }
        // One that can be written no more fails nothing: another one is written.
        let gone = #"{"id":14,"body":"<!-- poprules diff -->","author":{"id":4,"name":"p"}}"#
        try folder.write("[\(others),\(gone)]", to: "notes")
        #expect(try runJob(in: folder, variables: variables).status == 0)
        #expect(try text("asked").hasSuffix("\(notes) \n"))
        #expect(
            !FileManager.default.fileExists(atPath: folder.url.appending(path: "pwned").path))
    }

    private func runJob(
        in folder: TemporaryFolder, variables: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let file = try document(".gitlab/poprules.yml")
        let job = try #require(file["poprules"])
        var script = "set -eo pipefail\nPATH=\"$PWD/bin:$PATH\"\n"
        for (name, value) in variables { script += "export \(name)=\(quoted(value))\n" }
        for variable in file["variables"]?.entries.map({ $0 }) ?? [] {
            script += "\(variable.key.scalar?.text ?? "")=\(variable.value.scalar?.text ?? "")\n"
        }
        for part in ["before_script", "script"] {
            let lines = try #require(job[part]).items.map { $0.scalar?.text ?? "" }
            script += lines.joined(separator: "\n") + "\n"
        }
        try folder.write(script, to: "job.sh")
        let result = try Program.shell("bash job.sh", in: folder.url)
        let reports = try #require(job["artifacts"]?["reports"])
        let names =
            [reports.text("codequality")].compactMap { $0 }
            + (reports["junit"]?.items.compactMap { $0.scalar?.text } ?? [])
        #expect(names.count == 3)
        for name in names {
            let path = folder.url.appending(path: name).path
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
        return result
    }

    // MARK: files

    private func document(_ path: String) throws -> YAMLNode {
        let source = SourceFile(path: path, text: try Repository.text(path))
        return try YAMLDocument.parse(source).get().root
    }

    /// A project with one popup and one test, both right and in the usual layout.
    private func rulesFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            poprules: 1

            popups:
              a:
                owner: team-growth
                description: Greets

            """, to: "rules/app.yaml")
        try folder.write(
            """
            poprules_test: 1

            tests:
              it shows:
                steps:
                  - expect: { showing: { main: a } }

            """, to: "rules/a.test.yaml")
        return folder
    }
}

extension YAMLNode {
    fileprivate func text(_ key: String) -> String? { self[key]?.scalar?.text }
}
