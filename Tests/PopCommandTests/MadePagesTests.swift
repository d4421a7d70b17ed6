import Testing

@testable import PageMaker

@Suite struct `The generated files` {
    @Test func `match their sources`() throws {
        let texts = try MadePages(root: Repository.root).texts()
        #expect(texts.count == 6)
        for (path, text) in texts {
            #expect(try Repository.text(path) == text, "\(path) is out of step: `make pages`")
        }
    }
}
