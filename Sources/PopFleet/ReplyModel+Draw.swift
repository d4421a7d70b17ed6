package import PopScheduler

/// The random values for a user's reply to a popup.
struct ReplyDraw {
    var seed: UInt64
    var user: String
    var popup: String
    /// Which impression of the popup it is for the user, from 1.
    var ordinal: Int

    /// Returns a random number from 0 up to 1, by a hash of all that it depends on, so that no
    /// random value affects another.
    func share(_ purpose: UInt8) -> Double {
        var hash = StableHash()
        hash.add(byte: purpose)
        hash.add(number: seed)
        hash.add(user.utf8)
        hash.add(byte: 0)
        hash.add(popup.utf8)
        hash.add(byte: 0)
        hash.add(number: UInt64(ordinal))
        return Double(hash.value >> 11) / Double(UInt64(1) << 53)
    }
}

extension RuleSet {
    /// Returns the actions that users can perform on a popup, by its template and those of its
    /// variants.
    package func actions(of popup: PopupRule) -> Set<String> {
        let variants = popup.experiment?.variants.compactMap { $0.template } ?? []
        let names = Set([popup.template].compactMap { $0 } + variants)
        return Set(
            templates.filter { names.contains($0.name) }.flatMap { $0.actions.map { $0.name } })
    }
}

extension ReplyModel {
    /// Returns the model for a popup that only has these actions: users who would perform another
    /// action close it.
    func limited(to actions: Set<String>) -> ReplyModel {
        var model = self
        for (action, share) in acted.sorted(by: { $0.key < $1.key })
        where !actions.contains(action) {
            model.acted[action] = nil
            model.closed += share
        }
        return model
    }

    /// Returns the user's reply, and its time after the impression.
    func reply(to draw: ReplyDraw) -> (reply: Reply, after: Duration) {
        let place = draw.share(0) * 100
        let span = after.upperBound - after.lowerBound
        let time = after.lowerBound + (span == .zero ? .zero : part(draw.share(1), of: span))
        if place < closed { return (.close, time) }
        var bound = closed
        for (action, share) in acted.sorted(by: { $0.key < $1.key }) {
            bound += share
            if place < bound { return (.act(action), time) }
        }
        return (.ignore, time)
    }

    /// To the millisecond.
    private func part(_ share: Double, of span: Duration) -> Duration {
        let (seconds, attoseconds) = span.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64(share * Double(milliseconds + 1)))
    }
}
