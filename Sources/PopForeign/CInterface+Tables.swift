public import CPoprules
internal import PopBacktest

// The functions of poprules.h that play logs.

/// Plays rules against a log, a table.
@c @implementation
public func pop_replay_table(
    _ rules: pop_handle, _ mapping: UnsafePointer<CChar>?,
    _ log: UnsafeMutablePointer<ArrowArrayStream>?,
    _ rows: UnsafeMutablePointer<ArrowArrayStream>?, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe pop_replay_part(rules, mapping, nil, nil, log, rows, nil, answer)
}

/// Plays rules against a part of a log, between what is known before and after it.
@c @implementation
public func pop_replay_part(
    _ rules: pop_handle, _ mapping: UnsafePointer<CChar>?, _ until: UnsafePointer<CChar>?,
    _ histories: UnsafeMutablePointer<ArrowArrayStream>?,
    _ log: UnsafeMutablePointer<ArrowArrayStream>?,
    _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
    _ after: UnsafeMutablePointer<ArrowArrayStream>?, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    let given = unsafe [log, histories].compactMap { unsafe $0 }
    let places = unsafe [rows, after].compactMap { unsafe $0 }
    unsafe places.filter { unsafe !given.contains($0) }.forEach {
        unsafe $0.initialize(to: ArrowArrayStream())
    }
    defer { unsafe given.forEach { unsafe $0.pointee.release?($0) } }
    return unsafe answeringOutside(answer) { () throws(ForeignError) in
        guard unsafe Set(given + places).count == given.count + places.count else {
            throw .invalidArgument("the pointers to the streams must all be different")
        }
        let log = unsafe try stream(log)
        guard let rows = unsafe rows else {
            throw .invalidArgument("the pointer for the rows is null")
        }
        let end = unsafe try until == nil ? Int64.max : time(text(until, of: "time"))
        var replay = unsafe try TableReplay(
            ForkGate.inside { () throws(ForeignError) in try loaded(rules).rules },
            mapping: mapping == nil ? nil : text(mapping, of: "mapping"))
        if unsafe histories != nil { unsafe try replay.readHistories(stream(histories)) }
        unsafe try replay.read(log)
        let (table, sums) = unsafe try replay.play(until: end, isPart: after != nil)
        unsafe ArrowExport.fill(rows, with: table.columns, rows: table.users.count)
        if let after = unsafe after {
            unsafe ArrowExport.fill(after, with: replay.histories, rows: replay.historyCount)
        }
        return Array(sums.utf8)
    }
}

private func stream(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) throws(ForeignError) -> UnsafeMutablePointer<ArrowArrayStream> {
    guard let stream = unsafe stream, unsafe stream.pointee.release != nil else {
        throw .invalidArgument("the stream is null or has been released")
    }
    return unsafe stream
}

/// In nanoseconds since 1970.
private func time(_ text: String) throws(ForeignError) -> Int64 {
    guard let time = LogTime.text.read(.text(text)) else {
        throw .invalidArgument(
            "`\(text)` is not a time from 1970 to 2199, such as 2026-05-04T00:00:00Z")
    }
    return time
}
