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

    /// Counts findings by level, each once. Takes as long as sorting them.
    public init(popups: Int, files: Int, diagnostics: Diagnostics) {
        self.popups = popups
        self.files = files
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

    private func count(_ number: Int, noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
