internal import PopReports
internal import PopSource
internal import PopStories

extension Page {
    /// The page as one file: its style, its script, its data and the engine, and a policy that lets
    /// nothing else in.
    ///
    /// - Parameter watchKey: the key of a page that is watched: it looks whether its file has been
    ///   written again, and takes that over. It gives its data only to a page that has the same
    ///   key.
    package func file(
        watchKey: WatchKey? = nil, engine: String? = WebEngine.packed
    ) -> String {
        page(watchKey: watchKey, engine: engine).source
    }

    private func page(watchKey: WatchKey?, engine: String?) -> HTML {
        let watch = watchKey?.attribute ?? ""
        let policy = Self.policy(isWatched: watchKey != nil)
        let engine = engine.map {
            "<script type=\"application/wasm\" id=\"engine\">\($0)</script>\n" as HTML
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="generator" content="poprules \(Product.version)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <title>\(title)</title>
            <style>\(HTML(css: PageStyle.text))</style>
            <noscript>Turn on JavaScript to use this page.</noscript>
            <script type="application/json" id="page"\(watch)>\
            \(HTML(json: json.compact))</script>
            <script type="application/json" id="bundle">\(HTML(json: bundle))</script>
            \(engine ?? "")<script type="module">\
            \(HTML(stringLiteral: PageSources.script))</script>
            </html>

            """
    }

    /// The beginning of the files that `page` writes, as far as it identifies them.
    package static let mark = "content=\"poprules "

    /// A watched page may have one frame, in which it looks at itself.
    private static func policy(isWatched: Bool) -> String {
        let rules = [
            "default-src 'none'",
            "script-src '\(PolicyHash.script)' 'wasm-unsafe-eval'",
            "style-src '\(PolicyHash.style)'", "img-src data:", "base-uri 'none'",
            "form-action 'none'",
        ]
        return (rules + (isWatched ? ["frame-src 'self' file:"] : [])).joined(separator: "; ")
    }
}

/// The style of pages, with the colors and shapes of drawings.
enum PageStyle {
    static let text = PageSources.style.replacing("/*light*/", with: DrawingStyle.light)
        .replacing("/*dark*/", with: DrawingStyle.dark)
        .replacing("/*drawing*/\n", with: DrawingStyle.inPage)
}

/// A secret that only the pages of one run of `page --watch` share: 128 random bits.
///
/// Any site may put a page into a frame. A page in a frame gives its data only to a page with the
/// same key.
package struct WatchKey: Sendable {
    /// Hexadecimal digits.
    let text: String

    /// A new key.
    package init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The attribute of the page's data that has it.
    var attribute: HTML { " data-watch=\"\(text)\"" }
}
