import Foundation
import Testing

/// CONTRIBUTING.md names files; who follows a recipe must find them.
@Suite struct `The recipes for contributors` {
    @Test func `name files, folders and suites that exist`() throws {
        let page = try Repository.text("CONTRIBUTING.md")
        let folders = #/(?:Sources|Tests|docs|Web|Python|Java|\brules|\.ci)/[\w/.+-]*\w/#
        let paths = page.matches(of: folders)
            .map { String($0.output) }
        #expect(paths.count > 100)
        for path in paths {
            let file = Repository.root.appending(path: path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
        let makefile = try Repository.text("Makefile")
        for match in page.matches(of: #/make ([a-z]+) /#) {
            #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
        }
        let suites = page.matches(of: /--filter (\w+)/).map { String($0.1) }
        let sources = try FileManager.default.subpathsOfDirectory(
            atPath: Repository.root.appending(path: "Tests").path)
        for suite in suites {
            #expect(sources.contains { $0.hasSuffix("\(suite).swift") }, "\(suite)")
        }
    }
}
