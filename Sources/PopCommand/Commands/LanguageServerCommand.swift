import ArgumentParser
import PopCEL
import PopLanguageServer
import PopSource

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Run the language server for editors.",
        discussion: """
            Your editor starts this command. It reads messages from standard input and
            writes the responses to standard output. It exits with 0 if the editor shut it
            down as the Language Server Protocol requires, and with 1 if not.

            Example:
              poprules lsp
            """)

    @Flag(help: "Has no effect. Some editors add this option.")
    var stdio = false

    /// The pause after which slow work begins: during typing, tests and advice would only have to
    /// start again.
    private static let patience: Int32 = 30

    /// Bytes that are taken up together.
    private static let batch = 4 << 20

    func run() throws {
        var server = LanguageServer(zone: TimeZone.current.identifier) { Clock.now }
        var buffer = MessageBuffer()
        let input = Descriptor.standardInput
        var patience = Self.patience
        while true {
            // A client waits for the answer of a request, but not for tests and advice.
            let wait = server.hasPending ? 0 : server.isUnsettled ? patience : nil
            if input.hasInput(within: wait) {
                patience = Self.patience
                guard let bytes = try? input.nextBytes(atMost: 1 << 16), !bytes.isEmpty else {
                    throw ExitCode(ExitStatus.findings)
                }
                buffer.append(bytes)
                // Bytes that have arrived in the meantime are read together.
                var count = bytes.count
                while count < Self.batch, input.hasInput(within: 0),
                    let more = try? input.nextBytes(atMost: 1 << 16), !more.isEmpty
                {
                    buffer.append(more)
                    count += more.count
                }
                try answer(&buffer, &server)
            } else {
                patience = 0
                try send(server.settle { input.hasInput(within: 0) })
            }
        }
    }

    /// Answers the messages that have arrived, in their order; requests that a later message
    /// cancels are not begun.
    private func answer(_ buffer: inout MessageBuffer, _ server: inout LanguageServer) throws {
        var inbox = Inbox()
        while let piece = buffer.next() { inbox.add(piece) }
        while let message = inbox.next() {
            try send(server.handle(message, hasMore: inbox.hasMore))
            guard server.phase == .ended else { continue }
            throw ExitCode(server.endedEarly ? ExitStatus.findings : ExitStatus.clean)
        }
    }

    private func send(_ messages: [JSON]) throws {
        for message in messages {
            do {
                try Descriptor.standardOutput.put(MessageBuffer.framed(message))
            } catch {
                // The editor has closed the connection.
                throw ExitCode(ExitStatus.findings)
            }
        }
    }
}

extension LanguageServerCommand: RunsUntilStopped {
    var runsUntilStopped: Bool { true }
}
