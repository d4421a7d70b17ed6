import Testing

@testable import PageMaker

@Suite struct `The files that are made from others` {
    @Test func `are in step with them`() throws {
        let texts = try MadePages(root: Repository.root).texts()
        #expect(texts.count == 6)
        for (path, text) in texts {
            #expect(try Repository.text(path) == text, "\(path) is out of step: `make pages`")
        }
    }
}
