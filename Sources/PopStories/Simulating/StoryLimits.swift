package import PopSource

/// What all tests and stories of one command may use up together, before they are cut short.
package enum StoryLimits {
    /// Times that the clock stops, and inputs. Conditions on milliseconds stop it at each of them:
    /// with 100 popups that many stops take seconds. A table of 108 rows that plays 40 days with a
    /// stop every hour needs a fifth.
    package static let simulatedSteps = 500_000
    /// Popups, times the steps in which they are looked at. A set of 5,000 popups with a test for
    /// each of them needs a third.
    package static let judgedPopups = 500_000_000
    /// Rows of all tables: ten of the largest.
    package static let generatedRows = 10 * Combinations.most

    /// Returns what one command, or one request of the language server, may use up.
    package static func budget() -> WorkBudget {
        WorkBudget([
            .simulatedSteps: simulatedSteps, .judgedPopups: judgedPopups,
            .generatedRows: generatedRows,
        ])
    }
}
