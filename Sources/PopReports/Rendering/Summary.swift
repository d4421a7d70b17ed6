public import PopSource

/// How much was looked at and what was found: the closing line.
public struct Summary: Sendable, Hashable {
    public var popups: Int
    public var files: Int
    public var errors: Int
    public var warnings: Int
    public var infos: Int

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
        let found = [count(errors, "error"), count(warnings, "warning")]
        let more = infos > 0 ? [count(infos, "info")] : []
        return "\(count(popups, "popup")) in \(count(files, "file")): "
            + (found + more).joined(separator: ", ")
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
