/// The engine as WebAssembly, for pages that play.
package enum WebEngine {
    /// Compressed by gzip and written in base64; nil where the program was built without it.
    #if WEB_ENGINE
        package static let gzipped: String? = bytes
    #else
        package static let gzipped: String? = nil
    #endif
}
