import PopCEL
import PopRuleFiles
import PopSource
import Testing

@Suite struct `Ignore comments` {
    private let now = Timestamp(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z

    /// Returns the checks of the findings that are left: the finding that begins at `«`, unless it
    /// is suppressed, and findings about the comments.
    private func left(_ marked: String, allChecksWereRun: Bool = true) -> [Check] {
        let parts = marked.split(separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
        let file = SourceFile(path: "a.yaml", text: parts.joined())
        let offset = parts[0].utf8.count
        let finding = Diagnostic(
            .scheduleZeroTiming, message: "zero",
            at: SourceRange(file: file.id, offset..<offset + 1))
        let comments = IgnoreComments(in: [file], now: now)
        let rest = comments.apply(
            to: Diagnostics([finding]), allChecksWereRun: allChecksWereRun)
        return rest.sorted.map(\.check)
    }

    @Test(arguments: [
        "a: «0s # poprules:ignore[P0510] why",
        "a: «0s #poprules:ignore[schedule/zero-timing]: why",
        "# poprules:ignore[P0510] why\na: «0s",
        "# poprules:ignore[P0510] why\n\n# and a comment\na: «0s",
        "# poprules:ignore-file[P0510] why\nx: 1\na: «0s",
        "# poprules:ignore-begin[P0510] why\nx: 1\na: «0s\n# poprules:ignore-end\nb: 1",
        "# poprules:snooze[2026-01-01 P0510] why\na: «0s",
        "# poprules:ignore[P0510] why\na: >-\n  first\n  second «0s\nb: 1",
        "# poprules:ignore[P0510] why\na: \"first\n  second «0s\"",
        "a: «0s\r\nb: 1 # poprules:ignore-file[P0510] why\r\n",
    ])
    func `suppress a finding`(text: String) {
        #expect(left(text) == [])
    }

    @Test(arguments: [
        (
            "a: «0s\nb: 1 # poprules:ignore[P0510] why",
            [Check.scheduleZeroTiming, .configUnusedIgnore]
        ),
        ("a: «0s # poprules:ignore[P0301] why", [.scheduleZeroTiming, .configUnusedIgnore]),
        ("a: «0s # poprules:ignore[P0510]", [.configNoReason]),
        ("a: «0s # poprules:ignore[P9999] why", [.scheduleZeroTiming, .configUnknownCheck]),
        ("a: «0s # poprules:ignore why", [.scheduleZeroTiming, .configMalformedComment]),
        ("a: «0s # poprules:ignore[] why", [.scheduleZeroTiming, .configMalformedComment]),
        ("a: «0s # poprules:ignore[P0510 why", [.scheduleZeroTiming, .configMalformedComment]),
        (
            "a: «0s # poprules:snooze[2025-12-31 P0510] why",
            [.scheduleZeroTiming, .configExpiredSnooze]
        ),
        (
            "a: «0s # poprules:snooze[2025-13-31 P0510] why",
            [.scheduleZeroTiming, .configMalformedComment]
        ),
        ("a: «0s\n# poprules:ignore-end", [.scheduleZeroTiming, .configMalformedComment]),
        ("a: «0s # poprules:", [.scheduleZeroTiming, .configMalformedComment]),
    ])
    func `are reported if they are invalid`(text: String, checks: [Check]) {
        #expect(left(text) == checks)
    }

    @Test(arguments: [
        "a: \"# poprules:ignore[P0510] why\"\nb: «0s", "a: x#poprules:ignore[P0510]\nb: «0s",
        "a: |\n  # poprules:ignore[P0510] why\nb: «0s",
    ])
    func `are not searched in strings`(text: String) {
        #expect(left(text) == [.scheduleZeroTiming])
    }

    @Test func `are not called unused while some checks could not run`() {
        let text = "a: «0s\nb: 1 # poprules:ignore[P0603] why"
        #expect(left(text, allChecksWereRun: false) == [.scheduleZeroTiming])
    }

    @Test func `that name several checks must use each of them`() {
        #expect(left("a: «0s # poprules:ignore[P0510, P0603] why") == [.configUnusedIgnore])
    }

    /// Finding 19 of the product manager.
    @Test(arguments: [
        (
            "ignore[P0510]", "the comment gives no reason",
            "write the reason after the bracket: `# poprules:ignore[P0510] set by the server`"
        ),
        (
            "snooze[31.12.2026 P0510] later",
            "the date of the snooze is not written as year, month and day",
            "write the date first: `# poprules:snooze[2026-12-31 P0301] reason`"
        ),
        (
            "snooze[P0510] later", "the snooze has no date",
            "write the date first: `# poprules:snooze[2026-12-31 P0301] reason`"
        ),
        (
            " ignore[P0510] later", "no word after `poprules:`",
            "write a word such as `ignore` directly after the colon: `# poprules:ignore[P0301] reason`"
        ),
    ])
    func `are reported with the mistake in them`(text: String, message: String, help: String) throws
    {
        let file = SourceFile(path: "a.yaml", text: "# poprules:\(text)\na: 1\n")
        let found = IgnoreComments(in: [file], now: now)
            .apply(to: Diagnostics(), allChecksWereRun: false).sorted
        let finding = try #require(found.first)
        #expect(finding.message == message)
        #expect(finding.help == [help])
    }
}
