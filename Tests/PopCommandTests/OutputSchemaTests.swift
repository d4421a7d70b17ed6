import Foundation
import PopSource
import Testing

/// Output for other programs must satisfy the rules by which they read it.
@Suite struct `The machine-readable output` {
    private static let fixtures = Repository.root.appending(path: "Tests/PopCommandTests/Fixtures")
    private static let schema =
        "docs/reference/validate.schema.json"

    static let hasJSONSchema =
        (try? Program.shell("python3 -c 'import jsonschema'", in: Repository.root))?.status == 0
    static let hasPython =
        (try? Program.shell("python3 -c ''", in: Repository.root))?.status == 0

    private static let validating = "validate wrong wrong.test.yaml shop fixable"
    private static let testing = "test failing.test.yaml"

    private func check(
        _ script: String, format: String, of command: String = validating
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(script, to: "check.py")
        let outcome = try Program.shell(
            "poprules \(command) --format \(format) > \(folder.url.path)/out;"
                + " python3 \(folder.url.path)/check.py"
                + " \(Repository.root.appending(path: Self.schema).path) \(folder.url.path)/out",
            in: Self.fixtures)
        #expect(outcome.output == "fine\n", "\(outcome.output)")
    }

    @Test(.enabled(if: hasJSONSchema, "python3 has no module `jsonschema`"))
    func `as JSON satisfies its published schema`() throws {
        try check(
            """
            import json, jsonschema, sys
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft7Validator.check_schema(schema)
            for error in jsonschema.Draft7Validator(schema).iter_errors(json.load(open(sys.argv[2]))):
                print(error.message)
            print("fine")
            """, format: "json")
    }

    @Test(.enabled(if: hasJSONSchema, "python3 has no module `jsonschema`"))
    func `as JSON lines has a finding of the published schema in each line`() throws {
        try check(
            """
            import json, jsonschema, sys
            schema = json.load(open(sys.argv[1]))
            schema["$ref"] = "#/definitions/finding"
            for line in open(sys.argv[2]):
                jsonschema.Draft7Validator(schema).validate(json.loads(line))
            print("fine")
            """, format: "jsonl")
    }

    /// The members that SARIF 2.1.0 demands (sections 3.13 to 3.49), and those without which GitHub
    /// shows no alert.
    @Test(.enabled(if: hasPython, "there is no python3"))
    func `as SARIF satisfies the standard and code scanning`() throws {
        try check(
            """
            import json, sys
            log = json.load(open(sys.argv[2]))
            assert log["version"] == "2.1.0" and len(log["runs"]) == 1
            run = log["runs"][0]
            # Members that the standard does not know would be refused: every object is one of its own.
            known = {
                "": "$schema version runs", "runs": "tool columnKind invocations results",
                "invocations": "executionSuccessful toolExecutionNotifications",
                "toolExecutionNotifications": "level message",
                "tool": "driver", "driver": "name semanticVersion rules",
                "rules": "id name shortDescription fullDescription help helpUri "
                    "defaultConfiguration properties",
                "defaultConfiguration": "level", "properties": "tags problem.severity",
                "shortDescription": "text", "fullDescription": "text", "help": "text",
                "results": "ruleId ruleIndex level message locations relatedLocations "
                    "partialFingerprints fixes",
                "message": "text", "locations": "physicalLocation",
                "relatedLocations": "id physicalLocation message",
                "physicalLocation": "artifactLocation region", "artifactLocation": "uri",
                "region": "startLine startColumn endLine endColumn byteOffset byteLength",
                "deletedRegion": "startLine startColumn endLine endColumn byteOffset byteLength",
                "partialFingerprints": "primaryLocationLineHash",
                "fixes": "description artifactChanges", "description": "text",
                "artifactChanges": "artifactLocation replacements",
                "replacements": "deletedRegion insertedContent", "insertedContent": "text",
            }
            def check(value, name):
                for item in value if isinstance(value, list) else [value]:
                    if not isinstance(item, dict): continue
                    assert set(item) <= set(known[name].split()), (name, list(item))
                    for member, inner in item.items(): check(inner, member)
            check(log, "")
            assert run["tool"]["driver"]["name"] and run["tool"]["driver"]["semanticVersion"]
            assert run["columnKind"] == "unicodeCodePoints"
            rules = run["tool"]["driver"]["rules"]
            for rule in rules:
                for member in ("shortDescription", "fullDescription", "help"):
                    assert rule[member]["text"]
                assert ":" in rule["helpUri"] and len(rule["properties"]["tags"]) <= 10
                assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
            assert len(run["results"]) <= 25000 and len(set(r["id"] for r in rules)) == len(rules)
            prints = set()
            for result in run["results"]:
                assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
                assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
                assert len(result["locations"]) == 1
                place = result["locations"][0]["physicalLocation"]
                assert not place["artifactLocation"]["uri"].startswith("/")
                region = place["region"]
                start = (region["startLine"], region["startColumn"])
                assert (1, 1) <= start <= (region["endLine"], region["endColumn"])
                assert region["byteOffset"] >= 0 and region["byteLength"] >= 0
                for fix in result.get("fixes", []):
                    assert fix["description"]["text"]
                    for change in fix["artifactChanges"]:
                        assert change["artifactLocation"]["uri"]
                        for replacement in change["replacements"]:
                            assert replacement["deletedRegion"]["startLine"] >= 1
                ids = [place["id"] for place in result.get("relatedLocations", [])]
                assert len(ids) == len(set(ids)) and all(id >= 0 for id in ids)
                prints.add(result["partialFingerprints"]["primaryLocationLineHash"])
            assert any("fixes" in result for result in run["results"])
            assert any("relatedLocations" in result for result in run["results"])
            assert len(prints) == len(run["results"])
            print("fine")
            """, format: "sarif")
    }

