internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension RuleCompiler {
    /// Returns a string for each language.
    mutating func texts(of field: ContentFieldModel, at entry: YAMLEntry) -> Value? {
        let entries = entry.value.entries
        let cut = decoder.inside(key: entry.key) { decoder in
            decoder.reportCutTexts(in: entries) { LocaleProblem($0, among: []) == nil }
        }
        let tags = Set(entries.compactMap { $0.key.text.map { LocaleTag($0) } })
        var texts = ValueMap()
        var seen: [LocaleTag: SourceRange] = [:]
        // A string that was cut off counts as written.
        var written: [String] = []
        var empty: [String] = []
        for (position, text) in entries.enumerated() {
            guard let name = decoder.localeName(text.key) else { continue }
            let isCut = cut.contains(position)
            if isCut, text.isKeyAlone(in: decoder.source) { continue }
            // A language that is meant by an unknown name is not reported as missing as well.
            written += check(language: name, beside: tags, seen: &seen)
            if isCut {
                written.append(name.value)
                continue
            }
            let value = decoder.inside(key: text.key) { decoder in
                decoder.inside(keyNamed: "\(field.name.value).\(name.value)") {
                    $0.value(of: field, at: text.value)
                }
            }
            if value == .string("") {
                empty.append(name.value)
            } else {
                written.append(name.value)
            }
            if let value { texts[.string(name.value)] = value }
        }
        checkLanguages(written, empty: empty, of: field, at: entry, names: entries.map(\.key))
        return .map(texts)
    }

    /// Returns true if all keys of a map are languages.
    func isMapOfLanguages(_ node: YAMLNode) -> Bool {
        !node.entries.isEmpty
            && node.entries.allSatisfy { entry in
                guard let name = entry.key.scalar?.text else { return false }
                return LocaleProblem(name, among: []) == nil
            }
    }

    /// The languages that every text is needed in.
    private mutating func languages() -> RequiredLanguages {
        if let known = requiredLanguages { return known }
        let found = RequiredLanguages(model.locales?.value)
        requiredLanguages = found
        return found
    }

    /// Returns the languages that may be meant by a name that isn't a language.
    private mutating func check(
        language: Located<String>, beside tags: Set<LocaleTag>,
        seen: inout [LocaleTag: SourceRange]
    ) -> [String] {
        let (name, place) = (language.value, language.range)
        if let problem = LocaleProblem(name, among: languages().names) {
            decoder.report(problem.finding(at: place, taken: tags))
            return problem.meant
        }
        if decoder.source.bytes[place.lower] | 0x20 == UInt8(ascii: "n"),
            let finding = Diagnostic.languageLikeBool(name, at: place)
        {
            decoder.report(finding)
        }
        if let first = seen.updateValue(place, forKey: LocaleTag(name)) {
            decoder.report(.languageTwice(language, first: first))
        }
        return []
    }

    /// A required language may have its text from a broader one, as `de-CH` from `de`.
    private mutating func checkLanguages(
        _ written: [String], empty: [String], of field: ContentFieldModel, at entry: YAMLEntry,
        names: [YAMLNode]
    ) {
        if written.isEmpty {
            decoder.report(
                .noText(
                    field.name, isEmpty: !empty.isEmpty,
                    at: entry.value.rangeToPointAt(in: decoder.source)))
            return
        }
        let languages = languages()
        let missing = languages.missing(from: written)
        if missing.isEmpty { return }
        // `dee` may be a language, but not one that is required.
        let misspelt = names.first { key in
            guard let name = key.scalar?.text, !languages.serve(name) else { return false }
            return !decoder.suggestions(for: name, among: missing).isEmpty
        }
        let emptyTags = Set(empty.map { LocaleTag($0) })
        decoder.report(
            .missingLanguages(
                missing, areEmpty: missing.allSatisfy { emptyTags.contains(LocaleTag($0)) },
                of: field.name.value, fallback: model.locales?.value.fallback,
                required: model.locales?.value.required?.range, misspelt: misspelt,
                at: entry.value.rangeToPointAt(in: decoder.source)))
    }
}

extension Decoder {
    /// The name of a language as a key; reports keys that aren't strings.
    fileprivate mutating func localeName(_ key: YAMLNode) -> Located<String>? {
        if key.isBroken { return nil }
        guard let text = key.scalar?.text else {
            report(.localeIsNoName(at: key.range))
            return nil
        }
        return Located(text, at: key.range)
    }
}

extension Diagnostic {
    fileprivate static func localeIsNoName(at range: SourceRange) -> Self {
        Diagnostic(
            .contentUnknownLocale, message: "a language must be a code such as `en`", at: range,
            label: "not a language")
    }

