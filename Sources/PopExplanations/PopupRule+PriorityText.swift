package import PopScheduler

extension PopupRule {
    /// The name of the priority, or the number if it has no name.
    package var priorityText: String { Self.text(ofPriority: priority) }

    package static func text(ofPriority priority: Int) -> String {
        priorityNames.first { $0.value == priority }?.name ?? "\(priority)"
    }
}
