internal import PopCEL

/// Signs of other languages, and what they are here.
enum ForeignSigns {
    /// Quotes that open a string, and those that may close it.
    static let quotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "\"": ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}"],
        "'": ["'", "\u{2018}", "\u{2019}", "\u{B4}"],
        "\u{201C}": ["\u{201D}", "\u{201C}", "\""], "\u{201D}": ["\u{201D}", "\u{201C}", "\""],
        "\u{201E}": ["\u{201C}", "\u{201D}", "\u{201F}", "\""], "\u{201F}": ["\u{201D}", "\""],
        "\u{2018}": ["\u{2019}", "\u{2018}", "'"], "\u{2019}": ["\u{2019}", "\u{2018}", "'"],
        "\u{201A}": ["\u{2018}", "\u{2019}", "'"], "\u{201B}": ["\u{2019}", "'"],
        "\u{AB}": ["\u{BB}"], "\u{BB}": ["\u{AB}", "\u{BB}"],
        "\u{2039}": ["\u{203A}"], "\u{203A}": ["\u{2039}", "\u{203A}"],
        "\u{B4}": ["\u{B4}", "'", "`"], "`": ["`", "\u{B4}", "'"],
        "\u{300C}": ["\u{300D}"], "\u{300E}": ["\u{300F}"],
        "\u{FF02}": ["\u{FF02}"], "\u{FF07}": ["\u{FF07}"],
        "\u{2033}": ["\u{2033}"], "\u{2032}": ["\u{2032}"],
    ]

    /// Operators, what they are here, and how the help on them begins.
    static let operators: [String: (ours: String, help: String)] = [
        "=": ("==", "values are compared with `==`"), "===": ("==", "equal to is written `==`"),
        "!==": ("!=", "different from is written `!=`"),
        "<>": ("!=", "different from is written `!=`"),
        "=!": ("!=", "different from is written `!=`"),
        "/=": ("!=", "different from is written `!=`"),
        ":=": ("==", "values are compared with `==`"),
        "=>": (">=", "at least is written `>=`"), "=<": ("<=", "at most is written `<=`"),
        ">==": (">=", "at least is written `>=`"), "<==": ("<=", "at most is written `<=`"),
        "==>": (">=", "at least is written `>=`"), "==<": ("<=", "at most is written `<=`"),
        "&": ("&&", "and is written `&&`"), "|": ("||", "or is written `||`"),
        "\u{2265}": (">=", "at least is written `>=`"),
        "\u{2264}": ("<=", "at most is written `<=`"),
        "\u{2260}": ("!=", "different from is written `!=`"),
        "\u{D7}": ("*", "times is written `*`"), "\u{F7}": ("/", "divided by is written `/`"),
        "\u{2212}": ("-", "minus is written `-`"), "\u{2013}": ("-", "minus is written `-`"),
        "\u{2227}": ("&&", "and is written `&&`"), "\u{2228}": ("||", "or is written `||`"),
        "\u{AC}": ("!", "not is written `!`"),
        "\u{FF1D}": ("==", "values are compared with `==`"),
        "\u{FF1D}\u{FF1D}": ("==", "values are compared with `==`"),
        "\u{FF1C}": ("<", "the sign is written `<`"), "\u{FF1E}": (">", "the sign is written `>`"),
        "\u{FF01}": ("!", "not is written `!`"),
        "\u{FF01}\u{FF1D}": ("!=", "different from is written `!=`"),
        "\u{FF08}": ("(", "the bracket is written `(`"),
        "\u{FF09}": (")", "the bracket is written `)`"),
        "\u{3001}": (",", "the comma is written `,`"),
        "\u{FF0C}": (",", "the comma is written `,`"),
    ]

    /// The signs of the language, unless they are names.
    private static let own = [
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ",",
        ".", "(", ")", "[", "]", "{", "}",
    ]

    /// The signs with special treatment.
    private static let special = [
        "=~", "~=", "!~", "~", "${", "{{", "}}", "$", "@", "#", ";", "->", "::", "?.", "??", "^",
        "\\", "..", "...", "..<", "{%", "%}",
    ]

    /// The signs and words for currencies.
    static let currencies: Set<String> = [
        "\u{20AC}", "$", "\u{A3}", "\u{A5}", "\u{20B9}", "eur", "usd", "gbp", "chf", "jpy", "inr",
        "euro", "euros",
        "dollar", "dollars",
    ]

    /// The units of measures and counts; units of time are treated separately.
    static let units: Set<String> = [
        "kg", "g", "mg", "lb", "lbs", "km", "cm", "mm", "mi", "px", "pt", "kb", "mb", "gb", "kcal",
        "x", "times", "pcs",
    ]

    static let all = Set(own + special + operators.keys)
}
