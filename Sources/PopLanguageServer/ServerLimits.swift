/// What one editor may use up.
package struct ServerLimits: Sendable, Hashable {
    /// Bytes of a message, its header apart; a document of 16 MiB fits with every byte escaped.
    package var messageBytes = 128 * 1024 * 1024
    /// Bytes of a header.
    package var headerBytes = 4 * 1024
    /// Bytes of an open document.
    package var documentBytes = 16 * 1024 * 1024
    /// Documents that are open at the same time.
    package var documents = 2_000
    /// What is offered at one place.
    package var completions = 1_000
    /// Popups up to which nothing is told of how far the work is.
    package var quietPopups = 200
    /// Symbols of the workspace that are answered.
    package var symbols = 1_000

    /// The standard limits, to change one by one.
    package init() {}

    /// 16 MiB a document, 2,000 documents, 1,000 completions.
    package static let standard = ServerLimits()
}
