internal import PopCEL
internal import PopExplanations
internal import PopScheduler
internal import PopSource

extension Page {
    /// Which variant of each experiment the personas of the tests see, and why.
    static func arms(of rules: RuleSet, for people: [Persona]) -> JSON {
        .array(
            rules.popups.compactMap { popup in
                guard let experiment = popup.experiment, !people.isEmpty else { return nil }
                let key = rules.keys[experiment.assignment.key]
                let drawn = people.map { person in
                    let value = person.context[key.name] ?? key.defaultValue
                    let draw = experiment.assignment.draw(of: value, by: key.name)
                    return JSON.object([
                        "name": .string(person.name), "arm": draw.arm.map { .string($0) },
                        "why": .string(draw.why),
                    ])
                }
                return .object(["popup": .string(popup.id), "people": .array(drawn)])
            })
    }
}

extension Assignment {
    /// The arm of a user; nil for one who takes no part.
    fileprivate func draw(of value: Value?, by key: String) -> (arm: String?, why: String) {
        guard let value, UserPlace(of: value, salt: salt, for: .arm) != nil else {
            return (nil, "`\(key)` has no value that tells users apart")
        }
        let who = "`\(key)` \(value.yaml)"
        if let layer, let place = UserPlace(of: value, salt: layer.salt, for: .layer),
            !place.isIn(layer.range)
        {
            let range = "\(layer.range.lowerBound)% to \(layer.range.upperBound)%"
            let stands = "\(who) stands at \(place.percent)% of layer `\(layer.layer)`"
            return (nil, "\(stands), it takes \(range)")
        }
        if let place = UserPlace(of: value, salt: salt, for: .share), !place.isIn(0..<share) {
            return (nil, "\(who) stands at \(place.percent)%, it takes the first \(share)%")
        }
        return (arm(of: value), "drawn by \(who)")
    }
}

extension UserPlace {
    fileprivate var percent: Double { Double(number) / 10_000 }
}
