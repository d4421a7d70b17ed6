import Foundation
import Testing

@Suite struct `The kept fuzzer inputs` {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test func `exist for every target, and for no other target`() throws {
        #expect(try Self.names(in: Self.corpus) == FuzzTarget.all.map(\.name).sorted())
    }

    @Test(arguments: FuzzTarget.all)
    func `the kept fuzzer inputs all run without a crash`(target: FuzzTarget) async throws {
        let folder = Self.corpus.appending(path: target.name)
        let names = try Self.names(in: folder)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            await survives(bytes, as: name, target)
        }
    }

    /// The same mutations each time: `make fuzz` looks for new ones.
    @Test(arguments: FuzzTarget.all)
    func `run without a crash after some bytes change, too`(target: FuzzTarget) async throws {
        let folder = Self.corpus.appending(path: target.name)
        let inputs = try Self.names(in: folder).map {
            Array(try Data(contentsOf: folder.appending(path: $0)))
        }
        var mutations = Mutations(of: inputs, seed: 1)
        for number in 0..<10 {
            await survives(mutations.next(), as: "mutation \(number)", target)
        }
    }

    private func survives(_ bytes: [UInt8], as name: String, _ target: FuzzTarget) async {
        do {
            switch target.body {
            case .direct(let body): try body(bytes)
            case .suspending(let body): try await body(bytes)
            }
        } catch {
            Issue.record("\(target.name)/\(name): \(error)")
        }
    }
}

/// Inputs that differ in a few places from the stored inputs; they depend only on a seed.
private struct Mutations {
    /// The most bytes of an input, as for the fuzzers.
    private static let mostBytes = 8_192

    private let inputs: [[UInt8]]
    private var dice: SeededGenerator

    init(of inputs: [[UInt8]], seed: UInt64) {
        self.inputs = inputs
        dice = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = Array(inputs[dice.roll(inputs.count)].prefix(Self.mostBytes))
        for _ in 0...dice.roll(4) where !bytes.isEmpty {
            let start = dice.roll(bytes.count)
            let part = start..<min(bytes.count, start + 1 + dice.roll(8))
            switch dice.roll(4) {
            case 0: bytes[start] ^= 1 << UInt8(dice.roll(8))
            case 1: bytes.removeSubrange(part)
            case 2: bytes.insert(contentsOf: bytes[part], at: dice.roll(bytes.count))
            default:
                let other = inputs[dice.roll(inputs.count)]
                if other.isEmpty { continue }
                let from = dice.roll(other.count)
                bytes.replaceSubrange(part, with: other[from..<min(other.count, from + 16)])
            }
        }
        return bytes
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
