import PopCEL
import PopSource
import PopStories
import PopValidation

/// The tests that `--run` names.
extension TestOptions {
    /// An expression of RE2, as in conditions: matching takes a time linear in the name.
    static func pattern(_ text: String) throws -> RegularExpression {
        do {
            return try RegularExpression(text)
        } catch {
            throw UsageFailure(
                message: "`--run \(text)` is not a regular expression: \(error.message)")
        }
    }
}

/// Ends the command when `--run` names no test, with the names that there are.
func requireMatch(_ workspace: Workspace, wanted: String?, options: TestOptions) throws {
    let names = workspace.tests.flatMap { workspace.link($0).value?.tests ?? [] }
        .map(\.name.value)
    guard let wanted, !names.contains(where: options.wants) else { return }
    throw UsageFailure(
        message: "no test name matches `--run \(wanted)`;"
            + " the tests are \(listed(names.map { "`\($0)`" }))")
}
