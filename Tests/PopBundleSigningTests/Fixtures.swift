import Foundation
import PopBundleSigning
import PopCEL
import PopEngine
import PopScheduler
import PopSource
import Testing

/// The keys, dates and bundles for tests of signatures.
enum Fixtures {
    static let key = privateKey(filledWith: 7)
    static let otherKey = privateKey(filledWith: 8)
    static let monday = date("2026-11-23T09:00:00Z")
    static let tuesday = date("2026-11-24T09:00:00Z")

    static func privateKey(filledWith byte: UInt8) -> BundlePrivateKey {
        let secret = Data(repeating: byte, count: 32).base64EncodedString()
        return BundlePrivateKey("poprules-private-key:\(secret)") ?? BundlePrivateKey()
    }

    static func date(_ text: String) -> Timestamp { Timestamp(parsing: text) ?? .min }

    /// A bundle whose only popup has the id.
    static func bundle(_ id: String) throws -> [UInt8] {
        let nowhere = SourceRange(file: FileID(index: 0), 0..<0)
        return RuleSet(popups: [PopupRule(id: id, at: nowhere)]).bundle()
    }

    static func signed(
        _ id: String, issue: Int64, expires: Timestamp? = nil, with key: BundlePrivateKey = key
    ) throws -> [UInt8] {
        try SignedBundle(try bundle(id), issue: issue, expires: expires).signed(with: key)
    }
}

/// A folder that is removed after the test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "poprules-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
