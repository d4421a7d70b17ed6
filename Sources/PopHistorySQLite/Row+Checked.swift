internal import Foundation
internal import GRDB
internal import PopCEL

// The columns of a file that may be damaged: GRDB's own subscripts end the process at a value of
// another type.
extension Row {
    func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        let stored: DatabaseValue = self[index]
        guard let value = Value.fromDatabaseValue(stored) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a column has a value of the wrong type")
        }
        return value
    }

    func optional<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value? {
        hasNull(atIndex: index) ? nil : try value(index)
    }

    /// Reads a count: never negative, and with room for increments.
    func count(_ index: Int) throws -> Int {
        let count: Int = try value(index)
        guard (0...(Int.max >> 8)).contains(count) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a count is negative or too large")
        }
        return count
    }
}

extension String {
    /// Text, as it always was; with a NUL its bytes, because SQLite takes that for the end of text.
    var column: DatabaseValue {
        utf8.contains(0) ? Data(utf8).databaseValue : databaseValue
    }
}

extension Timestamp {
    /// Nanoseconds since 1970; the nearest number that a column can hold.
    var column: Int64 {
        let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverAgain) = product.addingReportingOverflow(Int64(nanoseconds))
        guard isOver || isOverAgain else { return sum }
        return seconds < 0 ? .min : .max
    }

    init(column: Int64) {
        let (seconds, rest) = column.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(
            seconds: rest < 0 ? seconds - 1 : seconds,
            nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}
