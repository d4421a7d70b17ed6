internal import PopScheduler

/// The languages that every localized text is needed in: those that `locales` requires, and its
/// fallback.
struct RequiredLanguages: Sendable {
    /// As they are written.
    let names: [String]
    private let tags: Set<LocaleTag>
    /// For each, whose texts those get who read it, from itself to its language alone.
    private let widening: [[LocaleTag]]

    /// None where the rules have no `locales`.
    init(_ locales: LocalesModel?) {
        // No text is missing in what is no language.
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

    /// Those that no text serves: `de-CH` may have its text from a broader one, such as `de`.
    func missing(from written: [String]) -> [String] {
        let written = Set(written.map { LocaleTag($0) })
        return zip(names, widening).filter { !$0.1.contains(where: written.contains) }.map(\.0)
    }

    /// Whether a text in one of them would be read in a language.
    func serve(_ name: String) -> Bool { LocaleTag(name).widening.contains(where: tags.contains) }
}
