import Foundation
import Measuring
import RuleText

/// Measures what an editor waits for: a key, a completion and the start, with the server in a
/// process of its own.
func measureServer(poprules: String) throws -> [Figure] {
    var figures = [try start(poprules)]
    for count in [200, 5_000] { figures += try keys(poprules, popups: count) }
    return figures + [try memory(poprules)]
}

private func start(_ poprules: String) throws -> Figure {
    let folder = try Folder(popups: 1)
    let samples = try (0..<21).map { _ in
        let begun = ContinuousClock.now
        let editor = try EditorProcess(poprules, folder)
        let time = ContinuousClock.now - begun
        editor.end()
        return time
    }
    return percentile("server: start", samples)
}

private func keys(_ poprules: String, popups count: Int) throws -> [Figure] {
    let editor = try EditorProcess(poprules, Folder(popups: count))
    defer { editor.end() }
    editor.open()
    editor.wait(forQuiet: 1)
    var (keys, completions): ([Duration], [Duration]) = ([], [])
    for key in 0..<(count > 1_000 ? 60 : 200) {
        keys.append(editor.type(mistake: key.isMultiple(of: 2)))
        completions.append(editor.complete())
    }
    var advice: [Duration] = []
    for _ in 0..<5 {
        advice.append(editor.change(mistake: true))
        _ = editor.change(mistake: false)
    }
    let name = "server: \(count) popups,"
    return [
        percentile("\(name) a key", keys), percentile("\(name) completion", completions),
        percentile("\(name) what conditions mean", advice),
    ]
}

/// Returns the 95th percentile of some times as a figure.
private func percentile(_ name: String, _ times: [Duration]) -> Figure {
    let sorted = times.sorted()
    return Figure(
        "\(name), p95", .milliseconds, exactly: sorted[sorted.count * 19 / 20] / .milliseconds(1))
}

private func memory(_ poprules: String) throws -> Figure {
    let editor = try EditorProcess(poprules, Folder(popups: 200))
    defer { editor.end() }
    editor.open()
    for key in 0..<1_000 { _ = editor.type(mistake: key.isMultiple(of: 2)) }
    let before = editor.memory
    for key in 0..<9_000 { _ = editor.type(mistake: key.isMultiple(of: 2)) }
    return Figure(
        "server: memory after 10,000 keys, of 1,000", .times, exactly: editor.memory / before)
}

/// Ten files of popups.
private struct Folder {
    let url: URL
    var file: URL { url.appending(path: "rules/part3.yaml") }
    let text: String

    init(popups count: Int) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "poprules-server-\(count)")
        try? FileManager.default.removeItem(at: url)
        let rules = url.appending(path: "rules")
        try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
        let size = max(count / 10, 1)
        var texts: [String] = []
        for part in 0..<10 {
            let text = ruleText(popups: size, startingAt: part * size)
            try Data(text.utf8).write(to: rules.appending(path: "part\(part).yaml"))
            texts.append(text)
        }
        text = texts[3]
    }
}