    fileprivate static func languageTwice(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .yamlDuplicateKey, message: "the language `\(name.value)` is written twice",
            at: name.range,
            label: "the same language again",
            secondary: [Label("the language is first written here", at: first)],
            notes: ["`en`, `EN` and `En` are the same language; so are `pt-BR` and `pt_BR`"],
            help: ["remove one of the two strings"])
    }

    fileprivate static func noText(
        _ field: Located<String>, isEmpty: Bool, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentMissingLocale,
            message: isEmpty
                ? "`\(field.value)` has only empty strings"
                : "`\(field.value)` has no string in any language",
            at: range, label: isEmpty ? "the strings of all languages are empty" : "no string",
            help: ["write a string for each language, such as `{ en: Hello, de: Hallo }`"])
    }

    fileprivate static func missingLanguages(
        _ names: [String], areEmpty: Bool, of field: String, fallback: Located<String>?,
        required: SourceRange?, misspelt: YAMLNode?, at range: SourceRange
    ) -> Self {
        let languages = enumeration(names, atMost: 12)
        var diagnostic = Diagnostic(
            .contentMissingLocale,
            message: "`\(field)` \(areEmpty ? "is empty" : "has no string") in \(languages)",
            at: range, label: areEmpty ? "empty in \(languages)" : "\(languages) missing",
            help: [
                "\(areEmpty ? "write" : "add") the missing strings of `\(field)` in \(languages),"
                    + " such as `\(names[0]): …`, because `locales` requires"
                    + " \(names.count == 1 ? "this language" : "these languages")"
            ])
        if let fallback, names == [fallback.value] {
            diagnostic.help = [
                "write a string in `\(names[0])`; users of all other languages see this string"
            ]
            diagnostic.secondary = [Label("the fallback language", at: fallback.range)]
        } else if let required {
            diagnostic.secondary = [Label("required here", at: required)]
        }
        if let misspelt {
            let names = similarNames(to: misspelt.nameForMessages, among: names)
            diagnostic.secondary.append(
                Label("did you mean \(alternatives(names))?", at: misspelt.range))
            diagnostic.fixes = names.count == 1 ? [.rename(misspelt.range, to: names[0])] : []
        }
        return diagnostic
    }
}

extension RuleCompiler {
    /// Looks for a `\n` that would be shown to users as written: only in double quotes is it a line
    /// break. In a path it is intended.
    mutating func checkLineBreaks(in texts: [YAMLNode]) {
        for node in texts {
            guard let scalar = node.scalar, scalar.style != .doubleQuoted,
                scalar.text.contains("\\n"), !scalar.text.contains(":\\")
            else { continue }
            decoder.report(.shownBackslash(scalar.text, style: scalar.style, at: node.range))
        }
    }
}

extension Diagnostic {
    fileprivate static func shownBackslash(
        _ text: String, style: YAMLScalar.Style, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlConfusable, message: "`\\n` is not a line break outside double quotes", at: range,
            label: "users see a backslash and an `n`")
        // In double quotes another backslash would mean something else.
        guard style == .plain || style == .singleQuoted, !text.contains("\n"),
            !text.replacing("\\n", with: "").contains("\\")
        else {
            diagnostic.help = ["start a new line instead of writing `\\n`"]
            return diagnostic
        }
        let quoted = "\"\(text.replacing("\"", with: "\\\""))\""
        diagnostic.help = [
            "if you mean a line break, use double quotes: `\(quoted.shortened)`"
        ]
        diagnostic.fixes = [
            Fix("write double quotes", edits: [.init(range, replacement: quoted)], isSafe: false)
        ]
        return diagnostic
    }
}

/// The languages that every localized text is needed in: those that `locales` requires, and its
/// fallback.
struct RequiredLanguages: Sendable {
    /// As they are written.
    let names: [String]
    private let tags: Set<LocaleTag>
    /// For each name, the languages whose strings serve it, from the language tag itself to its
    /// bare language.
    private let widening: [[LocaleTag]]

    /// None where the rules have no `locales`.
    init(_ locales: LocalesModel?) {
        // A name that isn't a language has no missing strings.
        var names = (locales?.required?.value.map(\.value) ?? [])
            .filter { LocaleProblem($0, among: []) == nil }
        if let fallback = locales?.fallback?.value, LocaleProblem(fallback, among: []) == nil,
            LocaleTag(fallback).match(in: names) == nil
        {
            names.append(fallback)
        }
        self.names = names
        widening = names.map { LocaleTag($0).widening }
        tags = Set(widening.map { $0[0] })
    }

    /// Returns the languages that no string serves: `de-CH` may have its string from a broader
    /// language, such as `de`.
    func missing(from written: [String]) -> [String] {
        let written = Set(written.map { LocaleTag($0) })
        return zip(names, widening).filter { !$0.1.contains(where: written.contains) }.map(\.0)
    }

