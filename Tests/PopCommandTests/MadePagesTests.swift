import Testing

@testable import PageMaker

@Suite struct `The generated files` {
    @Test func `match their sources`() throws {
        let texts = try MadePages(root: Repository.root).texts()
        let keyPages = texts.keys.filter { $0.hasPrefix("docs/reference/rule-files") }
        #expect(keyPages.count > 20)
        #expect(texts.count == keyPages.count + 2)
        for (path, text) in texts {
            #expect(try Repository.text(path) == text, "\(path) is out of step: `make pages`")
        }
    }
}
