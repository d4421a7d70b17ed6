import PopBundleSigning
import PopEngine
import PopScheduler
import PopSource
import Testing

@Suite struct `A signed bundle` {
    private let key = Fixtures.key

    @Test func `contains what was signed`() throws {
        let file = try Fixtures.signed("sale", issue: 7, expires: Fixtures.tuesday)
        let opened = try SignedBundle(file, signedFor: key.publicKey)
        #expect(opened.issue == 7)
        #expect(opened.expires == Fixtures.tuesday)
        #expect(opened.bundle == (try Fixtures.bundle("sale")))
        #expect(try opened.rules(at: Fixtures.monday).popups.map(\.id) == ["sale"])
    }

    /// S-L4
    @Test func `has an issue that leaves room for a later issue`() throws {
        let largest = SignedBundle.largestIssue
        let file = try Fixtures.signed("last", issue: largest)
        #expect(try SignedBundle(file, signedFor: key.publicKey).issue == largest)
    }

    @Test func `a signed bundle is refused if any bit is flipped`() throws {
        let file = try Fixtures.signed("sale", issue: 7, expires: Fixtures.tuesday)
        for place in file.indices {
            for bit in 0..<8 {
                var changed = file
                changed[place] ^= 1 << UInt8(bit)
                #expect(throws: SignedBundleError.self, "bit \(bit) of byte \(place)") {
                    try SignedBundle(changed, signedFor: key.publicKey)
                }
            }
        }
    }

    @Test func `a signed bundle is refused if it is cut off anywhere or made longer`() throws {
        let file = try Fixtures.signed("sale", issue: 7)
        for length in file.indices {
            #expect(throws: SignedBundleError.self, "\(length) bytes") {
                try SignedBundle(file.prefix(length), signedFor: key.publicKey)
            }
        }
        for more in [[0], [10], Array(" ".utf8), file] {
            #expect(throws: SignedBundleError.notGenuine) {
                try SignedBundle(file + more, signedFor: key.publicKey)
            }
        }
    }

    @Test func `a bundle that another key signed is refused`() throws {
        let file = try Fixtures.signed("sale", issue: 7, with: Fixtures.otherKey)
        #expect(throws: SignedBundleError.notGenuine) {
            try SignedBundle(file, signedFor: key.publicKey)
        }
    }

    @Test func `a signed bundle is distinguished from an unsigned bundle`() throws {
        for bytes in [try Fixtures.bundle("sale"), [], Array("popbundle-signed ".utf8)] {
            #expect(throws: SignedBundleError.notSigned) {
                try SignedBundle(bytes, signedFor: key.publicKey)
            }
        }
    }

    @Test func `a bundle without a signature, or with one of another key, is refused`() throws {
        let file = try Fixtures.signed("sale", issue: 7)
        let other = try Fixtures.signed("other", issue: 8)
        let behind = try #require(file.firstIndex(of: 10))
        for first in ["popbundle-signed 1", "popbundle-signed 1 ", "popbundle-signed 1 AAAA"] {
            #expect(throws: SignedBundleError.notGenuine, "\(first)") {
                try SignedBundle(Array(first.utf8) + file[behind...], signedFor: key.publicKey)
            }
        }
        let end = try #require(other.firstIndex(of: 10))
        #expect(throws: SignedBundleError.notGenuine) {
            try SignedBundle(Array(other[..<end]) + file[behind...], signedFor: key.publicKey)
        }
    }

    @Test func `of a newer format is refused with both version numbers`() {
        #expect(throws: SignedBundleError.newer(version: 2, known: 1)) {
            try SignedBundle("popbundle-signed 2 x\n".utf8, signedFor: key.publicKey)
        }
    }

    @Test func `whose signed content isn't a bundle is refused`() throws {
        let file = try SignedBundle(Array("hello".utf8), issue: 1).signed(with: key)
        let opened = try SignedBundle(file, signedFor: key.publicKey)
        #expect(throws: SignedBundleError.unusable(.notABundle)) {
            try opened.rules(at: Fixtures.monday)
        }
    }

    @Test func `over the limit is refused without being read`() throws {
        var limits = BundleLimits()
        limits.json.bytes = 10
        #expect(throws: SignedBundleError.tooLarge(limit: 1_034)) {
            try SignedBundle(
                [UInt8](repeating: 0, count: 1_035), signedFor: key.publicKey, limits: limits)
        }
    }

    @Test func `a signed bundle is valid until it expires`() throws {
        let file = try Fixtures.signed("sale", issue: 7, expires: Fixtures.tuesday)
        let opened = try SignedBundle(file, signedFor: key.publicKey)
        #expect(throws: Never.self) { try opened.rules(at: Fixtures.monday) }
        #expect(throws: SignedBundleError.expired(Fixtures.tuesday)) {
            try opened.rules(at: Fixtures.tuesday)
        }
    }
}

@Suite struct `A signing key` {
    @Test func `is read exactly as it was written, and other strings are refused`() throws {
        let key = BundlePrivateKey()
        #expect(BundlePrivateKey(key.text + "\n")?.text == key.text)
        #expect(BundlePublicKey(key.publicKey.text + " \r\n") == key.publicKey)
        #expect(BundlePrivateKey(key.publicKey.text) == nil)
        #expect(BundlePublicKey(key.text) == nil)
        for text in ["", "poprules-private-key:", "poprules-private-key:AAAA", key.text + "A"] {
            #expect(BundlePrivateKey(text) == nil)
        }
        for end in key.text.indices { #expect(BundlePrivateKey(String(key.text[..<end])) == nil) }
    }

    /// S-L4: of these points each is of order 8 or less, with either bit of the sign.
    @Test(arguments: [
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=",
        "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/IU=",
        "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o=",
        "7P///////////////////////////////////////38=",
        "7f///////////////////////////////////////38=",
        "7v///////////////////////////////////////38=",
    ])
    func `is not a valid public key if it accepts forged signatures`(point: String) {
        #expect(BundlePublicKey("poprules-public-key:\(point)") == nil)
    }

    @Test func `is different each time it is generated`() {
        #expect(BundlePrivateKey().publicKey != BundlePrivateKey().publicKey)
    }
}
