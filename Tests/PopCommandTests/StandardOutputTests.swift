import Foundation
import Testing

@Suite struct `Standard output` {
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func `that takes no more ends a command with an error`() throws {
        let folder = Repository.root
        for command in ["list rules", "schema", "validate rules", "eval 1"] {
            let outcome = try Program.shell("poprules \(command) > /dev/full", in: folder)
            #expect(outcome.status == 3, "\(command)")
            #expect(outcome.output == "poprules: cannot write to standard output\n", "\(command)")
        }
    }

    @Test func `that nobody reads any more is no error`() throws {
        let outcome = try Program.shell(
            "poprules schema | head -n 1; poprules list rules | true", in: Repository.root)
        #expect(outcome.status == 0)
        #expect(outcome.output == "{\n")
    }
}
