import Foundation
import Testing

/// All output of the commands, stored as console sessions in `Transcripts/`.
///
/// With UPDATE_GOLDEN set the files are rewritten instead of compared.
@Suite struct `The commands` {
    private static let folder = Repository.root.appending(path: "Tests/PopCommandTests")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "Transcripts").path)) ?? [])
        .filter { $0.hasSuffix(".console") }.sorted()

    @Test func `are all covered by console transcripts`() {
        #expect(Self.names.count >= 6)
    }

    @Test(arguments: names)
    func `the commands print the same as in the committed transcripts`(name: String) throws {
        let path = "Tests/PopCommandTests/Transcripts/\(name)"
        let transcript = Transcript(try Repository.text(path))
        let place = try TemporaryFolder()
        defer { place.remove() }
        let files = place.url.appending(path: "files")
        try FileManager.default.copyItem(at: Self.folder.appending(path: "Fixtures"), to: files)
        let replayed = try transcript.replayed(in: files)
        if Golden.isBeingUpdated {
            try Golden.write(replayed, to: path)
        } else {
            #expect(replayed == transcript.text, "\(name)")
        }
    }
}
