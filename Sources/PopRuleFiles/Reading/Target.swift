#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The target of a path, links followed.
struct Target {
    let path: String
    private let kind: FileAttributeType
    private let size: UInt64

    init(of path: String) throws(ReadError) {
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: self.path)
            kind = attributes[.type] as? FileAttributeType ?? .typeUnknown
            size = attributes.number(.size) ?? 0
        } catch {
            // The target of an open descriptor of the system has no path.
            let exists = FileManager.default.fileExists(atPath: path)
            throw exists ? ReadError(path: path, .noFile) : Self.absence(of: path)
        }
        if kind == .typeSymbolicLink { throw Self.absence(of: path) }
    }

    /// The bytes of a file; errors name the path that the user knows.
    func content(of path: String, limit: Int) throws(ReadError) -> [UInt8] {
        switch kind {
        case .typeRegular: break
        case .typeDirectory: throw ReadError(path: path, .folder)
        default: throw ReadError(path: path, .noFile)
        }
        guard size <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: self.path)))
        } catch {
            throw ReadError(path: path, ReadError.Reason(error))
        }
        // It may have grown in the meantime.
        guard bytes.count <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        return bytes
    }

    /// Returns the reason why nothing is found at a path.
    private static func absence(of path: String) -> ReadError {
        let manager = FileManager.default
        if let target = try? manager.destinationOfSymbolicLink(atPath: path) {
            return ReadError(path: path, .brokenLink(to: target))
        }
        do {
            _ = try manager.attributesOfItem(atPath: path)
            return ReadError(path: path, .unreadable)
        } catch {
            return ReadError(path: path, ReadError.Reason(error))
        }
    }
}

/// The folder that files are looked up in.
struct Home {
    private let named: String
    private let target: String

    init(_ path: String) {
        named = path
        target = URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// The path of something relative to the folder, empty for the folder itself; nil if it is
    /// elsewhere.
    func path(of other: String) -> Substring? {
        if other == target { return "" }
        let start = target.hasSuffix("/") ? target : target + "/"
        return other.hasPrefix(start) ? other.dropFirst(start.count) : nil
    }

    /// Returns true if a file leads to one that is named like files of rules, tests or mappings,
    /// and isn't hidden: links can have other names than their targets. Throws if it leads out of
    /// the folder.
    func holds(_ file: Target, namedBy path: String) throws(ReadError) -> Bool {
        guard let inside = self.path(of: file.path) else {
            throw ReadError(path: path, .leadsOut(folder: named))
        }
        let names = inside.split(separator: "/")
        return names.allSatisfy { !$0.hasPrefix(".") }
            && names.last.map { RuleFiles.isKnownFile(String($0)) } == true
    }
}

extension ReadError.Reason {
    /// The reason of a system error, as far as users can do something about it.
    init(_ error: any Error) {
        self =
            switch (error as? CocoaError)?.code {
            case .fileNoSuchFile?, .fileReadNoSuchFile?: .missing
            case .fileReadNoPermission?: .forbidden
            default: .unreadable
            }
    }
}
