public import PopSource

/// The counts of checked popups and files, and of diagnostics: the closing line.
public struct Summary: Sendable, Hashable {
    /// The number of popups in the rules.
    public var popups: Int
    /// The number of files read.
    public var files: Int
    /// Diagnostics of level `error`.
    public var errors: Int
    /// Diagnostics of level `warning`.
    public var warnings: Int
    /// Diagnostics of level `info`.
    public var infos: Int
    /// The extent of the search for advice.
    public var advice: Advice
    /// The number of errors that hide advice about other things than themselves.
    public var hidingErrors: Int
    /// True if some conditions weren't analyzed, because that takes too much work.
    public var isCutShort = false

    /// The extent of the search for advice: errors hide advice that depends on them.
    public enum Advice: String, Sendable {
        case complete
        case partial
        case none
    }

    /// Counts diagnostics by level, each once. Takes as long as sorting them.
    public init(
        popups: Int, files: Int, diagnostics: Diagnostics, advice: Advice = .complete,
        hidingErrors: Int = 0
    ) {
        self.popups = popups
        self.files = files
        self.advice = advice
        self.hidingErrors = hidingErrors
        let list = diagnostics.sorted
        errors = list.count { $0.level == .error }
        warnings = list.count { $0.level == .warning }
        infos = list.count { $0.level == .info }
    }

    /// A sentence such as `14 popups in 3 files: 0 errors, 2 warnings`.
    public var text: String {
        let found = [count(errors, noun: "error"), count(warnings, noun: "warning")]
        let more = infos > 0 ? [count(infos, noun: "info")] : []
        return "\(count(popups, noun: "popup")) in \(count(files, noun: "file")): "
            + (found + more).joined(separator: ", ")
    }

    /// A notice about checks that weren't made; nil if all were made.
    public var notice: String? {
        let cutShort =
            isCutShort
            ? "some conditions or popups were not analyzed: this takes too much work" : nil
        let parts = [hiddenAdvice, cutShort].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }

    private var hiddenAdvice: String? {
        if hidingErrors == 0 { return nil }
        let errors = hidingErrors == 1 ? "the error is" : "the \(hidingErrors) errors are"
        return switch advice {
        case .complete: nil
        case .partial: "some warnings and suggestions are skipped until \(errors) fixed"
        case .none: "warnings and suggestions are skipped until \(errors) fixed"
        }
    }

    private func count(_ number: Int, noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
