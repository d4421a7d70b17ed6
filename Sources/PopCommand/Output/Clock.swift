import PopCEL
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
            throw UsageFailure(message: "`\(text)` is not a time such as 2026-11-20T09:00:00Z")
        }
        return time
    }

    static func milliseconds(since start: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
