/// Every map with fixed keys that rule files have.
package let allTables: [TableSchema] = [
    Table.scheduler.schema, Table.contextKey.schema, Table.template.schema,
    Table.contentField.schema,
    Table.action.schema, Table.locales.schema, Table.group.schema,
    Table.popup.schema, Table.trigger.schema, Table.schedule.schema, Table.cap.schema,
    Table.windowCap.schema, Table.sharedLimit.schema, Table.rollout.schema, Table.holdout.schema,
    Table.layer.schema, Table.namedExperiment.schema, Table.experiment.schema,
    Table.variant.schema,
    Table.examples.schema,
]

/// The top-level sections of a rule file, each with what it declares.
package var allSections: [(name: String, summary: String)] {
    SectionKey.all.map { ($0.name, $0.summary) } + SettingKey.all.map { ($0.name, $0.summary) }
}

/// The maps that have a key of that name, such as "a scheduler".
func homes(of key: String) -> [String] {
    allTables.filter { $0.keys.contains { $0.name == key } }.map(\.title)
}
