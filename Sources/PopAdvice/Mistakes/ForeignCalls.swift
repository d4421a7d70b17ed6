internal import PopCEL

/// Functions of other languages, and how they are written here.
enum ForeignCalls {
    struct Ours: Sendable {
        /// `$0` is the receiver or the first argument, `$1` the next one.
        let template: String
        let help: String
        /// Indicates whether it is an operation, so that it may need parentheses.
        var isOperation = false
        /// Indicates whether `$0` must be a name.
        var needsName = false
        /// Indicates whether it exists in rules, but not in the language as such.
        var isOfRules = false
    }

    /// Returns the equivalent of a call with that many operands, its receiver included.
    static func ours(_ name: String, operands: Int) -> Ours? {
        table["\(name.lowercased().filter { $0 != "_" })/\(operands)"]
    }

    private static let table: [String: Ours] = {
        var table: [String: Ours] = [:]
        for (names, count, ours) in rows {
            for name in names.split(separator: " ") { table["\(name)/\(count)"] = ours }
        }
        return table
    }()

    private static let rows: [(String, Int, Ours)] = texts + questions + numbers

    private static let texts: [(String, Int, Ours)] = [
        (
            "len length count sizeof strlen getlength", 1,
            Ours(template: "size($0)", help: "use `size` for the length of a string or list")
        ),
        (
            "tolowercase tolower lower lowercase lowercased lcase downcase", 1,
            Ours(template: "$0.lowerAscii()", help: "use `lowerAscii` to convert to lower case")
        ),
        (
            "touppercase toupper upper uppercase uppercased ucase upcase", 1,
            Ours(template: "$0.upperAscii()", help: "use `upperAscii` to convert to upper case")
        ),
        (
            "strip trimmed", 1,
            Ours(template: "$0.trim()", help: "use `trim` to remove spaces at both ends")
        ),
        (
            "startswith hasprefix beginswith", 2,
            Ours(
                template: "$0.startsWith($1)",
                help: "use `startsWith` to check the start of a string")
        ),
        (
            "endswith hassuffix", 2,
            Ours(template: "$0.endsWith($1)", help: "use `endsWith` to check the end of a string")
        ),
        (
            "match regex fullmatch regexmatch ismatch", 2,
            Ours(
                template: "$0.matches($1)",
                help: "use `matches` to check whether a string matches a pattern")
        ),
        (
            "concat", 2,
            Ours(template: "$0 + $1", help: "use `+` to join strings", isOperation: true)
        ),
        (
            "tostring str text", 1,
            Ours(template: "string($0)", help: "use `string` to convert to a string")
        ),
        (
            "semver ver toversion parseversion semanticversion", 1,
            Ours(
                template: "version($0)", help: "use `version` to convert a string to a version",
                isOfRules: true)
        ),
    ]

    private static let questions: [(String, Int, Ours)] = [
        (
            "equals eq isequal isequalto", 2,
            Ours(template: "$0 == $1", help: "use `==` to compare values", isOperation: true)
        ),
        (
            "notequals ne neq isnotequal", 2,
            Ours(template: "$0 != $1", help: "use `!=` for \"not equal\"", isOperation: true)
        ),
        (
            "equalsignorecase", 2,
            Ours(
                template: "$0.lowerAscii() == $1.lowerAscii()",
                help: "use `lowerAscii` on both sides to ignore case",
                isOperation: true)
        ),
        (
            "isempty empty isblank isnullorempty isnullorblank", 1,
            Ours(
                template: "size($0) == 0", help: "use `size` to check whether it is empty",
                isOperation: true)
        ),
        (
            "isnotempty notempty nonempty any", 1,
            Ours(
                template: "size($0) > 0", help: "use `size` to check whether it is empty",
                isOperation: true)
        ),
        (
            "isnull isnil isundefined ismissing", 1,
            Ours(
                template: "!has($0)", help: "use `!has` to check that a key has no value",
                needsName: true)
        ),
        (
            "isset defined isdefined exists ispresent present isnotnull notnull exist", 1,
            Ours(
                template: "has($0)", help: "use `has` to check whether a key has a value",
                needsName: true)
        ),
        (
            "coalesce ifnull nvl orelse", 2,
            Ours(
                template: "has($0) ? $0 : $1",
                help: "use `has` to set a fallback for a missing value", isOperation: true,
                needsName: true)
        ),
        (
            "between inrange isbetween", 3,
            Ours(
                template: "$0 >= $1 && $0 <= $2",
                help: "use `>=` and `<=`, so that the range includes both limits",
                isOperation: true)
        ),
        (
            "if iif ifelse iff wenn si", 3,
            Ours(
                template: "$0 ? $1 : $2", help: "use `? :` to choose between two values",
                isOperation: true
            )
        ),
        ("not nicht", 1, Ours(template: "!$0", help: "use `!` to negate")),
        (
            "and all und", 2,
            Ours(template: "$0 && $1", help: "use `&&` for \"and\"", isOperation: true)
        ),
        (
            "and und", 3,
            Ours(template: "$0 && $1 && $2", help: "use `&&` for \"and\"", isOperation: true)
        ),
        ("or oder", 2, Ours(template: "$0 || $1", help: "use `||` for \"or\"", isOperation: true)),
        (
            "or oder", 3,
            Ours(template: "$0 || $1 || $2", help: "use `||` for \"or\"", isOperation: true)
        ),
        (
            "isin oneof anyof isoneof", 2,
            Ours(
                template: "$0 in $1", help: "use `in` to check whether a list contains a value",
                isOperation: true)
        ),
    ]

