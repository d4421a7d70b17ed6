/// The engine as WebAssembly, for pages that play.
package enum WebEngine {
    /// Compressed by gzip and written in base64; nil where the program was built without it.
    package static let gzipped: String? = nil
}
