import Foundation
import Testing

/// What other programs read is held to the rules that they read by.
@Suite struct `The output for programs` {
    private static let fixtures = Repository.root.appending(path: "Tests/PopCommandTests/Fixtures")
    private static let schema =
        "Sources/PopCommand/PopCommand.docc/validate.schema.json"

    static let hasJSONSchema =
        (try? Program.shell("python3 -c 'import jsonschema'", in: Repository.root))?.status == 0
    static let hasPython =
        (try? Program.shell("python3 -c ''", in: Repository.root))?.status == 0

    private func check(_ script: String, format: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(script, to: "check.py")
        let outcome = try Program.shell(
            "poprules validate wrong wrong.test.yaml shop -f \(format) -o \(folder.url.path)/out;"
                + " python3 \(folder.url.path)/check.py"
                + " \(Repository.root.appending(path: Self.schema).path) \(folder.url.path)/out",
            in: Self.fixtures)
        #expect(outcome.output == "fine\n", "\(outcome.output)")
    }

    @Test(.enabled(if: hasJSONSchema, "python3 has no module `jsonschema`"))
    func `JSON is what its published schema says`() throws {
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
    func `each of the JSON lines is a finding of the published schema`() throws {
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

    /// The members that SARIF 2.1.0 demands (sections 3.13 to 3.49), and those without which GitHub shows no alert.
    @Test(.enabled(if: hasPython, "there is no python3"))
    func `SARIF has what the standard and code scanning demand`() throws {
        try check(
            """
            import json, sys
            log = json.load(open(sys.argv[2]))
            assert log["version"] == "2.1.0" and len(log["runs"]) == 1
            run = log["runs"][0]
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
                prints.add(result["partialFingerprints"]["primaryLocationLineHash"])
            assert len(prints) == len(run["results"])
            print("fine")
            """, format: "sarif")
    }

    /// The elements and attributes of Jenkins' `junit-10.xsd`.
    @Test(.enabled(if: hasPython, "there is no python3"))
    func `JUnit has only what its schema knows, and counts right`() throws {
        try check(
            """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[2]).getroot()
            assert root.tag == "testsuites"
            assert set(root.attrib) <= {"name", "time", "tests", "failures", "disabled", "errors"}
            cases = failures = 0
            for suite in root:
                assert suite.tag == "testsuite" and {"name", "tests"} <= set(suite.attrib)
                assert set(suite.attrib) <= {"name", "tests", "failures", "errors", "skipped", "time"}
                for case in suite:
                    assert case.tag == "testcase" and set(case.attrib) == {"name", "classname", "time"}
                    assert [c.tag for c in case] in ([], ["failure"], ["system-out"])
                failed = len(suite.findall("testcase/failure"))
                assert (int(suite.get("tests")), int(suite.get("failures"))) == (len(suite), failed)
                cases, failures = cases + len(suite), failures + failed
            assert (int(root.get("tests")), int(root.get("failures"))) == (cases, failures)
            print("fine")
            """, format: "junit")
    }

    @Test(.enabled(if: hasPython, "there is no python3"))
    func `Checkstyle has only what its schema knows`() throws {
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

    @Test func `the same files give the same bytes in every format`() throws {
        for format in ["plain", "json", "sarif", "junit", "checkstyle", "rdjson", "gitlab"] {
            let command = "poprules validate wrong shop -q -f \(format)"
            let first = try Program.shell(command, in: Self.fixtures)
            #expect(try Program.shell(command, in: Self.fixtures) == first, "\(format)")
        }
    }
}
