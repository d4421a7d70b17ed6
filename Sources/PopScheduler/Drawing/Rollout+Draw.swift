package import PopCEL

extension Rollout {
    /// Returns true if the user with this value of the key sees the popup at a date.
    ///
    /// A value that doesn't identify a user is included only if the rollout includes all users.
    package func includes(_ value: Value?, at date: Timestamp) -> Bool {
        let part = share.part(at: date)
        if part == 0..<100 { return true }
        return UserPlace(of: value, salt: salt)?.isIn(part) ?? false
    }
}

extension Rollout.Share {
    /// The part of the users at a date, in percent.
    package func part(at date: Timestamp) -> Range<Double> {
        switch self {
        case .range(let range): range
        case .steps(let steps): 0..<(steps.last { $0.begins <= date }?.percent ?? 0)
        }
    }

    /// The dates at which the included part of the users changes.
    package var changes: [Timestamp] {
        switch self {
        case .range: []
        case .steps(let steps): steps.map { $0.begins }
        }
    }

    /// The largest part of the users at any date, in percent.
    package var largest: Double {
        switch self {
        case .range(let range): range.upperBound - range.lowerBound
        case .steps(let steps): steps.map { $0.percent }.max() ?? 0
        }
    }
}
