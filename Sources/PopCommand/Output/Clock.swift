import PopCEL
import PopRuleFiles
import PopSource
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The real clock, read at the rim only.
enum Clock {
    /// To the second: finer times are of no use to a reader.
    static var now: Timestamp {
        Timestamp(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    /// A time that the command line gives; now when it gives none.
    static func time(_ text: String?) throws -> Timestamp {
        guard let text else { return now }
        guard let time = Timestamp(parsing: text) else {
            let meant = timeReadings(text, takesDates: false).map(\.text)
            let help = meant.isEmpty ? "" : "; did you mean \(alternatives(meant))?"
            throw UsageFailure(
                message: "`\(text.shortened)` is not a time such as 2026-11-20T09:00:00Z\(help)")
        }
        return time
    }

    static func milliseconds(since start: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
