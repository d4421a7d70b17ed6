import PopSource

/// The page that lists all checks, by group.
func indexOfChecks() -> String {
    var text = """
        # Checks

        What `poprules validate` looks for. `poprules explain-check ID` prints a page.

        """
    var group: Substring = ""
    for check in Check.all {
        if check.group != group {
            text += "\n## \(check.group)\n\n"
            text += "| check | name | level | what is noticed |\n|---|---|---|---|\n"
            group = check.group
        }
        let cells = [
            "[\(check.id)](Checks/\(check.id).md)", check.name, check.level.name,
            check.summary.replacing("|", with: "\\|"),
        ]
        text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
}
