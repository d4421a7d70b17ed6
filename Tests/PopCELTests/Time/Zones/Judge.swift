import Foundation

@testable import PopCEL

/// Another implementation that reads the same zones: the module `zoneinfo` of python3.
enum Judge {
    static let folder = "/usr/share/zoneinfo"

    static let isHere: Bool = {
        guard FileManager.default.fileExists(atPath: folder + "/Europe/Berlin") else {
            return false
        }
        return (try? run("print(ZoneInfo('Europe/Berlin'))", "")) == "Europe/Berlin\n"
    }()

    /// Every zone in the system's folder.
    static let zones: [String] = {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (paths ?? [])
            .filter { ZoneName.isWellFormed($0) && isFile(folder + "/" + $0) }.sorted()
    }()

    private static func isFile(_ path: String) -> Bool {
        ZoneFile.bytes(of: path, atMost: 4) == Array("TZif".utf8)
    }

    /// Returns the offsets of local time from UTC, in seconds, for each zone at its times.
    static func offsets(_ times: [(zone: String, times: [Int64])]) throws -> [[Int32]] {
        try lines("str(offset(zone, number))", times).map { $0.compactMap { Int32($0) } }
    }

    /// The instants at which the clocks of each zone read as much.
    static func instants(_ readings: [(zone: String, times: [Int64])]) throws -> [[[Int64]]] {
        try lines("instants(zone, number)", readings)
            .map { $0.map { $0.split(separator: "+").compactMap { Int64($0) } } }
    }

    private static func lines(
        _ expression: String, _ questions: [(zone: String, times: [Int64])]
    ) throws -> [[Substring]] {
        let input = questions.map { question in
            "\(question.zone) " + question.times.map(String.init).joined(separator: " ") + "\n"
        }
        let script = """
            for line in sys.stdin:
                name, *numbers = line.split()
                zone = ZoneInfo(name)
                print(*(\(expression) for number in map(int, numbers)))
            """
        let answers = try run(script, input.joined())
            .split(separator: "\n", omittingEmptySubsequences: false)
        return answers.dropLast().map { $0.split(separator: " ") }
    }

    private static let prelude = """
        import sys
        from datetime import datetime, timedelta, timezone
        from zoneinfo import ZoneInfo
        LOCAL, UTC, SECOND = datetime(1970, 1, 1), timezone.utc, timedelta(seconds=1)
        def offset(zone, time):
            instant = LOCAL.replace(tzinfo=UTC) + time * SECOND
            return instant.astimezone(zone).utcoffset() // SECOND
        def instants(zone, reading):
            local = (LOCAL + reading * SECOND).replace(tzinfo=zone)
            both = {reading - local.replace(fold=fold).utcoffset() // SECOND for fold in (0, 1)}
            exact = sorted(time for time in both if time + offset(zone, time) == reading)
            return '+'.join(map(str, exact)) or '-'

        """

    private static func run(_ script: String, _ input: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "judge-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (questions, answers) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try Data(input.utf8).write(to: questions)
        try Data().write(to: answers)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", prelude + script]
        process.standardInput = try FileHandle(forReadingFrom: questions)
        process.standardOutput = try FileHandle(forWritingTo: answers)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: answers), as: UTF8.self)
    }
}
