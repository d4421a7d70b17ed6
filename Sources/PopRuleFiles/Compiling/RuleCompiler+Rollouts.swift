internal import PopCEL
internal import PopScheduler

extension RuleCompiler {
    /// Nil if the share or the key that identifies users cannot be read.
    func rollout(_ rollout: RolloutModel, of popup: String) -> Rollout? {
        guard let share = share(of: rollout),
            let key = rollout.by.flatMap({ model.context.place(of: $0.value) })
        else { return nil }
        return Rollout(share: share, key: key, salt: rollout.salt?.value ?? popup)
    }

    private func share(of rollout: RolloutModel) -> Rollout.Share? {
        if let percent = rollout.percent?.value { return .range(0..<percent) }
        if let range = rollout.range?.value { return .range(range) }
        guard let calendar = LocalCalendar(zone: rollout.zone?.value, zones: .system) else {
            return nil
        }
        return rollout.steps.map { steps in
            .steps(
                steps.value.map { step in
                    Rollout.Step(
                        begins: calendar.start(step.begins.value), percent: step.percent.value)
                }.sorted { $0.begins < $1.begins })
        }
    }
}
