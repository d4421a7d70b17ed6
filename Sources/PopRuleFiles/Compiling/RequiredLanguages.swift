internal import PopScheduler

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
