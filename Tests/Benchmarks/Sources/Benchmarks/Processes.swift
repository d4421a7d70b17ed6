import Foundation
import Measuring
import RuleText

/// Whole processes: the command line, and what loading takes from a fresh process.
func measureProcesses(poprules: String) throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "poprules-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let few = folder.appending(path: "few.yaml")
    try Data(ruleText(popups: 20).utf8).write(to: few)
    return try measure(
        [
            process("process: poprules --help", poprules, "--help"),
            process("process: poprules validate, 20 popups", poprules, "validate", few.path),
            process("process: /bin/true", "/bin/true"),
        ], rounds: 21) + measureMeaning(poprules: poprules, in: folder)
}

/// Measures how long it takes to read many rules and to find out their meaning together.
private func measureMeaning(poprules: String, in folder: URL) throws -> [Figure] {
    let many = folder.appending(path: "many.yaml")
    let changed = folder.appending(path: "changed.yaml")
    try Data(audienceText(popups: 1_000).utf8).write(to: many)
    try Data(audienceText(popups: 1_000, changing: 100).utf8).write(to: changed)
    return try measure(
        [
            process("process: poprules list, 1,000 popups", poprules, "list", many.path),
            process("process: poprules validate, 1,000 popups", poprules, "validate", many.path),
            process(
                "process: poprules collisions, 1,000 popups", poprules, "collisions", "--rules",
                many.path),
            process(
                "process: poprules diff, 10 of 1,000 popups", poprules, "diff", many.path,
                changed.path),
        ], rounds: 5) + measureGrowth(poprules: poprules, in: folder)
}

/// The same where all popups meet at one trigger, from a few to very many.
private func measureGrowth(poprules: String, in folder: URL) throws -> [Figure] {
    var cases: [Case] = []
    for (count, name) in [(100, "100"), (1_000, "1,000"), (10_000, "10,000")] {
        let crowd = folder.appending(path: "crowd-\(count)")
        try FileManager.default.createDirectory(at: crowd, withIntermediateDirectories: true)
        for (number, text) in crowdTexts(popups: count).enumerated() {
            try Data(text.utf8).write(to: crowd.appending(path: "\(number).yaml"))
        }
        cases.append(
            process(
                "process: poprules validate, \(name) popups of one trigger", poprules, "validate",
                crowd.path))
        cases.append(
            process(
                "process: poprules collisions, \(name) popups of one trigger", poprules,
                "collisions", "--rules", crowd.path))
    }
    return measure(cases, rounds: 3)
}

/// The peak of loading 10,000 popups in a process of its own, against the size of the file.
func measureMemoryOfLoading() throws -> [Figure] {
    try figures(of: URL(filePath: CommandLine.arguments[0]), "peak")
}

/// Returns the figures that another program of this package measures; empty if it was not built.
func measureElsewhere(_ name: String) throws -> [Figure] {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: name)
    guard FileManager.default.isExecutableFile(atPath: program.path) else { return [] }
    return try figures(of: program)
}

private func figures(of program: URL, _ arguments: String...) throws -> [Figure] {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode([Figure].self, from: data)
}

private func process(_ name: String, _ program: String, _ arguments: String...) -> Case {
    Case(name, .milliseconds) { count in
        ContinuousClock().measure { for _ in 0..<count { run(program, arguments) } }
    }
}

/// Starts a program, discards its output and waits for it: `Process` itself takes longer than the
/// measured work.
private func run(_ program: String, _ arguments: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process = pid_t()
    guard posix_spawn(&process, program, &actions, nil, words + [nil], environ) == 0 else {
        preconditionFailure("\(program) does not start")
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
}
