internal import Foundation
internal import GRDB

extension String {
    /// Text, as it always was; with a NUL its bytes, because SQLite takes that for the end of text.
    var column: DatabaseValue {
        utf8.contains(0) ? Data(utf8).databaseValue : databaseValue
    }
}
