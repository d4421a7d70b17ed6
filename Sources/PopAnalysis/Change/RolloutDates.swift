internal import PopCEL
internal import PopScheduler

/// The parts of users in two rollouts over time, at least one of which changes by dates.
struct RolloutDates {
    /// A time in which both parts are constant.
    private struct Span {
        var from: Timestamp?
        var until: Timestamp?
        let before: Range<Double>
        let after: Range<Double>
    }

    private var spans: [Span] = []
    /// True if both assign users to the same positions, so that one part may contain another.
    private let isSameDraw: Bool

    init(from old: Rollout?, to new: Rollout?, isSameDraw: Bool) {
        self.isSameDraw = isSameDraw
        let dates = Set((old?.dates ?? []) + (new?.dates ?? [])).sorted()
        if dates.isEmpty { return }
        for (position, from) in ([nil] + dates.map { $0 }).enumerated() {
            let at = from ?? .min
            let until = position < dates.count ? dates[position] : nil
            let span = Span(
                from: from, until: until, before: old?.share.part(at: at) ?? 0..<100,
                after: new?.share.part(at: at) ?? 0..<100)
            if let last = spans.last, last.before == span.before, last.after == span.after {
                spans[spans.count - 1].until = until
            } else {
                spans.append(span)
            }
        }
    }

    /// A line for each time in which the part of users differs.
    var texts: [String] {
        spans.filter { $0.before != $0.after }.map { span in
            let bounds = [
                span.from.map { "from \($0)" }, span.until.map { "until \($0)" },
            ].compactMap { $0 }
            let time = bounds.isEmpty ? "always" : bounds.joined(separator: " ")
            let step = "\(RuleWords.percent(span.before)) → \(RuleWords.percent(span.after))"
            return "\(who(in: span)) \(time): \(step)"
        }
    }

    private func who(in span: Span) -> String {
        if span.before.isEmpty || isSameDraw && span.after.holds(span.before) {
            return "more users"
        }
        if span.after.isEmpty || isSameDraw && span.before.holds(span.after) {
            return "fewer users"
        }
        return "other users"
    }
}

extension Rollout {
    fileprivate var dates: [Timestamp] {
        if case .steps(let steps) = share { steps.map { $0.begins } } else { [] }
    }
}

extension Range<Double> {
    fileprivate func holds(_ other: Self) -> Bool {
        other.isEmpty || lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
