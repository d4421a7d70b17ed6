#if canImport(Crypto)
    internal import Crypto
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The hashes by which a page's policy admits its own script and style, and nothing else
/// (Content Security Policy Level 3, section 6.7.2).
enum PolicyHash {
    static let script = of("\(PageSources.script)")
    static let style = of(PageStyle.text)

    private static func of(_ text: String) -> String {
        #if canImport(Crypto)
            "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        #else
            // Built without the trait that `poprules` needs: the page runs no script.
            "none"
        #endif
    }
}
