package import PopCEL
internal import PopSource

extension Holdout {
    /// Returns true if the user with this value of the key sees only essential popups; false if the
    /// value doesn't identify a user.
    package func includes(_ value: Value?) -> Bool {
        UserPlace(of: value, salt: salt, for: .holdout)?.isIn(0..<percent) ?? false
    }
}

extension Assignment {
    /// Returns the arm of the user with this value of the key; nil if the user doesn't take part or
    /// the value doesn't identify a user.
    package func arm(of value: Value?) -> String? {
        if let layer, UserPlace(of: value, salt: layer.salt, for: .layer)?.isIn(layer.range) != true
        {
            return nil
        }
        guard UserPlace(of: value, salt: salt, for: .share)?.isIn(0..<share) == true else {
            return nil
        }
        return UserPlace(of: value, salt: salt, for: .arm).flatMap { arm(at: Int64($0.number)) }
    }

    /// Returns the arm at a place. Places of control come first, then the variants in order of
    /// their names, each as wide as its weight. Computed in 64 bits, because a place times a weight
    /// doesn't fit in 32 bits.
    private func arm(at place: Int64) -> String? {
        // Percentages of up to eight decimals are cut off where they are written, not at the
        // nearest binary fraction.
        let begin = Int64(control * 10_000 + 0.000_1)
        if place < begin { return Self.control }
        let total = arms.reduce(0) { $0 + Int64($1.weight) }
        if total == 0 { return nil }
        var weight: Int64 = 0
        return arms.ordered { $0.name < $1.name }.first { arm in
            weight += Int64(arm.weight)
            return place < begin + (UserPlace.count - begin) * weight / total
        }?.name
    }
}
