internal import PopScheduler
internal import PopSource

extension RuleCompiler {
    /// Nil if a part is missing, or names something that does not exist.
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
