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
            if value != .string("") { written.append(name.value) }
            if let value { texts[.string(name.value)] = value }
        }
        checkLanguages(written, of: field, at: entry, names: entries.map(\.key))
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
        _ written: [String], of field: ContentFieldModel, at entry: YAMLEntry, names: [YAMLNode]
    ) {
        if written.isEmpty {
            decoder.report(
                .noText(field.name, at: entry.value.rangeToPointAt(in: decoder.source)))
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
        decoder.report(
            .missingLanguages(
                missing, of: field.name.value, fallback: model.locales?.value.fallback,
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
            label: "the same language", secondary: [Label("first written here", at: first)],
            notes: ["differences in case or between `_` and `-` do not matter"],
            help: ["remove one of them"])
    }

    fileprivate static func noText(_ field: Located<String>, at range: SourceRange) -> Self {
        Diagnostic(
            .contentMissingLocale, message: "`\(field.value)` has no text in any language",
            at: range, label: "no text",
            help: ["add a text for each language, such as `{ en: Hello, de: Hallo }`"])
    }

    fileprivate static func missingLanguages(
        _ names: [String], of field: String, fallback: Located<String>?, required: SourceRange?,
        misspelt: YAMLNode?, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .contentMissingLocale,
            message: "`\(field)` has no text in \(enumeration(names, atMost: 12))",
            at: range, label: "\(enumeration(names, atMost: 12)) missing",
            help: ["add a text for each language that `locales` requires"])
        if let fallback, names == [fallback.value] {
            diagnostic.help = [
                "add the text in `\(names[0])`, which users of all other languages see"
            ]
            diagnostic.secondary = [Label("the fallback", at: fallback.range)]
        } else if let required {
            diagnostic.secondary = [Label("required here", at: required)]
        }
        if let misspelt {
            let names = similarNames(to: misspelt.nameForMessages, among: names)
            diagnostic.secondary.append(
                Label("similar to \(alternatives(names))", at: misspelt.range))
            diagnostic.fixes = names.count == 1 ? [.rename(misspelt.range, to: names[0])] : []
        }
        return diagnostic
    }
}
