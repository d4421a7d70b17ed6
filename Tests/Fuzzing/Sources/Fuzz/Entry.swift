import Foundation
import Synchronization

/// The target that the environment names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        exit(2)
    }
    return target
}()

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        switch target.body {
        case .direct(let body): try body(bytes)
        case .suspending(let body): try waiting { try await body(bytes) }
        }
    } catch {
        try? FileHandle.standardError.write(contentsOf: Data("FOUND \(error)\n".utf8))
        abort()
    }
    return 0
}

/// Runs a task and waits for its end; nothing else runs in the process.
private func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    Task {
        do { try await body() } catch { outcome.error.withLock { $0 = error } }
        done.signal()
    }
    done.wait()
    if let error = outcome.error.withLock({ $0 }) { throw error }
}

/// The result of a task, for the thread that waits for it.
private final class Outcome: Sendable {
    let error = Mutex<(any Error)?>(nil)
}

/// The function that the package manager takes for the entry point of the program.
@_cdecl("Fuzz_main")
public func begin(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, testOneInput)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
