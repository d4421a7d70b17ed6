internal import PopCEL

/// When the app was in the background: time in which nothing is visible.
///
/// What counts visible time alone (`hide_after`, `min_show`, `grace`, `delay` and `gap`) stands
/// still there; everything else goes on.
struct Absences: Sendable {
    /// How many absences are kept for tasks that are delayed: of older ones a delay knows nothing
    /// any more, so that it ends so much earlier.
    private static let most = 1_000

    /// Since when the app is in the background; nil in the foreground.
    private(set) var since: Moment?
    /// The absences that are over, in order.
    private var past: [Range<Duration>] = []

    mutating func begin(at moment: Moment) { since = since ?? moment }

    /// The app is back in the foreground.
    mutating func end(at instant: Duration) {
        guard let since else { return }
        if since.instant < instant { past.append(since.instant..<instant) }
        // The cost of moving the others is spread over many.
        if past.count >= 2 * Self.most { past.removeFirst(Self.most) }
        self.since = nil
    }

    /// How much of the time from one instant to another the app was in the background. Linear in
    /// the absences in between.
    func time(from start: Duration, to end: Duration) -> Duration {
        var total = since.map { max(end - max($0.instant, start), .zero) } ?? .zero
        for absence in past.reversed() {
            if absence.upperBound <= start { break }
            total += absence.upperBound - max(absence.lowerBound, start)
        }
        return total
    }
}
