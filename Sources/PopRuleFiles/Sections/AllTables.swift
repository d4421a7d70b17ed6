/// Every map with fixed keys that rule files have.
let allTables: [TableSchema] = [
    Table.scheduler.schema, Table.contextKey.schema, Table.template.schema, Table.group.schema,
    Table.popup.schema, Table.trigger.schema, Table.schedule.schema, Table.cap.schema,
    Table.windowCap.schema, Table.rollout.schema, Table.examples.schema,
]

/// The maps that have a key of that name, such as "a scheduler".
func homes(of key: String) -> [String] {
    allTables.filter { $0.keys.contains { $0.name == key } }.map(\.title)
}