    /// The elements and attributes of Jenkins' `junit-10.xsd`.
    @Test(.enabled(if: hasPython, "there is no python3"), arguments: [validating, testing])
    func `as JUnit satisfies its schema and has the right counts`(command: String) throws {
        try check(
            """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[2]).getroot()
            assert root.tag == "testsuites"
            assert set(root.attrib) <= {"name", "time", "tests", "failures", "disabled", "errors"}
            cases = failures = 0
            for suite in root:
                assert suite.tag == "testsuite" and {"name", "tests"} <= set(suite.attrib)
                assert set(suite.attrib) <= {
                    "name", "package", "id", "tests", "failures", "errors", "skipped", "time"}
                for case in suite:
                    assert case.tag == "testcase" and set(case.attrib) == {"name", "classname", "time"}
                    assert {c.tag for c in case} in (set(), {"failure"}, {"system-out"})
                failed = sum(case.find("failure") is not None for case in suite)
                assert (int(suite.get("tests")), int(suite.get("failures"))) == (len(suite), failed)
                cases, failures = cases + len(suite), failures + failed
            assert (int(root.get("tests")), int(root.get("failures"))) == (cases, failures)
            assert failures > 0
            print("fine")
            """, format: "junit", of: command)
    }

    @Test(.enabled(if: hasPython, "there is no python3"))
    func `as Checkstyle satisfies its schema`() throws {
        try check(
            """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[2]).getroot()
            assert root.tag == "checkstyle" and set(root.attrib) == {"version"}
            for file in root:
                assert file.tag == "file" and set(file.attrib) == {"name"}
                for error in file:
                    assert error.tag == "error" and len(error) == 0
                    assert set(error.attrib) == {"line", "column", "severity", "message", "source"}
                    assert error.get("severity") in ("ignore", "info", "warning", "error")
                    assert int(error.get("line")) > 0 and int(error.get("column")) > 0
            print("fine")
            """, format: "checkstyle")
    }

    /// Two processes hash with two seeds. How long a run took is the one thing that may differ.
    @Test(arguments: commands)
    func `is the same in every run`(command: String) throws {
        func run() throws -> String {
            let place = try TemporaryFolder()
            defer { place.remove() }
            let files = place.url.appending(path: "files")
            try FileManager.default.copyItem(at: Self.fixtures, to: files)
            let outcome = try Program.shell("poprules \(command)", in: files)
            return "\(outcome.status) \(outcome.output)"
                .replacing(/\(\d+ ms\)/, with: "(3 ms)")
        }
        let first = try run()
        #expect(try run() == first)
        #expect(first.count > 20, "\(first)")
    }

    static let commands: [String] = [
        "validate wrong wrong.test.yaml shop comments stories fixable -f text",
        "validate wrong wrong.test.yaml shop comments stories fixable -f short",
        "validate wrong wrong.test.yaml shop comments stories fixable -f plain",
        "validate wrong wrong.test.yaml shop comments stories fixable -f json",
        "validate wrong wrong.test.yaml shop comments stories fixable -f jsonl",
        "validate wrong wrong.test.yaml shop comments stories fixable -f sarif",
        "validate wrong wrong.test.yaml shop comments stories fixable -f github",
        "validate wrong wrong.test.yaml shop comments stories fixable -f junit",
        "validate wrong wrong.test.yaml shop comments stories fixable -f checkstyle",
        "validate wrong wrong.test.yaml shop comments stories fixable -f rdjson",
        "validate wrong wrong.test.yaml shop comments stories fixable -f gitlab",
        "test stories failing.test.yaml -f text",
        "test stories failing.test.yaml -f json",
        "test stories failing.test.yaml -f junit",
        "test stories failing.test.yaml -f tap",
        "test stories --coverage text --coverage-output -",
        "test stories --coverage json --coverage-output -",
        "test stories --coverage lcov --coverage-output -",
        "test stories --coverage html --coverage-output -",
        "simulate stories/lives.test.yaml -f timeline",
        "simulate stories/lives.test.yaml -f log",
        "simulate stories/lives.test.yaml -f jsonl",
        "simulate shop/good.test.yaml --run interrupts -f svg",
        "test shop --bootstrap",
        "validate fixable --fix --dry-run",
        "validate wrong --write-baseline b; cat b",
        "compile shop -o b; od -c b",
        "init new; cat new/*",
        "--help",
        "explain-check",
        "explain-check P0301",
        "eval '{1: [2, 3], 4: [5]}' --explain",
        "list shop -f text",
        "list shop -f json",
        "graph shop -f text",
        "graph shop -f svg",
        "graph shop -f mermaid",
        "graph shop -f dot",
        "explain thanks --rules shop --at 2026-11-20T09:00:00Z -f text",
        "explain thanks --rules shop --at 2026-11-20T09:00:00Z -f json",
        "explain thanks --rules shop --at 2026-11-20T09:00:00Z -f mermaid",
        "explain --all --rules shop --at 2026-11-20T09:00:00Z",
        "schema",
        "schema --for shop",
        "fmt --diff shop wrong",
        "man",
        "completion bash",
        "completion zsh",
        "completion fish",
    ]
}
