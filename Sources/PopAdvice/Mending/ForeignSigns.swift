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
        "=": ("==", "use `==` to compare values"), "===": ("==", "use `==` for equal to"),
        "!==": ("!=", "use `!=` for not equal to"),
        "<>": ("!=", "use `!=` for not equal to"),
        "=!": ("!=", "use `!=` for not equal to"),
        "/=": ("!=", "use `!=` for not equal to"),
        ":=": ("==", "use `==` to compare values"),
        "=>": (">=", "use `>=` for at least"), "=<": ("<=", "use `<=` for at most"),
        ">==": (">=", "use `>=` for at least"), "<==": ("<=", "use `<=` for at most"),
        "==>": (">=", "use `>=` for at least"), "==<": ("<=", "use `<=` for at most"),
        "&": ("&&", "use `&&` for and"), "|": ("||", "use `||` for or"),
        "\u{2265}": (">=", "use `>=` for at least"),
        "\u{2264}": ("<=", "use `<=` for at most"),
        "\u{2260}": ("!=", "use `!=` for not equal to"),
        "\u{D7}": ("*", "use `*` to multiply"), "\u{F7}": ("/", "use `/` to divide"),
        "\u{2212}": ("-", "use `-` for minus"), "\u{2013}": ("-", "use `-` for minus"),
        "\u{2227}": ("&&", "use `&&` for and"), "\u{2228}": ("||", "use `||` for or"),
        "\u{AC}": ("!", "use `!` for not"),
        "\u{FF1D}": ("==", "use `==` to compare values"),
        "\u{FF1D}\u{FF1D}": ("==", "use `==` to compare values"),
        "\u{FF1C}": ("<", "use the ASCII character `<`"),
        "\u{FF1E}": (">", "use the ASCII character `>`"),
        "\u{FF01}": ("!", "use `!` for not"),
        "\u{FF01}\u{FF1D}": ("!=", "use `!=` for not equal to"),
        "\u{FF08}": ("(", "use the ASCII character `(`"),
        "\u{FF09}": (")", "use the ASCII character `)`"),
        "\u{3001}": (",", "use the ASCII character `,`"),
        "\u{FF0C}": (",", "use the ASCII character `,`"),
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
