import PopReports
import PopSource
import PopValidation

extension FixOutcome {
    /// Writes the files. Files that were changed since they were read are left unchanged, and
    /// returned.
    func write() throws -> [EnvironmentFailure] {
        try files.compactMap { file in
            do {
                try OutputFile.change(file.path, from: file.old, to: file.new)
                return nil
            } catch let failure as EnvironmentFailure {
                return failure
            }
        }
    }

    func diff(style: TextStyle) -> String {
        files.map { UnifiedDiff(path: $0.path, old: $0.old, new: $0.new).text(style: style) }
            .joined()
    }
}
