internal import PopRuleFiles
internal import PopSource

/// The diagnostics of a file, and the failures of its tests.
struct FindingsToWrite {
    let id: FileID
    let list: [Diagnostic]
    let counts: LevelCounts
    /// Nil if it may change without a notification.
    let version: Int?

    init(_ told: ToldFindings.File?, failures: Diagnostics?, in file: FileID) {
        id = file
        let failures = failures?.list.filter { $0.range.file == file } ?? []
        if failures.isEmpty, let told {
            (list, counts, version) = (told.list, told.counts, told.version)
        } else {
            list = Diagnostics((told?.list ?? []) + failures).sorted
            counts = LevelCounts(list)
            version = nil
        }
    }
}

/// The findings in a file, as they were written.
struct WrittenFindings: Sendable {
    let json: [JSON]
    private let version: Int?
    private let quota: FindingQuota

    init(_ findings: FindingsToWrite, _ quota: FindingQuota, _ places: inout Places) {
        version = findings.version
        self.quota = quota
        json = quota.shown(of: findings.list[...]).map { $0.json(&places) }
    }

    func isOf(_ findings: FindingsToWrite, _ quota: FindingQuota) -> Bool {
        version != nil && version == findings.version && quota == self.quota
    }
}
