package import PopScheduler

extension Experiment {
    /// The arms that users can be assigned to.
    package var armsOfUsers: [String] {
        (assignment.control > 0 ? [Assignment.control] : [])
            + (assignment.control < 100 && assignment.share > 0
                ? assignment.arms.filter { $0.weight > 0 }.map(\.name) : [])
    }
}
