/// The engine as WebAssembly, for pages that play.
package enum WebEngine {
    /// Packed by `Web/pack.mjs` and written in base64; nil if the program was built without it.
    #if WEB_ENGINE
        package static let packed: String? = bytes
    #else
        package static let packed: String? = nil
    #endif
}