    private static let numbers: [(String, Int, Ours)] = [
        (
            "toint parseint integer tointeger", 1,
            Ours(template: "int($0)", help: "use `int` to convert to an integer")
        ),
        (
            "tofloat parsefloat float number todouble tonumber", 1,
            Ours(template: "double($0)", help: "use `double` to convert to a number")
        ),
        (
            "abs", 1,
            Ours(template: "math.abs($0)", help: "use `math.abs` for the absolute value")
        ),
        (
            "max", 2,
            Ours(
                template: "math.greatest($0, $1)", help: "use `math.greatest` for the larger number"
            )
        ),
        (
            "min", 2,
            Ours(template: "math.least($0, $1)", help: "use `math.least` for the smaller number")
        ),
        (
            "today now currentdate curdate currenttime currenttimestamp getdate time", 0,
            Ours(template: "now", help: "use `now` for the current time")
        ),
    ]

    /// Names of checks for a missing value, or for an existing one.
    static let absences: [String: Bool] = [
        "isnull": true, "isnil": true, "isundefined": true, "ismissing": true, "isset": false,
        "defined": false, "isdefined": false, "exists": false, "ispresent": false,
        "present": false, "isnotnull": false, "notnull": false, "exist": false,
    ]

    /// Names for whether a value is empty, or is not.
    static let emptinesses: [String: Bool] = [
        "isempty": true, "empty": true, "isblank": true, "isnullorempty": true,
        "isnullorblank": true, "isnotempty": false, "notempty": false, "nonempty": false,
        "isnotblank": false,
    ]

    /// Names for how often something happened.
    static let occurrences: Set<String> = [
        "count", "counts", "countof", "howmany", "times", "occurrences", "eventcount",
        "countevents",
    ]

    /// Names for how long ago something was, and their units.
    static let ages: [String: String] = [
        "timesince": "", "elapsed": "", "elapsedsince": "", "ago": "", "secondssince": "s",
        "minutessince": "m", "hourssince": "h", "dayssince": "d", "weekssince": "w",
    ]

    /// Names of facts about a popup, each with the property that is read after the popup's name.
    static let facts: [String: String] = [
        "converted": "converted", "isconverted": "converted", "hasconverted": "converted",
        "showncount": "shown_count", "timesshown": "shown_count", "impressions": "shown_count",
        "lastshown": "last_shown", "lastreason": "last_reason", "lastaction": "last_action",
        "variant": "variant", "variantof": "variant", "closedcount": "closed_count",
        "timesclosed": "closed_count", "exposedcount": "exposed_count",
        "shown": "shown_count > 0", "wasshown": "shown_count > 0", "hasseen": "shown_count > 0",
        "seen": "shown_count > 0",
    ]

    /// Names for whether a list holds values of another one, and the macro that asks it.
    static let intersections: [String: String] = [
        "containsany": "exists", "hasany": "exists", "intersects": "exists", "overlaps": "exists",
        "includesany": "exists", "anyof": "exists", "containsall": "all", "hasall": "all",
        "includesall": "all", "issubsetof": "all",
    ]

    /// Names of checks whether a list, a map or a string contains a value.
    static let containment: Set<String> = [
        "contains", "includes", "include", "contain", "has", "haskey", "containskey",
        "ismember", "member",
    ]

    /// Names for macros.
    static let macros: [String: String] = [
        "any": "exists", "some": "exists", "every": "all", "each": "all", "find": "exists",
        "containswhere": "exists", "allsatisfy": "all", "where": "filter", "select": "map",
    ]

    /// Names for durations, and their units.
    static let lengths: [String: String] = [
        "days": "d", "day": "d", "hours": "h", "minutes": "m", "seconds": "s", "weeks": "w",
    ]

    /// Names for the time between two moments, and the unit that is counted when none is named.
    static let differences: [String: String] = [
        "datediff": "d", "datedif": "d", "days": "d", "daysbetween": "d", "hoursbetween": "h",
        "minutesbetween": "m", "differenceindays": "d", "differenceinhours": "h",
        "timestampdiff": "d",
    ]

    /// Names for reading a date.
    static let dates: Set<String> = [
        "date", "datetime", "todate", "parsedate", "dateparse", "isodate",
    ]

    /// The days of the week by their numbers.
    static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// Parts of a date as they are called elsewhere.
    static let fields: [String: [(method: String, what: String)]] = [
        "hour": [("getHours", "the hour")], "hours": [("getHours", "the hour")],
        "gethour": [("getHours", "the hour")],
        "minute": [("getMinutes", "the minute")], "minutes": [("getMinutes", "the minute")],
        "second": [("getSeconds", "the second")],
        "year": [("getFullYear", "the year")], "getyear": [("getFullYear", "the year")],
        "month": [("getMonth", "the month (0 is January)")],
        "day": [
            ("getDate", "the day of the month"),
            ("getDayOfWeek", "the day of the week (0 is Sunday)"),
        ],
        "getday": [("getDayOfWeek", "the day of the week (0 is Sunday)")],
        "weekday": [("getDayOfWeek", "the day of the week (0 is Sunday)")],
        "dayofweek": [("getDayOfWeek", "the day of the week (0 is Sunday)")],
        "dayofmonth": [("getDate", "the day of the month")],
        "dayofyear": [("getDayOfYear", "the day of the year (0 is 1 January)")],
        "date": [
            ("getDate", "the day of the month"),
            ("getDayOfYear", "the day of the year (0 is 1 January)"),
        ],
    ]
}
