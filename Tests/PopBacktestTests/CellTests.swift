import Testing

@testable import PopBacktest

@Suite struct `A cell of CSV` {
    @Test(arguments: [
        ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""),
        ("a,\u{301}b", "\"a,\u{301}b\""), ("\u{D4E}\"", "\"\u{D4E}\"\"\""),
    ])
    func `is quoted if it contains a separator, a quote or a line break`(text: String, cell: String)
    {
        #expect(BacktestReport.cell(text) == cell)
    }
}
