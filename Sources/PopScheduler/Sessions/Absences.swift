internal import PopCEL

/// The times at which the app was in the background, where nothing is visible.
///
/// Only timers of visible time (`hide_after`, `min_show`, `grace`, `delay` and `gap`) stop there;
/// everything else continues.
struct Absences: Sendable {
    /// The maximum number of absences kept for delayed tasks: a delay ignores older ones, so that
    /// it ends earlier by their length.
    private static let most = 1_000

    /// The moment since which the app is in the background; nil in the foreground.
    private(set) var since: Moment?
    /// The past absences, in order.
    private var past: [Range<Duration>] = []

    mutating func begin(at moment: Moment) { since = since ?? moment }

    /// Ends the absence: the app is back in the foreground.
    mutating func end(at instant: Duration) {
        guard let since else { return }
        if since.instant < instant { past.append(since.instant..<instant) }
        // The cost of moving the remaining absences is spread over many calls.
        if past.count >= 2 * Self.most { past.removeFirst(Self.most) }
        self.since = nil
    }

    /// Returns the time between two instants that the app was in the background. Linear in the
    /// absences in between.
    func time(from start: Duration, to end: Duration) -> Duration {
        var total = since.map { max(end - max($0.instant, start), .zero) } ?? .zero
        for absence in past.reversed() {
            if absence.upperBound <= start { break }
            total += absence.upperBound - max(absence.lowerBound, start)
        }
        return total
    }
}
