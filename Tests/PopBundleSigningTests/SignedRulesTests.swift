import Foundation
import PopBundleSigning
import PopEngine
import PopScheduler
import Synchronization
import Testing

@Suite struct `Rules from a network` {
    private let publicKey = Fixtures.key.publicKey

    private func withRules(_ body: (inout SignedRules, String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "kept.popbundle").path
        var rules = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
        try body(&rules, path)
    }

    @Test func `are used if they are newer, and survive a restart`() throws {
        try withRules { rules, path in
            #expect(rules.rules == nil)
            try rules.take(try Fixtures.signed("old", issue: 7), at: Fixtures.monday)
            try rules.take(try Fixtures.signed("new", issue: 8), at: Fixtures.monday)
            let restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            for rules in [rules, restarted] {
                #expect(rules.rules?.popups.map(\.id) == ["new"])
                #expect(rules.issue == 8)
                #expect(rules.faultOfKept == nil)
            }
        }
    }

    @Test func `rules that are refused leave the last valid rules in force`() throws {
        try withRules { rules, path in
            let good = try Fixtures.signed(
                "good", issue: 7, expires: Fixtures.tuesday)
            try rules.take(good, at: Fixtures.monday)
            var altered = good
            altered[altered.count - 5] ^= 1
            let refused: [([UInt8], SignedBundleError)] = [
                (try Fixtures.bundle("unsigned"), .notSigned),
                (altered, .notGenuine),
                (try Fixtures.signed("forged", issue: 9, with: Fixtures.otherKey), .notGenuine),
                (try Fixtures.signed("older", issue: 6), .older(issue: 6, seen: 7)),
                (try Fixtures.signed("other", issue: 7), .older(issue: 7, seen: 7)),
                (
                    try Fixtures.signed("expired", issue: 8, expires: Fixtures.monday),
                    .expired(Fixtures.monday)
                ),
                (
                    try SignedBundle([1], issue: 8).signed(with: Fixtures.key),
                    .unusable(.notABundle)
                ),
            ]
            for (file, error) in refused {
                #expect(throws: error) { try rules.take(file, at: Fixtures.monday) }
                #expect(rules.rules?.popups.map(\.id) == ["good"])
                #expect(rules.issue == 7)
                #expect(FileManager.default.contents(atPath: path) == Data(good))
            }
        }
    }

    @Test func `may be loaded again unchanged`() throws {
        try withRules { rules, _ in
            let file = try Fixtures.signed("sale", issue: 7)
            try rules.take(file, at: Fixtures.monday)
            #expect(try rules.take(file, at: Fixtures.monday).popups.map(\.id) == ["sale"])
        }
    }

