internal import PopScheduler
internal import PopSource

/// The reason why a name isn't a language, and the languages that may be meant.
struct LocaleProblem {
    private let name: String
    private let reason: String
    let meant: [String]

    /// Nil for a name that may be one. `known` are those that the rules name elsewhere.
    init?(_ name: String, among known: [String]) {
        let tag = LocaleTag(name).text
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let language = parts.first.map(String.init) ?? ""
        self.name = name
        if let code = otherNames[tag] ?? otherNames[language], parts.count == 1 {
            reason = "use the code of the language, such as `en`"
            meant = [code]
        } else if parts.dropFirst().contains("uk") {
            reason = "use `GB`, the code of the United Kingdom"
            meant = ["\(language)-GB"]
        } else if name.utf8.count > LocaleTag.longest {
            reason = "use a language code with at most \(LocaleTag.longest) characters"
            meant = []
        } else if !isWellFormed(parts) || language.utf8.count == 2 && !twoLetters.contains(language)
        {
            reason =
                "use a language code, which starts with two or three letters, such as `en`, `de-CH`"
                + " or `fil`"
            meant = similarNames(to: name, among: known)
        } else {
            return nil
        }
    }

    /// `taken` are the other languages of the same map.
    func finding(at range: SourceRange, taken: Set<LocaleTag> = []) -> Diagnostic {
        let meant = meant.filter { !taken.contains(LocaleTag($0)) }
        return Diagnostic(
            .contentUnknownLocale, message: "unknown language `\(name.shortened)`", at: range,
            label: meant.isEmpty ? "not a language" : "similar to \(alternatives(meant))",
            help: [reason] + wordOfOldYAML,
            fixes: meant.count == 1 ? [.rename(range, to: meant[0])] : [])
    }

    /// `on` is a string here, and a bool to other tools.
    private var wordOfOldYAML: [String] {
        oldBools.contains(name.lowercased())
            ? ["put `\(name)` in quotes: YAML 1.1 tools read it as a Boolean"] : []
    }
}

/// Words that are bools in YAML 1.1.
private let oldBools: Set<String> = ["on", "off", "yes", "no", "y", "n"]

extension Diagnostic {
    /// Norwegian, which is `false` to many a tool; nil for any other language.
    static func languageLikeBool(_ name: String, at range: SourceRange) -> Self? {
        guard name.lowercased() == "no" else { return nil }
        let quoted = "\"\(name)\""
        return Diagnostic(
            .yamlImplicitType, message: "`\(name)` is a language here, but a Boolean in YAML 1.1",
            at: range, label: "YAML 1.1 tools read this as `false`",
            help: ["put the language in quotes, so that every tool reads it: `\(quoted)`"],
            fixes: [
                Fix("put it in quotes", edits: [.init(range, replacement: quoted)], isSafe: true)
            ])
    }
}

/// Subtags of letters and digits, the first of two or three letters.
private func isWellFormed(_ parts: [Substring]) -> Bool {
    guard let language = parts.first, (2...3).contains(language.utf8.count),
        language.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.utf8.count)
            && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

/// Other common names for a language: a country code, a code of three letters, its name.
private let otherNames: [String: String] = [
    "gr": "el", "jp": "ja", "cn": "zh-Hans", "dk": "da", "cz": "cs", "ua": "uk",
    "us": "en-US", "gb": "en-GB", "hk": "zh-HK", "at": "de-AT", "iw": "he",
    "in": "id", "mx": "es-MX", "vn": "vi", "rs": "sr", "eng": "en", "ger": "de", "deu": "de",
    "fre": "fr", "fra": "fr", "spa": "es", "esp": "es", "ita": "it", "por": "pt", "jpn": "ja",
    "zho": "zh", "chi": "zh", "kor": "ko", "rus": "ru", "dut": "nl", "nld": "nl", "pol": "pl",
    "tur": "tr", "swe": "sv", "ara": "ar", "english": "en", "german": "de", "deutsch": "de",
    "french": "fr", "francais": "fr", "spanish": "es", "espanol": "es", "italian": "it",
    "italiano": "it", "portuguese": "pt", "japanese": "ja", "chinese": "zh", "korean": "ko",
    "russian": "ru", "dutch": "nl", "polish": "pl", "turkish": "tr", "arabic": "ar",
]

/// The codes of ISO 639-1.
private let twoLetters = Set(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
    hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
    lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
    or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