/// A server, and the editor that speaks to it.
private final class EditorProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()
    private let folder: Folder
    private var version = 1
    private var requests = 1
    /// The place of `user.plan` in the middle of the file.
    private let line: Int
    private let column: Int

    init(_ poprules: String, _ folder: Folder) throws {
        self.folder = folder
        let lines = folder.text.split(separator: "\n", omittingEmptySubsequences: false)
        let middle = lines.indices.dropFirst(lines.count / 2)
            .first { lines[$0].contains("user.plan ==") }
        let text = middle.map { lines[$0] } ?? ""
        line = middle ?? 0
        column =
            text.range(of: "user.plan")
            .map { text.distance(from: text.startIndex, to: $0.upperBound) } ?? 0
        process.executableURL = URL(filePath: poprules)
        process.arguments = ["lsp"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        send([
            "id": 1, "method": "initialize",
            "params": [
                "rootUri": folder.url.absoluteString, "capabilities": [String: Any](),
            ] as [String: Any],
        ])
        while read()?["id"] as? Int != 1 {}
        send(["method": "initialized", "params": [String: Any]()])
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func open() {
        send([
            "method": "textDocument/didOpen",
            "params": [
                "textDocument": [
                    "uri": folder.file.absoluteString, "languageId": "yaml", "version": 1,
                    "text": folder.text,
                ] as [String: Any]
            ],
        ])
    }

    /// Types a letter into a name, or removes it again; returns the time until the result is
    /// reported.
    func type(mistake: Bool) -> Duration {
        let start: [String: Any] = ["line": line, "character": column]
        let end: [String: Any] = ["line": line, "character": column + (mistake ? 0 : 1)]
        return time {
            change(["range": ["start": start, "end": end], "text": mistake ? "x" : ""])
            while true {
                guard let codes = codes(in: read()) else { continue }
                if codes.contains("P0301") == mistake { return }
            }
        }
    }

    func complete() -> Duration {
        requests += 1
        return time {
            send([
                "id": requests, "method": "textDocument/completion",
                "params": [
                    "textDocument": ["uri": folder.file.absoluteString],
                    "position": ["line": line, "character": column],
                ] as [String: Any],
            ])
            while read()?["id"] as? Int != requests {}
        }
    }

    /// Makes a condition never true, or restores the text; returns the time until the result is
    /// reported.
    func change(mistake: Bool) -> Duration {
        let never = folder.text.replacing(
            "user.plan == \"pro\"", with: "user.plan == \"pro\" && user.plan == \"free\"",
            maxReplacements: 1)
        return time {
            change(["text": mistake ? never : folder.text])
            while true {
                guard let codes = codes(in: read()) else { continue }
                if codes.contains("P0401") == mistake { return }
            }
        }
    }

    /// Reads what comes until for some seconds nothing does.
    func wait(forQuiet seconds: Int32) {
        while hasOutput(within: seconds * 1_000) { _ = read() }
    }

    /// The memory that the server has in use, in bytes.
    var memory: Double {
        let words =
            (try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8))?
            .split(separator: " ")
        return words.flatMap { Double($0[1]) } ?? 0
    }

    private func time(_ work: () -> Void) -> Duration { ContinuousClock().measure(work) }

    private func change(_ change: [String: Any]) {
        version += 1
        send([
            "method": "textDocument/didChange",
            "params": [
                "textDocument": ["uri": folder.file.absoluteString, "version": version]
                    as [String: Any],
                "contentChanges": [change],
            ] as [String: Any],
        ])
    }

    private func codes(in message: [String: Any]?) -> [String]? {
        guard let parameters = message?["params"] as? [String: Any],
            parameters["uri"] as? String == folder.file.absoluteString,
            let list = parameters["diagnostics"] as? [[String: Any]]
        else { return nil }
        return list.compactMap { $0["code"] as? String }
    }

    private func send(_ message: [String: Any]) {
        let body =
            (try? JSONSerialization.data(withJSONObject: message.merging(["jsonrpc": "2.0"]) { $1 }))
            ?? Data()
        let header = Data("Content-Length: \(body.count)\r\n\r\n".utf8)
        try? input.fileHandleForWriting.write(contentsOf: header + body)
    }

    private func hasOutput(within milliseconds: Int32) -> Bool {
        if !buffer.isEmpty { return true }
        var descriptor = pollfd(
            fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }

    private func read() -> [String: Any]? {
        let separator = Data("\r\n\r\n".utf8)
        while true {
            if let end = buffer.range(of: separator),
                let length = Int(
                    String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                        .replacing("Content-Length: ", with: "")),
                buffer.distance(from: end.upperBound, to: buffer.endIndex) >= length
            {
                let last = buffer.index(end.upperBound, offsetBy: length)
                let body = buffer[end.upperBound..<last]
                buffer = Data(buffer[last...])
                return (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
            }
            let more = output.fileHandleForReading.availableData
            precondition(!more.isEmpty, "the server is gone")
            buffer += more
        }
    }
}
