import Foundation
import Testing

/// The exit of `poprules lsp` in all situations that an editor can cause.
struct EditorTests {
    private func framed(_ bodies: String...) -> Data {
        Data(bodies.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined().utf8)
    }

    private func request(_ id: Int, _ method: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{}}"#
    }

    private let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

    /// Returns the exit status of a server that reads this input, and its output.
    private func spoken(
        _ input: Data, _ command: String = "poprules lsp < messages"
    ) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try input.write(to: folder.url.appending(path: "messages"))
        return try Program.shell(command, in: folder.url)
    }

    @Test func `the server exits with 0 if the editor shuts it down as the protocol requires`()
        throws
    {
        let all = framed(request(1, "initialize"), request(2, "shutdown"), exit)
        let ended = try spoken(all)
        #expect(ended.status == 0)
        #expect(ended.output.hasSuffix(#"{"jsonrpc":"2.0","id":2,"result":null}"#))
        #expect(try spoken(framed(request(1, "initialize"), exit)).status == 1)
    }

    @Test(arguments: ["", "Content-Le", "Content-Length: 70\r\n\r\n{\"jsonrpc\":"])
    func `the server exits if the editor disappears, even in the middle of a message`(
        _ rest: String
    ) throws {
        #expect(try spoken(Data(rest.utf8)).status == 1)
        #expect(try spoken(framed(request(1, "initialize")) + Data(rest.utf8)).status == 1)
    }

    @Test func `the server exits silently if the editor no longer reads responses`() throws {
        let input = framed(request(1, "initialize"), request(2, "workspace/symbol"))
        let ended = try spoken(
            input,
            """
            { sleep 0.3; cat messages; sleep 0.3; cat messages; } \
            | { poprules lsp; echo "ended with $?" >&2; } | true
            """)
        #expect(ended.output == "ended with 1\n")
    }
}
