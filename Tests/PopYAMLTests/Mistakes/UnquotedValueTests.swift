import PopSource
import PopYAML
import Testing

/// The conditions that YAML reads as something else.
@Suite struct UnquotedValueTests {
    struct Trap: Sendable, CustomTestStringConvertible {
        var value: String
        var reason: String
        var quoted: String
        var testDescription: String { value }
    }

    static let traps = [
        Trap(
            value: "'x' in list && y", reason: "YAML ends the value at the second `'`",
            quoted: "\"'x' in list && y\""),
        Trap(
            value: "\"pro\" == user.plan", reason: "YAML ends the value at the second `\"`",
            quoted: "'\"pro\" == user.plan'"),
        Trap(
            value: "[1,2].exists(i, i > 1)",
            reason: "YAML reads `[` as the start of a list, which ends at the `]`",
            quoted: "\"[1,2].exists(i, i > 1)\""),
        Trap(
            value: "{\"a\": 1}.size() == 1",
            reason: "YAML reads `{` as the start of a map, which ends at the `}`",
            quoted: "'{\"a\": 1}.size() == 1'"),
        Trap(
            value: "a ? b : c", reason: "YAML reads the `:` in this value as the end of a key",
            quoted: "\"a ? b : c\""),
        Trap(
            value: "name == \"a: b\"",
            reason: "YAML reads the `:` in this value as the end of a key",
            quoted: "'name == \"a: b\"'"),
        Trap(
            value: "name == 'it''s: \"b\"'",
            reason: "YAML reads the `:` in this value as the end of a key",
            quoted: "'name == ''it''''s: \"b\"'''"),
        Trap(
            value: "%x", reason: "a YAML value cannot start with `%`", quoted: "\"%x\""),
        Trap(
            value: "@home", reason: "a YAML value cannot start with `@`", quoted: "\"@home\""),
        Trap(
            value: "`x`", reason: "a YAML value cannot start with a backtick", quoted: "\"`x`\""),
        Trap(
            value: "|| x", reason: "YAML reads `|` at the start as a multi-line string",
            quoted: "\"|| x\""),
        Trap(
            value: ">= 3", reason: "YAML reads `>` at the start as a multi-line string",
            quoted: "\">= 3\""),
        Trap(
            value: "- x > 3",
            reason: "YAML reads `- ` at the start as a list item",
            quoted: "\"- x > 3\""),
        Trap(
            value: "&& x", reason: "YAML reads `&` at the start as a name for the value",
            quoted: "\"&& x\""),
        Trap(
            value: "*p && x",
            reason: "YAML reads `*` at the start as a repetition of another value",
            quoted: "\"*p && x\""),
        Trap(
            value: "? x", reason: "YAML reads `? ` at the start as a key",
            quoted: "\"? x\""),
    ]

    @Test(arguments: traps) func `an expression that YAML would break must be quoted`(_ trap: Trap)
    {
        // Quotes don't help a name with a sign in front of it.
        guard !["@", "%", "*", "`"].contains(trap.value.prefix(1)) else { return }
        expectFinding(
            .yamlUnquotedExpression, in: "a: 1\nwhen: «\(trap.value)»\nb: 2\n",
            "the value of `when` must be put in quotes", label: trap.reason,
            help: "put the whole value in quotes: `when: \(trap.quoted)`",
            fixed: "a: 1\nwhen: \(trap.quoted)\nb: 2\n")
    }

    @Test(arguments: [
        ("@home", "@", "home"), ("%x", "%", "x"), ("*p && x", "*", "p && x"),
        ("@a in [1]", "@", "\"a in [1]\""),
    ])
    func `a condition starts with a name, not with a sign`(
        value: String, sign: String, fixed: String
    ) {
        expectFinding(
            .yamlUnquotedExpression, in: "a: 1\nwhen: «\(value)»\nb: 2\n",
            "a condition cannot start with `\(sign)`",
            help: "write the name without `\(sign)`: `when: \(fixed)`",
            fixed: "a: 1\nwhen: \(fixed)\nb: 2\n")
    }

    @Test func `a condition has no backticks`() {
        expectFinding(
            .yamlUnquotedExpression, in: "a: 1\nwhen: «`x`»\nb: 2\n",
            "a condition cannot start with a backtick",
            help: "write the name without backticks: `when: x`", fixed: "a: 1\nwhen: x\nb: 2\n")
    }

    @Test(arguments: traps) func `an item of a list must be quoted, before its comment`(
        _ trap: Trap
    ) {
        // Below a dash a dash is another list, and so is a question mark another map.
        guard !trap.value.hasPrefix("- "), !trap.value.hasPrefix("? ") else { return }
        expectFinding(
            .yamlUnquotedExpression, in: "all:\n  - «\(trap.value)» # why\n  - b\n",
            "this value must be put in quotes", label: trap.reason,
            fixed: "all:\n  - \(trap.quoted) # why\n  - b\n")
    }

