import Foundation
import Testing

@Suite struct `The inputs that the fuzzers keep` {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test func `are there for every target, and for no other`() throws {
        #expect(try Self.names(in: Self.corpus) == FuzzTarget.all.map(\.name).sorted())
    }

    @Test(arguments: FuzzTarget.all) func `are all survived`(target: FuzzTarget) async throws {
        let folder = Self.corpus.appending(path: target.name)
        let names = try Self.names(in: folder)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            do {
                switch target.body {
                case .direct(let body): try body(bytes)
                case .suspending(let body): try await body(bytes)
                }
            } catch {
                Issue.record("\(target.name)/\(name): \(error)")
            }
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
