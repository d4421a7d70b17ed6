public import PopSource

/// How much was looked at and what was found: the closing line.
public struct Summary: Sendable, Hashable {
    /// How many popups the rules have.
    public var popups: Int
    /// How many files were read.
    public var files: Int
    /// Findings of level `error`.
    public var errors: Int
    /// Findings of level `warning`.
    public var warnings: Int
    /// Findings of level `info`.
    public var infos: Int
    /// How much advice was looked for.
    public var advice: Advice
    /// Errors because of which some was not that is about something else than they are.
    public var hidingErrors: Int
    /// Whether some conditions were not analyzed, since that takes too much work.
    public var isCutShort = false

    /// How much advice was looked for: errors hide what depends on them.
    public enum Advice: String, Sendable {
        case complete
        case partial
        case none
    }

    /// Counts findings by level, each once. Takes as long as sorting them.
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

    /// Such as `14 popups in 3 files: 0 errors, 2 warnings`.
    public var text: String {
        let found = [count(errors, noun: "error"), count(warnings, noun: "warning")]
        let more = infos > 0 ? [count(infos, noun: "info")] : []
        return "\(count(popups, noun: "popup")) in \(count(files, noun: "file")): "
            + (found + more).joined(separator: ", ")
    }

    /// What was not looked for, where that is something.
    public var notice: String? {
        let cutShort =
            isCutShort
            ? "some conditions or popups were not analyzed: that takes too much work" : nil
        let parts = [hiddenAdvice, cutShort].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }

    private var hiddenAdvice: String? {
        if hidingErrors == 0 { return nil }
        let errors = hidingErrors == 1 ? "the error is" : "the \(hidingErrors) errors are"
        return switch advice {
        case .complete: nil
        case .partial: "some advice is not given until \(errors) fixed"
        case .none: "no advice is given until \(errors) fixed"
        }
    }

    private func count(_ number: Int, noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
