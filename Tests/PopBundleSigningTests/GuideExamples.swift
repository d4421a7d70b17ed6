// The code of the page on signed bundles, line by line, so that it compiles.
import Foundation
import PopBundleSigning
import PopEngine
import Testing

/// Takes over what comes from the network, as far as the key signed it.
func reload(_ engine: PopupEngine, with bytes: [UInt8], _ rules: inout SignedRules) {
    do {
        engine.reload(try rules.take(bytes, at: Timestamp(.now)))
    } catch {
        print("the rules stay as they are: \(error)")
    }
}

/// A substitute for an app's requests to its server.
private func download(
    _ address: String, _ headers: [String: String]
) async throws -> (Data, Int, String?) { (Data(), 304, headers["If-None-Match"]) }

private func publicKey() -> BundlePublicKey {
    guard let key = BundlePublicKey("poprules-public-key:…") else { fatalError("no public key") }
    return key
}

@MainActor
private func fetch(
    key: BundlePublicKey, path: String, builtIn: RuleSet, screen: any Presenter
) async -> Task<Void, Never> {
    let remote = RemoteRules(key: key, keptIn: BundleFile(path: path)) { request in
        let (data, status, etag) = try await download("https://example.org/rules", request.headers)
        return BundleResponse(status: status, etag: etag, data: data)
    }
    let engine = PopupEngine(rules: await remote.rules() ?? builtIn, presenter: screen)
    let following = engine.startFollowing(remote.updates, rollOut: .betweenSessions)
    if case .new(let rules) = await remote.refresh() { engine.reload(rules) }
    print(await remote.status.lastError ?? "all is well")
    return following
}

@Suite struct `The page on signed bundles` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()

    private func lines(of path: String) throws -> [String] {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test func `shows only code that compiles`() throws {
        let examples = Set(try lines(of: "GuideExamples.swift"))
        let page = "../../docs/how-to/sign-bundles.md"
        var isCode = false
        var count = 0
        for line in try lines(of: page) {
            if line == "```swift" || line == "```" {
                isCode = line == "```swift"
            } else if isCode {
                count += 1
                #expect(examples.contains(line), "not among the examples: \(line)")
            }
        }
        #expect(count >= 15)
    }
}
