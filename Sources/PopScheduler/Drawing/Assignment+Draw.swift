package import PopCEL
internal import PopSource

extension Holdout {
    /// Whether the user with this value of the key sees essential popups only; not one whom the
    /// value does not tell apart.
    package func includes(_ value: Value?) -> Bool {
        UserPlace(of: value, salt: salt, for: .holdout)?.isIn(0..<percent) ?? false
    }
}

extension Assignment {
    /// The arm of the user with this value of the key; nil for one who takes no part, as one whom
    /// the value does not tell apart.
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

    /// First come those in control, then the variants, by name and as wide as their weights say.
    /// In 64 bits, since a place times a weight is more than 32 bits hold.
    private func arm(at place: Int64) -> String? {
        // Percents of up to eight decimals are cut off where they are written, not where the
        // nearest binary fraction is.
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
