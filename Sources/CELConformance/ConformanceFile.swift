import Foundation
import PopSource

/// Files of conformance cases: one suite each, an array of objects.
enum ConformanceFile {
    /// The JSON files among the paths, and in the folders among them, in the order of their names.
    static func files(in paths: [String]) -> [URL] {
        paths.flatMap { path -> [URL] in
            let url = URL(fileURLWithPath: path)
            // A path that isn't a folder has no contents: it is a file.
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                return [url]
            }
            return names.filter { $0.hasSuffix(".json") }.sorted().map(url.appendingPathComponent)
        }
    }

    static func cases(in file: URL) throws -> [ConformanceCase] {
        let json = try JSON.parse(Data(contentsOf: file))
        guard case .array(let list) = json else { throw Malformed("not an array of cases") }
        let suite = file.deletingPathExtension().lastPathComponent
        return list.map { ConformanceCase($0, suite: suite) }
    }
}
