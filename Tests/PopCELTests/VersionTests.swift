import PopSource
import Testing

@testable import PopCEL

struct VersionTests {
    /// Each is less than the next.
    private static let ascending = [
        "0", "0.0.1", "0.9", "0.10.0", "1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-alpha",
        "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
        "1.0.0-rc.1", "1.0.0-rc.1-x", "1.0.0", "1.0.0.5", "1.0.1-a", "1.0.1", "1.2", "1.12-beta",
        "1.12", "1.12.1", "2024.9", "2024.10.31", "99999999999999999999",
        "100000000000000000000.1",
    ]

    @Test func `versions are compared by their parts`() throws {
        let versions = try Self.ascending.map { try #require(Version($0)) }
        for (place, version) in versions.enumerated() {
            for (other, next) in versions.enumerated() {
                #expect((version < next) == (place < other), "\(version.text), \(next.text)")
                #expect((version == next) == (place == other), "\(version.text), \(next.text)")
            }
        }
    }

    @Test(arguments: [
        ("1.2", "1.2.0"), ("1", "1.0.0.0"), ("0", "0.0"), ("1.02", "1.2"),
        ("1.2-rc.1", "1.2.0-rc.01"), ("1.2+5", "1.2.0+build.7"), ("1.2-a+5", "1.2-a"),
    ])
    func `missing parts count as 0, and parts after a plus don't count`(
        left: String, right: String
    ) throws {
        let (left, right) = (try #require(Version(left)), try #require(Version(right)))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "1.x", "v1.2", "1,2", " 1.2", "1.2-", "1.2-a..b", "1.2+",
        "1.2-ä", "-1", "1.2_3", "latest", String(repeating: "1", count: 65),
    ])
    func `other strings are not versions`(text: String) {
        #expect(Version(text) == nil)
    }

    @Test func `rule conditions know versions, plain CEL does not`() throws {
        let program = try Environment.ofRules().compile(
            #"version("1.10") > version("1.9.5") && version("1.0") == version("1")"#
        ).get()
        #expect(try program.evaluate([:]) == .bool(true))
        let findings = Environment().compile(#"version("1.10") > version("1.9")"#).diagnostics
        #expect(findings.hasErrors)
    }
}
