import PopSource
import PopYAML
import Testing

@Suite struct WordListTests {
    @Test func `words of the same length with the same start and end are distinguished`() throws {
        let words = ["low", "law", "lower", "lever", "is", "in"]
        let list = WordList(words)
        for (number, word) in words.enumerated() {
            #expect(list.index(of: try node(word)) == number)
        }
        for other in ["lew", "liver", "lo", "i", "lowest", "Low"] {
            #expect(list.index(of: try node(other)) == nil)
        }
    }

    @Test func `a word is found however it is written, but a map or list isn't a word`() throws {
        let list = WordList(["", "a", "very_high"])
        #expect(list.index(of: try node("\"\"")) == 0)
        #expect(list.index(of: try node("'a'")) == 1)
        #expect(list.index(of: try node("\"very\\x5Fhigh\"")) == 2)
        #expect(list.index(of: try node("[a]")) == nil)
        #expect(list.index(of: try node("{ a: a }")) == nil)
    }

    @Test func `every word of a long list is found`() throws {
        let words = (0..<100).map { "popup_\($0)" }
        let list = WordList(words)
        for (number, word) in words.enumerated() {
            #expect(list.index(of: try node(word)) == number)
        }
        #expect(list.index(of: try node("popup_100")) == nil)
    }

    @Test func `a key is looked up by its position, through an alias too`() throws {
        let entries = try node("{ first: &a word, *a : 1, \"other\": 2 }").entries
        let list = WordList(["word", "first"])
        #expect(entries.indices.map { list.index(ofKeyAt: $0, in: entries) } == [1, 0, nil])
    }

    private func node(_ text: String) throws -> YAMLNode {
        let source = SourceFile(path: "words.yaml", text: text)
        return try #require(YAMLDocument.parse(source).value).root
    }
}
