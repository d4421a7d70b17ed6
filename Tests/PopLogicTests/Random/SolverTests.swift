import Foundation
import PopCEL
import PopLogic
import PopSource
import Testing

/// Random conditions, checked against a solver; `make logic` runs more of them.
@Suite struct SolverTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "solver.py").path
    private static let count = setting("POPRULES_SOLVER_FORMULAS") ?? 200
    private static let firstSeed = setting("POPRULES_LOGIC_SEED") ?? 0
    /// So many questions are asked of each pair of formulas.
    private static let questions = ["never", "always", "implies", "disjoint", "equivalent"]

    private static let isHere = (try? run(["-c", "import z3"], input: "")) != nil

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Returns the output of python3; throws if it fails.
    private static func run(_ arguments: [String], input: String) throws -> String {
        struct Failed: Error {}
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(input.utf8).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        process.standardInput = try FileHandle(forReadingFrom: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return String(decoding: printed, as: UTF8.self)
    }

    @Test(.enabled(if: isHere, "python3 has no module `z3`"))
    func `a solver finds no user for a condition that is reported as impossible`() throws {
        let names = try Names(all: SolverConditions.variables)
        var asked: [(says: String, answer: Answer)] = []
        var lines = [SolverConditions.declarations.joined()]
        for seed in Self.firstSeed..<Self.firstSeed + (Self.count + 1) / 2 {
            var maker = SolverConditions(seed: UInt64(seed))
            let (one, other) = (maker.condition(depth: seed % 4), maker.condition(depth: 2))
            let programs = try [one, other].map { try names.condition($0.text) }
            var logic = names.logic(programs[0], programs[1])
            let answers = [
                logic.isNever(programs[0]), logic.isAlways(programs[0]),
                logic.implies(programs[0], programs[1]), logic.disjoint(programs[0], programs[1]),
                logic.equivalent(programs[0], programs[1]),
            ]
            for (question, answer) in zip(Self.questions, answers) {
                asked.append(("\(question), seed \(seed): \(one.text), \(other.text)", answer))
            }
            // Each assertion requests a user that refutes the claim.
            lines += [
                "(assert \(one.yes))", "(assert (not \(one.yes)))",
                "(assert (and \(one.yes) (not \(other.yes))))",
                "(assert (and \(one.yes) \(other.yes)))",
                "(assert (not (= \(one.yes) \(other.yes))))",
            ]
        }
        let said = try Self.run([Self.script], input: lines.joined(separator: "\n"))
            .split(separator: "\n").map(String.init)
        try #require(said.count == asked.count)
        var (notKnown, notSolved) = (0, 0)
        for (question, found) in zip(asked, said) {
            switch (question.answer, found) {
            case (_, "unknown"): notSolved += 1
            case (.notKnown, _): notKnown += 1
            case (.yes, _): #expect(found == "unsat", "\(question.says)")
            case (.no, _): #expect(found == "sat", "\(question.says)")
            }
        }
        print("\(asked.count) questions: \(notKnown) not known, \(notSolved) not solved by z3")
        #expect(notKnown * 20 <= asked.count)
    }
}
