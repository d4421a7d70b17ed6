internal import PopCEL

/// Words of natural and other languages in the place of an operator, and their equivalents here.
enum ForeignWords {
    /// The meaning of a word or several words.
    enum Meaning: Sendable {
        case and, or
        case comparison(String)
        /// A method of strings; for lists, `contains` checks whether they have a value.
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

    /// The longest matching phrase counts.
    static let phrases: [Phrase] = table.flatMap { meaning, isNegated, phrases in
        phrases.map {
            Phrase(
                words: $0.split(separator: " ").map(String.init), meaning: meaning,
                isNegated: isNegated)
        }
    }.sorted { $0.words.count > $1.words.count }

    private static let table: [(Meaning, isNegated: Bool, [String])] = [
        (.and, false, ["and", "und", "et", "y", "as well as", "sowie"]),
        (.or, false, ["or", "oder", "ou", "o"]),
        (
            .comparison("=="), false,
            [
                "is", "equals", "eq", "is equal to", "equal to", "equal", "ist", "is exactly",
                "gleich", "ist gleich", "est", "est égal à", "égal à", "es", "es igual a",
                "igual a",
            ]
        ),
        (
            .comparison("!="), false,
            [
                "is not", "isnt", "ne", "neq", "not equals", "not equal", "does not equal",
                "is not equal to", "not equal to", "ist nicht", "is different from", "ungleich",
                "ist ungleich", "est différent de", "no es", "es distinto de", "es diferente de",
            ]
        ),
        (
            .comparison(">"), false,
            [
                "gt", "is greater than", "greater than", "is more than", "more than", "is over",
                "over", "is above", "above", "is larger than", "größer als", "ist größer als",
                "groesser als", "mehr als", "ist mehr als", "supérieur à", "est supérieur à",
                "plus grand que", "plus de", "mayor que", "es mayor que", "más de", "más que",
                "after", "is after", "is later than", "later than",
            ]
        ),
        (
            .comparison(">="), false,
            [
                "gte", "ge", "is at least", "at least", "is greater than or equal to",
                "greater than or equal to", "mindestens", "ist mindestens", "größer gleich",
                "größer oder gleich", "au moins", "est au moins", "al menos", "es al menos",
            ]
        ),
        (
            .comparison("<"), false,
            [
                "lt", "is less than", "less than", "is under", "under", "is below", "below",
                "is smaller than", "fewer than", "is fewer than", "kleiner als", "ist kleiner als",
                "weniger als", "ist weniger als", "inférieur à", "est inférieur à", "moins de",
                "menor que", "es menor que", "menos de", "before", "is before", "is earlier than",
                "earlier than",
            ]
        ),
        (
            .comparison("<="), false,
            [
                "lte", "le", "is at most", "at most", "is less than or equal to",
                "less than or equal to", "höchstens", "ist höchstens", "kleiner gleich",
                "kleiner oder gleich", "au plus", "como máximo",
            ]
        ),
        (
            .membership, false,
            [
                "is in", "is one of", "one of", "is any of", "any of", "ist in", "ist eines von",
                "est dans", "está en",
            ]
        ),
        (.membership, true, ["not in", "is not in", "is not one of", "is none of", "none of"]),
        (.between, false, ["between", "is between", "zwischen", "ist zwischen"]),
        (.between, true, ["not between", "is not between"]),
        (.like, false, ["like", "ilike"]), (.like, true, ["not like", "not ilike"]),
        (
            .method("contains"), false,
            [
                "contains", "contain", "includes", "include", "has", "holds", "enthält",
                "beinhaltet", "contient", "contiene",
            ]
        ),
        (
            .method("contains"), true,
            ["not contains", "does not contain", "not includes", "does not include"]
        ),
        (
            .method("startsWith"), false,
            [
                "startswith", "starts with", "begins with", "start with", "starts_with",
            ]
        ),
        (.membership, true, ["not_in"]),
        (.method("endsWith"), false, ["endswith", "ends with", "end with", "ends_with"]),
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

    /// The words after which two bounds follow.
    static let betweens = Set(
        phrases.compactMap { if case .between = $0.meaning { $0.words.last } else { nil } })

    /// Names of no value.
    static let nulls: Set<String> = ["null", "none", "nil", "undefined", "nan"]

    /// Names of true and false.
    static let truths: [String: Bool] = [
        "true": true, "yes": true, "on": true, "false": false, "no": false, "off": false,
        "wahr": true, "ja": true, "vrai": true, "oui": true, "verdadero": true, "sí": true,
        "falsch": false, "nein": false, "faux": false, "non": false, "falso": false,
    ]

    /// Names of the moment.
    static let moments: Set<String> = [
        "today", "date.now", "current_date", "current_timestamp", "getdate", "now", "date",
        "sysdate", "datetime.now", "time.now", "datetime", "curdate", "date.today",
    ]

    /// The names of the current day.
    static let days: Set<String> = ["today", "currentdate", "curdate", "date.today", "date"]
}
