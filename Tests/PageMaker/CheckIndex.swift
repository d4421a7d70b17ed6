import PopSource

/// The page that lists all checks, by group.
func indexOfChecks() -> String {
    var text = """
        # Checks

        Find all checks of `poprules validate`. To print the page of a check, run \
        `poprules explain-check ID`.

        """
    var group: Substring = ""
    for check in Check.all {
        if check.group != group {
            text += "\n## \(check.group)\n\n"
            text += "| check | name | level | finding |\n|---|---|---|---|\n"
            group = check.group
        }
        let cells = [
            "[\(check.id)](checks/\(check.id).md)", check.name, check.level.name,
            check.summary.replacing("|", with: "\\|"),
        ]
        text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
}
