internal import PopScheduler
internal import PopSource

extension RuleCompiler {
    /// Nil where something is missing, or names what is not there.
    mutating func goal(_ model: GoalModel) -> Goal? {
        guard let event = model.event else { return nil }
        let condition = model.where.flatMap { compile($0.value, for: event) ?? never(at: $0.range) }
        guard let place = self.model.events.place(of: event.value), let name = model.name,
            let within = model.within
        else { return nil }
        return Goal(
            name.value, event: place, where: condition, within: within.value,
            ends: model.ends.flatMap(\.value))
    }
}
