internal import PopScheduler
internal import PopSource

/// A file of a checkpoint: JSON with a hash of it, of its name, and of what it belongs to. A file
/// that was damaged, cut off, or comes from another run or another part is noticed.
struct SealedFile {
    let folder: String
    let name: String
    /// The seal of the file that this one belongs to; empty for none.
    var owner = ""
    var limits = BacktestLimits.standard

    var path: String { "\(folder)/\(name)" }

    /// The content of a sealed file.
    struct Content {
        var json: JSON
        var seal: String
    }

    /// Returns the content of the file; nil if there is no file.
    func read() throws(BacktestError) -> Content? {
        guard let json = try readAny() else { return nil }
        guard let content = json["content"], json["seal"]?.text == seal(of: content.compact) else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        return Content(json: content, seal: seal(of: content.compact))
    }

    /// Returns the content without checking the seal, for files that other versions have written.
    func readAny() throws(BacktestError) -> JSON? {
        let file: SystemFile
        do throws(BacktestError) {
            file = try SystemFile(regular: path)
        } catch {
            // A link in place of the file counts as damage. After other errors of the system, the
            // file may be intact.
            guard case .system(_, let code) = error, !SystemPaths.isLinkLoop(code) else {
                throw .damagedCheckpoint(path, folder: folder)
            }
            if SystemPaths.isMissing(code) { return nil }
            throw error
        }
        let size = file.size
        guard size <= limits.checkpointBytes else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        var bytes: [UInt8] = []
        try file.read(size, path: path, behind: &bytes)
        guard let json = try? JSON.parse(bytes, limits: jsonLimits) else {
            throw .damagedCheckpoint(path, folder: folder)
        }
        return json
    }

    private var jsonLimits: JSONLimits {
        var json = JSONLimits()
        json.bytes = limits.checkpointBytes
        json.values = limits.checkpointValues
        json.takesRepeatedKeys = false
        return json
    }

    /// Writes the file, which is there whole or not at all, and on disk afterwards. Returns its
    /// seal; nil for content of more bytes or values than are read again.
    func write(_ content: JSON) throws(BacktestError) -> String? {
        let text = content.compact
        let seal = seal(of: text)
        // The same as the JSON of both members.
        let bytes = Array("{\"seal\":\"\(seal)\",\"content\":\(text)}".utf8)
        guard bytes.count <= limits.checkpointBytes,
            content.valueCount + 2 <= limits.checkpointValues
        else { return nil }
        let draft = path + ".new"
        SystemPaths.remove(draft)
        let file = try SystemFile(making: draft)
        try file.write(bytes, path: draft)
        try file.sync(path: draft)
        try SystemPaths.rename(draft, to: path)
        try SystemPaths.sync(folder: folder)
        return seal
    }

    private func seal(of content: String) -> String {
        var hash = StableHash()
        for part in [owner, name, content] {
            hash.add(number: UInt64(part.utf8.count))
            hash.add(part.utf8)
        }
        return String(hash.value, radix: 16)
    }
}

extension JSON {
    /// The number of values that it has, itself included.
    fileprivate var valueCount: Int {
        switch self {
        case .null, .bool, .int, .uint, .double, .string: 1
        case .array(let items): items.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        }
    }
}