    @Test(arguments: [
        "!user.premium", "!user.premium && x", "! a", "!!a", "!has(a.b)", "!(a && b)", "!a || c",
        "!a ? 1 : 2", "!a.exists(x, x > 1)",
    ])
    func `a negation is not read as a tag`(value: String) throws {
        let tag = String(value.split(separator: " ")[0])
        let found = expectFinding(
            .yamlUnexpectedTag, in: "when: «\(tag)»\(value.dropFirst(tag.count))\nb: 2\n",
            "YAML reads `\(tag)` as a tag, not as a string",
            label: "a value that starts with `!` is a YAML tag",
            help: "put the whole value in quotes: `\"\(value)\"`",
            fixed: "when: \"\(value)\"\nb: 2\n")
        #expect(found?.fixes.first?.isSafe == true)
    }

    @Test(arguments: [
        ("{ when: «a ? b : c», x: 1 }", "\"a ? b : c\""),
        ("{ title: «Save: now», body: x }", "\"Save: now\""),
        ("{ when: «user.x in [1,2]», cap: 1 }", "\"user.x in [1,2]\""),
        ("{ a: «'x' in b», c: 1 }", "\"'x' in b\""),
        ("[ «'x' in b», c ]", "\"'x' in b\""),
        ("{ a: 1, body: «size(a, b)» }", "\"size(a, b)\""),
        ("[ a, «f(b, c) == 1», d ]", "\"f(b, c) == 1\""),
        ("{ a: [ 1, «%x» ], b: 2 }", "\"%x\""),
    ])
    func `inside brackets only the part that is cut off must be quoted`(
        marked: String, quoted: String
    ) {
        let text = MarkedText(marked)
        let fixed =
            String(decoding: text.file.bytes[..<text.place.lowerBound], as: UTF8.self) + quoted
            + String(decoding: text.file.bytes[text.place.upperBound...], as: UTF8.self)
        expectFinding(
            .yamlUnquotedExpression, in: "c: \(marked)\nd: 1\n", "this value must be put in quotes",
            fixed: "c: \(fixed)\nd: 1\n")
    }

    @Test func `a condition on the line below its key is not read as a map`() {
        expectFinding(
            .yamlUnquotedExpression, in: "when:\n  «a ? b : c»\nb: 2\n",
            "this value must be put in quotes", fixed: "when:\n  \"a ? b : c\"\nb: 2\n")
    }

    @Test func `a value over several lines is quoted as a whole`() {
        expectFinding(
            .yamlUnquotedExpression, in: "when: «a &&\n  b ? c : d»\nz: 1\n",
            "this value must be put in quotes", help: "put quotes around the whole value",
            fixed: "when: \"a &&\n  b ? c : d\"\nz: 1\n")
    }

    @Test func `quotes inside quotes need other quotes`() {
        expectFinding(
            .yamlUnquotedExpression, in: "title: «'don't'»\n",
            "the string in `'` quotes contains a `'`",
            help: "use other quotes around the string: `\"don't\"`",
            fixed: "title: \"don't\"\n")
    }

    @Test func `for a key that starts with a reserved character only the key is quoted`() {
        expectFinding(
            .yamlUnquotedExpression, in: "a: 1\n«@foo»: 1\n",
            "the key `@foo` must be put in quotes",
            fixed: "a: 1\n\"@foo\": 1\n")
    }

    @Test func `everything else in the file is read, and each mistake is reported once`() throws {
        let text = """
            one: { when: a ? b : c, x: 1 }
            two: "a" == b
            three: [1, 2
            four: 4
            """
        let file = SourceFile(path: "a.yaml", text: text)
        let checked = YAMLDocument.parse(file)
        #expect(checked.diagnostics.list.count == 3)
        let root = try #require(checked.value?.root)
        #expect(root["one"]?["when"]?.isBroken == true)
        #expect(root["one"]?["x"]?.scalar?.value == .int(1))
        #expect(root["two"]?.isBroken == true)
        #expect(root["three"]?.isBroken == true)
        #expect(root["four"]?.scalar?.value == .int(4))
    }

    @Test func `A3: a quoted name that isn't a key of the file has two suggestions`() {
        let source = SourceFile(path: "rules.yaml", text: "when: \"user.plan\" == \"pro\"\n")
        let found = YAMLDocument.parse(source).diagnostics.list
        #expect(found.first?.help.count == 2)
        #expect(found.first?.fixes.map(\.isSafe) == [false])
        #expect(found.first?.fixes.first?.edits.first?.replacement == "user.plan == \"pro\"")
    }

    @Test func `A3: a name on the right of an operator stays unquoted text`() {
        for value in ["\"pro\" == user.plan", "'beta' in user.tags && \"a\" == user.plan"] {
            let source = SourceFile(path: "rules.yaml", text: "when: \(value)\n")
            let found = YAMLDocument.parse(source).diagnostics.list
            #expect(found.first?.message == "the value of `when` must be put in quotes")
        }
    }

    @Test func `D: an operator after a key without a dot may be a string`() {
        let source = SourceFile(path: "rules.yaml", text: "title: > 3\n")
        let found = YAMLDocument.parse(source).diagnostics.list
        #expect(
            found.first?.help == [
                "write `title: { gt: 3 }`", "if you mean a string: `title: \"> 3\"`",
            ])
        #expect(found.first?.fixes.map(\.isSafe) == [false])
    }
}
