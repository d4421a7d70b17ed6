internal import PopCEL

#if canImport(Crypto)
    internal import Crypto
#endif

/// The hashes by which a page's policy admits its own script and style, and nothing else
/// (Content Security Policy Level 3, section 6.7.2).
enum PolicyHash {
    static let script = of("\(PageSources.script)")
    static let style = of(PageStyle.text)

    private static func of(_ text: String) -> String {
        #if canImport(Crypto)
            "sha256-" + Base64.encode(Array(SHA256.hash(data: Array(text.utf8))))
        #else
            // Built without the trait that `poprules` needs: the page runs no script.
            "none"
        #endif
    }
}