    @Test
    func `neither expired rules nor older rules are used after a restart`() throws {
        try withRules { rules, path in
            let file = try Fixtures.signed("sale", issue: 7, expires: Fixtures.tuesday)
            try rules.take(file, at: Fixtures.monday)
            var restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.tuesday)
            #expect(restarted.rules == nil)
            #expect(restarted.faultOfKept == .expired(Fixtures.tuesday))
            let older = try Fixtures.signed("older", issue: 6)
            #expect(throws: SignedBundleError.older(issue: 6, seen: 7)) {
                try restarted.take(older, at: Fixtures.tuesday)
            }
        }
    }

    @Test func `rules older than the rules of the app are refused, even from the file`() throws {
        try withRules { rules, path in
            try rules.take(try Fixtures.signed("old", issue: 7), at: Fixtures.monday)
            var updated = SignedRules(
                key: publicKey, keptAt: path, oldestIssue: 9, at: Fixtures.monday)
            #expect(updated.rules == nil)
            #expect(updated.faultOfKept == .older(issue: 7, seen: 9))
            let between = try Fixtures.signed("between", issue: 8)
            #expect(throws: SignedBundleError.older(issue: 8, seen: 9)) {
                try updated.take(between, at: Fixtures.monday)
            }
            try updated.take(try Fixtures.signed("first", issue: 9), at: Fixtures.monday)
            #expect(updated.rules?.popups.map(\.id) == ["first"])
        }
    }

    @Test func `are not read from a file that was changed`() throws {
        try withRules { rules, path in
            try rules.take(try Fixtures.signed("sale", issue: 7), at: Fixtures.monday)
            try Data("popbundle-signed 1 x\n".utf8).write(to: URL(filePath: path))
            let restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            #expect(restarted.rules == nil)
            #expect(restarted.faultOfKept == .notGenuine)
        }
    }

    /// S-H8: a folder in place of the file is an example of a file that can't be read.
    @Test func `rules are not replaced while the saved file can't be read`() throws {
        try withRules { rules, path in
            let new = try Fixtures.signed("new", issue: 8)
            try rules.take(new, at: Fixtures.monday)
            let files = FileManager.default
            try files.moveItem(atPath: path, toPath: path + ".away")
            try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            var restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            #expect(restarted.rules == nil)
            #expect(restarted.faultOfKept == .notRead(path: path))
            for issue: Int64 in [7, 9] {
                let file = try Fixtures.signed("other", issue: issue)
                #expect(throws: SignedBundleError.notRead(path: path)) {
                    try restarted.take(file, at: Fixtures.monday)
                }
            }
            try files.removeItem(atPath: path)
            try files.moveItem(atPath: path + ".away", toPath: path)
            let old = try Fixtures.signed("old", issue: 7)
            #expect(throws: SignedBundleError.older(issue: 7, seen: 8)) {
                try restarted.take(old, at: Fixtures.monday)
            }
            #expect(restarted.rules?.popups.map(\.id) == ["new"])
            #expect(restarted.faultOfKept == nil)
            #expect(files.contents(atPath: path) == Data(new))
        }
    }

    /// S-H8
    @Test(arguments: [nil, "popbundle-signed 1 x\n"])
    func `rules with a lower issue number are refused even if the saved file is lost`(
        content: String?
    ) throws {
        try withRules { rules, path in
            try rules.take(try Fixtures.signed("new", issue: 8), at: Fixtures.monday)
            try FileManager.default.removeItem(atPath: path)
            if let content { try Data(content.utf8).write(to: URL(filePath: path)) }
            var restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            #expect(restarted.rules == nil && restarted.issue == 8)
            let old = try Fixtures.signed("old", issue: 7)
            #expect(throws: SignedBundleError.older(issue: 7, seen: 8)) {
                try restarted.take(old, at: Fixtures.monday)
            }
            try restarted.take(try Fixtures.signed("new", issue: 8), at: Fixtures.monday)
            #expect(restarted.rules?.popups.map(\.id) == ["new"])
        }
    }

    /// S-H8: two parts of an app use one file.
    @Test func `never lower the highest saved issue`() throws {
        try withRules { rules, path in
            var slow = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            try rules.take(try Fixtures.signed("new", issue: 8), at: Fixtures.monday)
            #expect(throws: SignedBundleError.older(issue: 7, seen: 8)) {
                try slow.take(try Fixtures.signed("old", issue: 7), at: Fixtures.monday)
            }
            let restarted = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            #expect(restarted.issue == 8)
        }
    }

    @Test func `that cannot be saved are not used`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "missing/kept.popbundle").path
        var rules = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
        let file = try Fixtures.signed("sale", issue: 7)
        #expect(throws: SignedBundleError.notKept(path: path)) {
            try rules.take(file, at: Fixtures.monday)
        }
        #expect(rules.rules == nil)
        #expect(rules.issue == 0)
    }

    /// S-H8: two instances on one file, of which one doesn't know the rules that the other has
    /// accepted.
    @Test func `SignedRules never replaces newer rules that another SignedRules saved`() throws {
        try withRules { one, path in
            var other = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            let new = try Fixtures.signed("new", issue: 9)
            try one.take(new, at: Fixtures.monday)
            let old = try Fixtures.signed("old", issue: 8)
            #expect(throws: SignedBundleError.older(issue: 8, seen: 9)) {
                try other.take(old, at: Fixtures.monday)
            }
            let same = try Fixtures.signed("same", issue: 9)
            #expect(throws: SignedBundleError.older(issue: 9, seen: 9)) {
                try other.take(same, at: Fixtures.monday)
            }
            #expect(FileManager.default.contents(atPath: path) == Data(new))
            // It knows the newer ones now.
            #expect(other.rules?.popups.map(\.id) == ["new"])
            #expect(other.issue == 9)
            try other.take(try Fixtures.signed("newest", issue: 10), at: Fixtures.monday)
            #expect(SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday).issue == 10)
        }
    }

    /// The process ended between the two files.
    @Test
    func `rules are never replaced by older rules if the issue number was not saved`() throws {
        try withRules { one, path in
            var other = SignedRules(key: publicKey, keptAt: path, at: Fixtures.monday)
            let new = try Fixtures.signed("new", issue: 9)
            try one.take(new, at: Fixtures.monday)
            try FileManager.default.removeItem(atPath: path + ".issue")
            #expect(throws: SignedBundleError.older(issue: 8, seen: 9)) {
                try other.take(try Fixtures.signed("old", issue: 8), at: Fixtures.monday)
            }
            #expect(FileManager.default.contents(atPath: path) == Data(new))
        }
    }

    /// S-H8: two instances that take bundles at the same time.
    @Test
    func `rules never become older while two SignedRules use one file at the same time`() throws {
        try withRules { _, path in
            let key = publicKey
            let racers = [0, 1].map { _ in
                Racer(SignedRules(key: key, keptAt: path, at: Fixtures.monday))
            }
            var newest: Int64 = 0
            for round in 1...200 {
                let issues = [Int64(2 * round), Int64(2 * round + 1)].shuffled()
                let files = try issues.map { try Fixtures.signed("p\($0)", issue: $0) }
                DispatchQueue.concurrentPerform(iterations: 2) { place in
                    racers[place].rules.withLock {
                        _ = try? $0.take(files[place], at: Fixtures.monday)
                    }
                }
                let kept = try SignedBundle(
                    Array(try Data(contentsOf: URL(filePath: path))), signedFor: key)
                #expect(kept.issue > newest)
                #expect(kept.issue == Int64(2 * round + 1))
                newest = kept.issue
            }
        }
    }
}

private final class Racer: Sendable {
    let rules: Mutex<SignedRules>

    init(_ rules: SignedRules) { self.rules = Mutex(rules) }
}
