/// Every map with fixed keys that rule files have.
package let allTables: [TableSchema] = [
    Table.scheduler.schema, Table.contextKey.schema, Table.template.schema,
    Table.contentField.schema,
    Table.action.schema, Table.locales.schema, Table.quiet.schema, Table.session.schema,
    Table.group.schema, Table.popup.schema, Table.trigger.schema, Table.predecessor.schema,
    Table.schedule.schema, Table.cap.schema,
    Table.windowCap.schema, Table.sharedLimit.schema, Table.rollout.schema, Table.holdout.schema,
    Table.layer.schema, Table.namedExperiment.schema, Table.experiment.schema,
    Table.variant.schema, Table.goal.schema,
    Table.examples.schema,
]

/// The top-level sections of a rule file, each with what it declares.
package var allSections: [(name: String, summary: String)] {
    SectionKey.all.map { ($0.name, $0.summary) } + SettingKey.all.map { ($0.name, $0.summary) }
}

/// The maps that have a key of that name, such as "a scheduler"; a popup first.
package func homes(of key: String) -> [String] {
    let titles = allTables.filter { $0.keys.contains { $0.name == key } }.map(\.title)
    let popup = Table.popup.title
    return titles.filter { $0 == popup } + titles.filter { $0 != popup }
}
