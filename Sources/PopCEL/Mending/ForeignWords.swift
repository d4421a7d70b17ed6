/// Words of people and of other languages where an operator stands, and what they are here.
enum ForeignWords {
    /// What a word or several words stand for.
    enum Meaning: Sendable {
        case and, or
        case comparison(String)
        /// A method of texts; of lists, `contains` asks whether they hold a value.
        case method(String)
        case membership
        case between
        case like
        case presence
        case null
    }

    struct Phrase: Sendable {
        let words: [String]
        let meaning: Meaning
        var isNegated = false
    }

    /// The longest of those that fit is meant.
    static let phrases: [Phrase] = table.flatMap { meaning, isNegated, phrases in
        phrases.map {
            Phrase(
                words: $0.split(separator: " ").map(String.init), meaning: meaning,
                isNegated: isNegated)
        }
    }.sorted { $0.words.count > $1.words.count }

    private static let table: [(Meaning, isNegated: Bool, [String])] = [
        (.and, false, ["and", "und", "et", "y", "as well as"]),
        (.or, false, ["or", "oder", "ou"]),
        (
            .comparison("=="), false,
            ["is", "equals", "eq", "is equal to", "equal to", "equal", "ist", "is exactly"]
        ),
        (
            .comparison("!="), false,
            [
                "is not", "isnt", "ne", "neq", "not equals", "not equal", "does not equal",
                "is not equal to", "not equal to", "ist nicht", "is different from",
            ]
        ),
        (
            .comparison(">"), false,
            [
                "gt", "is greater than", "greater than", "is more than", "more than", "is over",
                "over", "is above", "above", "is larger than",
            ]
        ),
        (
            .comparison(">="), false,
            [
                "gte", "ge", "is at least", "at least", "is greater than or equal to",
                "greater than or equal to",
            ]
        ),
        (
            .comparison("<"), false,
            [
                "lt", "is less than", "less than", "is under", "under", "is below", "below",
                "is smaller than", "fewer than", "is fewer than",
            ]
        ),
        (
            .comparison("<="), false,
            [
                "lte", "le", "is at most", "at most", "is less than or equal to",
                "less than or equal to",
            ]
        ),
        (.membership, false, ["is in", "is one of", "one of", "is any of", "any of"]),
        (.membership, true, ["not in", "is not in", "is not one of", "is none of", "none of"]),
        (.between, false, ["between", "is between"]),
        (.between, true, ["not between", "is not between"]),
        (.like, false, ["like", "ilike"]), (.like, true, ["not like", "not ilike"]),
        (
            .method("contains"), false,
            ["contains", "contain", "includes", "include", "has", "holds"]
        ),
        (
            .method("contains"), true,
            ["not contains", "does not contain", "not includes", "does not include"]
        ),
        (.method("startsWith"), false, ["startswith", "starts with", "begins with", "start with"]),
        (.method("endsWith"), false, ["endswith", "ends with", "end with"]),
        (.method("matches"), false, ["matches", "match", "rlike", "regexp"]),
        (.presence, false, ["is set", "is defined", "exists", "is present", "is known"]),
        (
            .presence, true,
            [
                "is not set", "is not defined", "is missing", "is undefined", "does not exist",
                "is unknown",
            ]
        ),
    ]

    /// Names of no value.
    static let nulls: Set<String> = ["null", "none", "nil", "undefined", "nan"]

    /// Names of true and false.
    static let truths: [String: Bool] = [
        "true": true, "yes": true, "on": true, "false": false, "no": false, "off": false,
    ]

    /// Names of the moment.
    static let moments: Set<String> = [
        "today", "date.now", "current_date", "current_timestamp", "getdate", "now", "date",
        "sysdate", "datetime.now", "time.now", "datetime",
    ]
}