    /// Returns true if a string in one of the required languages would serve a language.
    func serve(_ name: String) -> Bool { LocaleTag(name).widening.contains(where: tags.contains) }
}

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
            reason = "use the language code `\(code)`"
            meant = [code]
        } else if parts.dropFirst().contains("uk") {
            reason =
                "use `\(language)-GB`, because `GB` is the code of the United Kingdom"
            meant = ["\(language)-GB"]
        } else if name.utf8.count > LocaleTag.longest {
            reason = "use a language code with at most \(LocaleTag.longest) characters"
            meant = []
        } else if !isWellFormed(parts) || language.utf8.count == 2 && !twoLetters.contains(language)
        {
            meant = similarNames(to: name, among: known)
            reason =
                meant.isEmpty
                ? "use a language code, which starts with two or three letters, such as `en`,"
                    + " `de-CH` or `fil`"
                : "did you mean \(alternatives(meant))?"
        } else {
            return nil
        }
    }

    /// `taken` are the other languages of the same map.
    func finding(at range: SourceRange, taken: Set<LocaleTag> = []) -> Diagnostic {
        let meant = meant.filter { !taken.contains(LocaleTag($0)) }
        let isTaken = meant.isEmpty && !self.meant.isEmpty
        return Diagnostic(
            .contentUnknownLocale, message: "unknown language `\(name.shortened)`", at: range,
            label: "not a known language code",
            help: [
                isTaken
                    ? "if you mean \(alternatives(self.meant)), remove `\(name.shortened)`, because"
                        + " \(alternatives(self.meant)) is already in this map; if you mean another"
                        + " language, use its code"
                    : reason
            ],
            fixes: meant.count == 1 ? [.rename(range, to: meant[0])] : [])
    }
}

extension Diagnostic {
    /// Norwegian, which is `false` to many a tool; nil for any other language.
    static func languageLikeBool(_ name: String, at range: SourceRange) -> Self? {
        guard name.lowercased() == "no" else { return nil }
        let quoted = "\"\(name)\""
        return Diagnostic(
            .yamlImplicitType,
            message: "`\(name)` is a language here, but means `false` in YAML 1.1",
            at: range, label: "some tools read this as `false`, not as Norwegian",
            help: ["put the language in quotes, so that every tool reads a string: `\(quoted)`"],
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

// Languages in the names of fields: `title_de` instead of `title: { de: … }`.
extension RuleCompiler {
    /// Returns the localized field and the language that a name such as `title_de` or `titleDE`
    /// consists of; nil for other names.
    mutating func languageInName(
        _ name: String, fields: [String: ContentFieldModel]
    ) -> (field: ContentFieldModel, language: String)? {
        guard name.utf8.count <= longestReading else { return nil }
        for end in name.indices.dropFirst() {
            let rest = name[end...].drop { "_-.".contains($0) }
            guard rest.count >= 2, rest.startIndex > end || name[end].isUppercase,
                let field = fields[String(name[..<end])], field.isLocalized
            else { continue }
            let language = String(rest).replacing("_", with: "-")
            guard LocaleProblem(language, among: []) == nil, languages().serve(language) else {
                continue
            }
            let known = languages().names.first { LocaleTag($0) == LocaleTag(language) }
            return (field, known ?? language)
        }
        return nil
    }

    /// Reports the fields of a content that are strings of one localized field, the first of which
    /// is at a position.
    mutating func reportLanguages(
        of field: ContentFieldModel, in entries: YAMLEntries, from position: Int,
        template: TemplateModel, fields: [String: ContentFieldModel]
    ) {
        let name = field.name.value
        var strings: [(language: String, entry: YAMLEntry)] = []
        for entry in entries[position...] {
            guard let text = entry.key.scalar?.text, fields[text] == nil,
                let found = languageInName(text, fields: fields), found.field.name.value == name
            else { continue }
            strings.append((found.language, entry))
        }
        var parts = strings.map { language, entry in
            decoder.onOneLine(entry.value).map { "\(language): \($0)" }
        }
        if let own = entries.first(where: { $0.key.scalar?.text == name })?.value {
            if own.kind == .mapping {
                parts = own.entries.map { decoder.onOneLine($0) } + parts
            } else {
                let written = Set(strings.map { LocaleTag($0.language) })
                let fallback = [model.locales?.value.fallback?.value].compactMap(\.self)
                let other = (fallback + languages().names).first {
                    !written.contains(LocaleTag($0))
                }
                let text = decoder.onOneLine(own)
                parts.insert(other.flatMap { tag in text.map { "\(tag): \($0)" } }, at: 0)
            }
        }
        let isWhole = !parts.isEmpty && !parts.contains(nil)
        let map = parts.compactMap(\.self).joined(separator: ", ")
        decoder.report(
            .languagesInNames(
                strings.map(\.entry.key), of: name, template: template,
                map: isWhole ? "{ \(map) }" : "{ en: Welcome, de: Willkommen }"))
    }
}

extension Diagnostic {
    fileprivate static func languagesInNames(
        _ keys: [YAMLNode], of field: String, template: TemplateModel, map: String
    ) -> Self {
        Diagnostic(
            .contentUnknownKey,
            message: "the template `\(template.name.value)` has no field"
                + " `\(keys[0].nameForMessages)`",
            at: keys[0].range, label: "the string of one language belongs inside `\(field)`",
            secondary: [Label("the template is declared here", at: template.name.range)]
                + keys.dropFirst().prefix(4).map {
                    Label("also belongs inside `\(field)`", at: $0.range)
                },
            help: ["write one string per language in `\(field)`, such as `\(field): \(map)`"])
    }
}
