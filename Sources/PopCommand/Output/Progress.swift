internal import PopReports
import PopSource

/// The progress of a command, on standard error: only on a terminal, and only if the command takes
/// longer than a second.
final class Progress {
    private static let patience = Duration.seconds(1)

    private let started = ContinuousClock.now
    private let isShown = Descriptor.standardError.isTerminal
    private var isLineOpen = false

    func say(_ text: String) {
        guard isShown, ContinuousClock.now - started > Self.patience else { return }
        Terminal.show("\r\u{1B}[K\(text)", to: .error)
        isLineOpen = true
    }

    /// Clears the line, before results are printed.
    func end() {
        if isLineOpen { Terminal.show("\r\u{1B}[K", to: .error) }
        isLineOpen = false
    }
}
