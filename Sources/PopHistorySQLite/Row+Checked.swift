internal import GRDB

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
