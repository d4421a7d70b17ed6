import ArgumentParser
import PopBundleSigning
import PopEngine
internal import PopReports
import PopRuleFiles
import PopSource
import PopValidation
import PopWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Sign bundles, so that apps accept only yours.",
        discussion: """
            Apps that load bundles from a network contain the public key. They refuse
            bundles that are not signed with your key, that are older than one that
            they have seen, or that have expired.

            Example:
              poprules compile rules -o rules.popbundle
              poprules bundle keygen release
              poprules bundle sign rules.popbundle --key release.key -o signed.popbundle
              poprules bundle verify signed.popbundle --key release.pub
            """,
        subcommands: [Keygen.self, Sign.self, Verify.self])

    struct Keygen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen",
            abstract: "Make a key pair: NAME.key, which signs, and NAME.pub, which checks.",
            discussion: "Only you can read NAME.key. Anyone who has it can decide what apps show.")

        @Argument(help: "The name of the two files.")
        var name: String

        @Flag(help: "Replace existing keys.")
        var force = false

        func validate() throws {
            if name.isEmpty { throw ValidationError("the keys need a name") }
        }

        func run() throws {
            let key = BundlePrivateKey()
            let (secret, open) = ("\(name).key", "\(name).pub")
            let files = FileManager.default
            // A folder or a device isn't replaced by `--force` either.
            let targets = try [secret, open].map { try OutputFile.target(of: $0) }
            guard targets[0] != targets[1] else {
                throw EnvironmentFailure(
                    message: "`\(secret)` and `\(open)` lead to one file, which cannot hold both"
                        + " keys")
            }
            if !force, let old = [secret, open].first(where: { files.fileExists(atPath: $0) }) {
                throw EnvironmentFailure(
                    message: "`\(old)` is there already: with --force both files are replaced, and"
                        + " what an old key signed can no longer be renewed")
            }
            try NewFile.write(
                [(key.text + "\n", secret, true), (key.publicKey.text + "\n", open, false)],
                replacing: force)
            OutputFile.sayWritten(
                secret, details: ", to be kept secret, and \(escapedForTerminal(open)), for apps")
        }
    }

    struct Sign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Sign a bundle that `poprules compile` has made.",
            usage: "poprules bundle sign <bundle> --key <key> [<options>]")

        @OptionGroup var input: SignatureInput

        @Option(help: "The issue number, which must grow; by default the seconds since 1970.")
        var issue: Int64?

        @Option(help: "The time when the bundle expires, by RFC 3339; by default never.")
        var expires: String?

        @Option(name: .shortAndLong, help: "The file to write.")
        var output = "signed.popbundle"

        @OptionGroup var replacing: ReplacingOption

        func validate() throws {
            guard let issue else { return }
            if issue < 0 { throw ValidationError("--issue is counted from 0") }
            if issue > SignedBundle.largestIssue {
                throw ValidationError(
                    "--issue is at most \(SignedBundle.largestIssue), so that others can follow")
            }
        }

        func run() throws {
            let secret = try input.key("private", parse: BundlePrivateKey.init)
            let date = try expires.map { try Clock.time($0) }
            let bytes = try input.bytes()
            do {
                _ = try RuleSet(bundle: bytes)
            } catch {
                throw EnvironmentFailure(message: "`\(input.bundle)`: \(error)")
            }
            if !replacing.force {
                try OutputFile.checkIsNone(of: [input.bundle], output)
            }
            let signed = SignedBundle(
                bytes, issue: issue ?? Clock.now.seconds, expires: date)
            let file = try environment { try signed.signed(with: secret) }
            try OutputFile.write(file, to: output, kind: .bundle, force: replacing.force)
            OutputFile.sayWritten(output, details: ": \(signed.summary)")
            if let date, date <= Clock.now {
                Terminal.complain("note: \(date) is over: every app refuses this bundle")
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check a signed bundle as an app does.",
            discussion: "Exits with 1 if an app would refuse it.")

        @OptionGroup var input: SignatureInput

        @Option(help: "The newest issue that was seen before.")
        var seen: Int64?

        @Option(help: "The time at which it is checked, by RFC 3339; by default now.")
        var at: String?

        func run() throws {
            let key = try input.key("public", parse: BundlePublicKey.init)
            let time = try Clock.time(at)
            let bytes = try input.bytes()
            let name = escapedForTerminal(input.bundle)
            do throws(SignedBundleError) {
                let opened = try SignedBundle(bytes, signedFor: key)
                if let seen, opened.issue < seen {
                    throw .older(issue: opened.issue, seen: seen)
                }
                let popups = try opened.rules(at: time).popups.count
                Terminal.say("\(name): \(opened.summary), \(popups) popups")
            } catch {
                Terminal.say("\(name): \(error)")
                throw ExitCode(ExitStatus.findings)
            }
        }
    }
}

extension SignedBundle {
    fileprivate var summary: String {
        "issue \(issue), " + (expires.map { "good until \($0)" } ?? "never expires")
    }
}

/// The arguments that signing and verifying share.
struct SignatureInput: ParsableArguments {
    @Argument(help: "The bundle.")
    var bundle: String

    @Option(
        name: .customLong("key"),
        help: "The file of the key: the private one signs, the public one checks.")
    var keyFile: String

    /// The content of the bundle, of at most the size that one may have.
    func bytes() throws -> [UInt8] {
        let limit = BundleLimits.standard.json.bytes + 4_096
        do {
            let file = try Descriptor(reading: bundle)
            defer { file.end() }
            let bytes = try file.bytes(atMost: limit + 1)
            guard bytes.count <= limit else {
                throw EnvironmentFailure(message: "`\(bundle)` is larger than any bundle")
            }
            return bytes
        } catch let failure as EnvironmentFailure {
            throw failure
        } catch {
            throw EnvironmentFailure(message: "`\(bundle)` cannot be read")
        }
    }

    func key<Key>(_ kind: String, parse: (String) -> Key?) throws -> Key {
        let bytes: [UInt8]
        do {
            bytes = try RuleFiles.bytes(of: keyFile, mayBePrivateKey: true)
        } catch {
            throw EnvironmentFailure(message: "the key: \(error)")
        }
        guard bytes.count <= 1_024, let key = parse(String(decoding: bytes, as: UTF8.self)) else {
            throw EnvironmentFailure(message: "`\(keyFile)` is no \(kind) key")
        }
        return key
    }
}
