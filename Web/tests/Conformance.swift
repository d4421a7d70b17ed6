internal import PopSource

/// Runs a file of conformance cases; answers how many `passed`, and the `complaints` of the others.
///
/// Only the module that tests link exports it.
@_cdecl("pop_conformance")
public func popConformance(
    _ request: UnsafeMutablePointer<UInt8>, count: Int
) -> UnsafeMutablePointer<UInt8> {
    guard let json = try? JSON.parse(taken(request, count: count)) else {
        return written(Array(#"{"error":"the cases cannot be read"}"#.utf8))
    }
    var passed = 0
    var complaints: [JSON] = []
    for fields in json.items {
        if let complaint = ConformanceCase(fields, suite: "").run() {
            complaints.append(.string(complaint))
        } else {
            passed += 1
        }
    }
    let answer = JSON.object(["passed": .int(passed), "complaints": .array(complaints)])
    return written(Array(answer.compact.utf8))
}
