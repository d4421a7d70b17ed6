import PopAdvice
import PopCEL
import PopSource
import Testing

@Suite struct ParserTests {
    private func expectError(_ source: String, _ message: String) {
        let expression = MarkedExpression(source)
        let found = Expression.parse(expression.text, advice: .full).diagnostics.sorted
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.range.bytes) == expression.marked)
    }

    @Test func `an assignment is reported as a comparison with one =`() {
        expectError("user.plan «=» \"pro\"", "there is no operator `=`")
        #expect(
            Expression.parse("a = b", advice: .full).diagnostics.list.first?.help
                == ["use `==` to compare values: `a == b`"])
    }

    @Test func `words for operators are explained`() {
        expectError("a «and» b", "there is no operator `and`")
        #expect(
            Expression.parse("a and b", advice: .full).diagnostics.list.first?.help
                == ["use `&&` instead of `and`: `a && b`"])
    }

    @Test func `an expression that ends too early points at its end`() {
        expectError("a «&»", "there is no operator `&`")
        expectError("a &«&»", "the expression ends too early: expected a value")
        expectError("size(a«b»", "the expression ends too early: expected `,` or `)`")
    }

    @Test func `an error about an unterminated string points at its start`() {
        expectError("name == «\"abc»", "a string is not closed")
    }

    @Test func `an error about an unknown escape points at the escape`() {
        expectError(#"name == "a«\d»b""#, #"unknown escape `\d` in a string"#)
        expectError(#"name == "«\uD83D»""#, #"unknown escape `\uD83D` in a string"#)
    }

    @Test func `numbers that do not fit are refused`() {
        expectError("a == «9223372036854775808»", "the number is outside the range of the type int")
        #expect(Expression.parse("-9223372036854775808").value != nil)
        expectError(
            "a == «18446744073709551616u»", "the number is outside the range of the type uint")
        expectError("a == «1e999»", "the number is outside the range of the type double")
    }

    @Test func `reserved words are not valid names`() {
        expectError("«while» == 1", "`while` is a reserved word and cannot be used as a name")
    }

    @Test func `has takes a name or a field`() {
        expectError("has(«1»)", "`has()` takes one name or field")
        expectError("«has(a, b)»", "`has()` takes one name or field")
    }

    @Test func `the variable of a macro is a simple name`() {
        expectError(
            "tags.exists(«t.x», t == 1)", "the variable of `exists` must be a simple name")
        expectError(
            "tags.exists(t, «t», true)", "two variables have the same name `t`")
    }

    @Test func `an empty expression is reported as empty`() {
        expectError("«»", "the expression is empty")
        expectError("«  »", "the expression is empty")
    }

    @Test func `positions map through the text map into the file`() {
        var map = TextMap(file: FileID(index: 3), startingAt: 100)
        map.appendCopy(of: 100, length: 5)
        map.appendUnit(105..<112, length: 1)
        map.appendCopy(of: 112, length: 3)
        let found = Expression.parse("a == = b", map: map, advice: .full).diagnostics.list
        #expect(found.first?.range == SourceRange(file: FileID(index: 3), 105..<112))
    }

    @Test(arguments: [
        "(a + b).size()", "(tags)[0]", "(a || b).c", "((a)).b.c", "(tags).exists(t, t == \"b\")",
        "(-1).c", "((a ? b : c))[0].d()",
    ])
    func `an operand in parentheses is printed with its parentheses`(text: String) throws {
        #expect(try #require(Expression.parse(text).value).description == text)
        let twice = "\(text) == \(text)"
        #expect(try #require(Expression.parse(twice).value).description == twice)
    }

    @Test(arguments: [
        "a.b.c", "-1 + 2 * 3", "[1, 2,]", "{'a': 1, 'b': [2]}", "a ? b : c ? d : e",
        "x[?0].?y.orValue(1)", "r'\\d+' + b'\\xff' + \"\"\"a\"b\"\"\"", "a.`b-c`", ".a.b()",
        "1.5e3 + .5 + 0xFFu // a comment", "!!a && --1 == 1", "a.exists(i, v, i == v)",
    ])
    func `every construct of the grammar is parsed and printed`(text: String) {
        #expect(Expression.parse(text, advice: .full).diagnostics.isEmpty)
    }
}
