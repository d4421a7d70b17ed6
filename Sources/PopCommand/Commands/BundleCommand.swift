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
        abstract: "Sign bundles, so that apps accept only your bundles.",
        discussion: """
            An app that loads bundles from a network contains the public key. It rejects
            bundles that are not signed with your key, are older than a bundle that it
            has already accepted, or have expired.

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
            abstract: "Make a key pair: NAME.key to sign and NAME.pub to verify.",
            discussion: """
                Keep NAME.key secret: anyone who has it can sign bundles for your apps. Only
                your account can read the file.
                """)

        @Argument(help: "The name of both files, without extension.")
        var name: String

        @Flag(help: "Replace existing keys.")
        var force = false

        func validate() throws {
            if name.isEmpty { throw ValidationError("the name of the keys must not be empty") }
        }

        func run() throws {
            let key = BundlePrivateKey()
            let (secret, open) = ("\(name).key", "\(name).pub")
            let files = FileManager.default
            // A folder or a device isn't replaced by `--force` either.
            let targets = try [secret, open].map { try OutputFile.target(of: $0) }
            guard targets[0] != targets[1] else {
                throw EnvironmentFailure(
                    message: "`\(secret)` and `\(open)` are the same file, which cannot hold both"
                        + " keys")
            }
            if !force, let old = [secret, open].first(where: { files.fileExists(atPath: $0) }) {
                throw EnvironmentFailure(
                    message: "`\(old)` already exists: use --force to replace `\(secret)` and"
                        + " `\(open)`; apps with the old public key then reject bundles signed with"
                        + " the new key")
            }
            try NewFile.write(
                [(key.text + "\n", secret, true), (key.publicKey.text + "\n", open, false)],
                replacing: force)
            OutputFile.sayWritten(
                secret, details: " (keep it secret) and \(escapedForTerminal(open)) (for apps)")
        }
    }

    struct Sign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Sign a bundle that `poprules compile` has made.",
            usage: "poprules bundle sign <bundle> --key <key> [<options>]")

        @OptionGroup var input: SignatureInput

        @Option(
            help: ArgumentHelp(
                "The issue number, which must be higher for each new bundle. (default: seconds"
                    + " since 1970)"))
        var issue: Int64?

        @Option(
            help: ArgumentHelp(
                "The time at which the bundle expires, such as 2027-01-31T00:00:00Z; by default"
                    + " never."))
        var expires: String?

        @Option(name: .shortAndLong, help: "The file to write.")
        var output = "signed.popbundle"

        @OptionGroup var replacing: ReplacingOption

        func validate() throws {
            guard let issue else { return }
            if issue < 0 { throw ValidationError("--issue must not be negative") }
            if issue > SignedBundle.largestIssue {
                throw ValidationError(
                    "--issue must be at most \(SignedBundle.largestIssue)")
            }
        }

        func run() throws {
            let secret = try input.key("private", parse: BundlePrivateKey.init)
            let date = try expires.map { try Clock.time($0) }
            let bytes = try input.bytes(
                insteadOfFolder: "first use `poprules compile \(input.bundle.quotedForShell)"
                    + " -o rules.popbundle`, then `poprules bundle sign rules.popbundle --key"
                    + " \(input.keyFile.quotedForShell)`")
            guard !OutputKind.isSigned(bytes) else {
                throw EnvironmentFailure(
                    message: "`\(input.bundle)` is already signed: sign the bundle that it was made"
                        + " from, such as `rules.popbundle`")
            }
            do {
                _ = try RuleSet(bundle: bytes)
            } catch {
                throw EnvironmentFailure(message: "`\(input.bundle)`: \(error)")
            }
            let inputs = [input.keyFile] + (replacing.force ? [] : [input.bundle])
            try OutputFile.checkIsNone(of: inputs, output)
            let signed = SignedBundle(
                bytes, issue: issue ?? Clock.now.seconds, expires: date)
            let file = try environment { try signed.signed(with: secret) }
            try OutputFile.write(file, to: output, kind: .bundle, force: replacing.force)
            OutputFile.sayWritten(output, details: ": \(signed.summary)")
            if let date, date <= Clock.now {
                Terminal.complain("note: \(date) is in the past: every app rejects this bundle")
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify a signed bundle as an app does.",
            discussion: "Exits with 1 if an app would reject the bundle.")

        @OptionGroup var input: SignatureInput

        @Option(help: "The highest issue number that the app has already accepted.")
        var seen: Int64?

        @Option(help: "The time of the check, such as 2026-11-20T09:00:00Z; by default now.")
        var at: String?

        func run() throws {
            let key = try input.key("public", parse: BundlePublicKey.init)
            let time = try Clock.time(at)
            let bytes = try input.bytes(
                insteadOfFolder: "name the signed bundle, such as `signed.popbundle`")
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
        "issue number \(issue), " + (expires.map { "expires \($0)" } ?? "never expires")
    }
}

/// The arguments that signing and verifying share.
struct SignatureInput: ParsableArguments {
    @Argument(help: "The bundle file.")
    var bundle: String

    @Option(
        name: .customLong("key"),
        help: "The key file: NAME.key to sign, NAME.pub to verify.")
    var keyFile: String

    /// Returns the content of the bundle, of at most the size that one may have.
    ///
    /// - Parameter advice: The advice to someone who names a folder.
    func bytes(insteadOfFolder advice: String) throws -> [UInt8] {
        guard let owner = FileOwner(bundle, followingLinks: true) else {
            throw EnvironmentFailure(message: "there is no file `\(bundle)`")
        }
        if owner.isFolder {
            throw EnvironmentFailure(
                message: "`\(bundle)` is a folder, not a bundle: \(advice)")
        }
        let limit = BundleLimits.standard.json.bytes + 4_096
        do {
            let file = try Descriptor(reading: bundle)
            defer { file.end() }
            let bytes = try file.bytes(atMost: limit + 1)
            guard bytes.count <= limit else {
                throw EnvironmentFailure(message: "`\(bundle)` is too large to be a bundle")
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
            throw EnvironmentFailure(message: "cannot read the key: \(error)")
        }
        guard bytes.count <= 1_024, let key = parse(String(decoding: bytes, as: UTF8.self)) else {
            throw EnvironmentFailure(message: "`\(keyFile)` is not a \(kind) key")
        }
        return key
    }
}
