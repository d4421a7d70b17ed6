import Foundation
import Testing

/// Values reach a terminal and pages only through types that escape them.
@Suite struct `The output of the program` {
    /// The files below Sources with a line in which a pattern matches, comments left out.
    private func files(
        with pattern: Regex<Substring>, except: (String) -> Bool = { _ in false }
    ) throws -> Set<String> {
        var found: Set<String> = []
        for file in Repository.swiftFiles(in: "Sources") where !except(file) {
            for line in try Repository.text(file).split(separator: "\n") {
                let code = line.drop { $0 == " " }
                if !code.hasPrefix("//"), code.contains(pattern) { found.insert(file) }
            }
        }
        return found
    }

    @Test
    func `output reaches a terminal through one function, which takes only escaped text`() throws {
        // A program of its own, for those who develop this one.
        func isOther(_ file: String) -> Bool { file.hasPrefix("Sources/CELConformance/") }
        let printing =
            #/(?:^|[^.\w`])(?:print|debugPrint|dump|puts|fputs|putc|putchar|fputc|fwrite)\(/#
        let printingFormats = #/(?:^|[^.\w`])(?:v?f?printf|perror|NSLog)\(/#
        #expect(try files(with: printing, except: isOther) == [])
        #expect(try files(with: printingFormats, except: isOther) == [])
        #expect(
            try files(with: #/FileHandle\.standard(?:Output|Error)/#, except: isOther) == [])
        let ownHandles = #/standardOutput\.put|standardError\.put|to: \.standard(?:Output|Error)/#
        // The language server sends frames of JSON to an editor.
        #expect(
            try files(with: ownHandles) == [
                "Sources/PopCommand/Commands/LanguageServerCommand.swift",
                "Sources/PopCommand/Output/Terminal.swift",
            ])
        let terminal = try Repository.text("Sources/PopCommand/Output/Terminal.swift")
        let functions = terminal.matches(of: #/static func (\w+)\(_?[^:]*: ([^,)]*)/#)
            .filter { $0.output.1 != "complain" || $0.output.2 != "String" }
            .map { "\($0.output.1) \($0.output.2)" }
        #expect(
            functions == [
                "show TerminalLines", "say TerminalLines", "putData String", "putData [UInt8]",
                "putData JSON", "complain TerminalLines", "write [UInt8]",
            ])
    }

    @Test func `output consists only of values of the type HTML if it is markup`() throws {
        let markup = try files(with: #/"[^"]*<\/[a-z]|^\s*<\/[a-z]+>/#) { file in
            file.hasPrefix("Sources/PopReports/Markup/")
        }
        #expect(
            markup == [
                "Sources/PopBacktest/Reporting/BacktestReport+HTML.swift",
                "Sources/PopPages/Page+File.swift",
                "Sources/PopStories/Coverage/CoverageReport+HTML.swift",
                "Sources/PopStories/Listing/RuleChanges+HTML.swift",
            ])
        for file in markup {
            let text = try Repository.text(file)
            // Where a function gives a string, there is no element in it.
            for part in text.split(separator: "-> String {").dropFirst() {
                let body = part.prefix(while: { $0 != "}" })
                #expect(!body.contains("</"), "\(file): \(body)")
            }
        }
    }
}
