/// The rows of a table: every combination of a value of each key, where the last key changes first.
///
/// Each row is created on demand, so a table takes no more memory than its columns.
package struct Combinations: Sendable, RandomAccessCollection {
    /// The maximum number of rows of a table.
    package static let most = 100_000

    private var columns: [[RunnableTest.Assignment]] = []
    /// The number of rows.
    package private(set) var count = 1

    /// The one empty row of a test without a table.
    package init() {}

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    /// Adds the values of another key; returns false and leaves the table unchanged if it would
    /// have too many rows.
    package mutating func add(_ column: [RunnableTest.Assignment]) -> Bool {
        let (product, isOverflow) = count.multipliedReportingOverflow(by: column.count)
        guard !isOverflow, product <= Self.most else { return false }
        columns.append(column)
        count = product
        return true
    }

    /// Returns the row with a number, which is read digit by digit: each key is a digit.
    package subscript(number: Int) -> [RunnableTest.Assignment] {
        var rest = number
        var row: [RunnableTest.Assignment] = []
        for column in columns.reversed() {
            row.append(column[rest % column.count])
            rest /= column.count
        }
        return row.reversed()
    }
}
