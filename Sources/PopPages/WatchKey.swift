internal import PopReports

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
