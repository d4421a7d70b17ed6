internal import PopScheduler

// The consequences of a key with a different value.
extension Comparison {
    func details(
        of key: String, from old: PopupRule, to new: PopupRule
    ) -> [String] {
        switch key {
        case "priority": orderDetails(from: old, to: new)
        case "rollout":
            rolloutDetails(from: old.audience.rollout, to: new.audience.rollout)
                + dateDetails(from: old.audience.rollout, to: new.audience.rollout)
        case "experiment": experimentDetails(from: old.experiment, to: new.experiment)
        default: []
        }
    }

    private func rolloutDetails(from old: Rollout?, to new: Rollout?) -> [String] {
        guard let old, let new else { return [] }
        let isOther = !isSameDraw(old, new)
        // If no users or all users are assigned, other users can't be.
        let isDrawn = [old, new].allSatisfy { rollout in
            rollout.share.largest > 0 && rollout.share != .range(0..<100)
        }
        guard isDrawn else { return [] }
        if !isOther, case .range(let one) = old.share, case .range(let other) = new.share {
            let isWithin =
                one.clamped(to: other) == one || other.clamped(to: one) == other
            return isWithin ? [] : ["other users are assigned"]
        }
        return isOther ? ["other users are assigned"] : []
    }

    private func dateDetails(from old: Rollout?, to new: Rollout?) -> [String] {
        RolloutDates(from: old, to: new, isSameDraw: isSameDraw(old, new)).texts
    }

    /// Returns true if two rollouts assign the same position to each user.
    private func isSameDraw(_ old: Rollout?, _ new: Rollout?) -> Bool {
        guard let old, let new else { return true }
        return old.salt == new.salt && earlier.keys[old.key].name == later.keys[new.key].name
    }

    private func experimentDetails(from old: Experiment?, to new: Experiment?) -> [String] {
        guard let old, let new else { return [] }
        var (one, other) = (old.assignment, new.assignment)
        let key = earlier.keys[one.key].name != later.keys[other.key].name
        one.key = other.key
        // Users who newly take part don't move existing users to other arms.
        one.share = other.share
        one.arms = one.arms.inLowestTerms
        other.arms = other.arms.inLowestTerms
        // The name of the layer has no effect.
        one.layer?.layer = other.layer?.layer ?? ""
        return key || one != other ? ["users move between arms"] : []
    }
}
