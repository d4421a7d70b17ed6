import Foundation

// Runs conformance cases of the language, kept as JSON, and tells which of them fail.

let paths = Array(CommandLine.arguments.dropFirst())
guard !paths.isEmpty else {
    FileHandle.standardError.write(Data("usage: CELConformance FILE|FOLDER…\n".utf8))
    exit(2)
}

var passed = 0
var failed = 0
for file in ConformanceFile.files(in: paths) {
    do {
        for conformanceCase in try ConformanceFile.cases(in: file) {
            if let complaint = conformanceCase.run() {
                failed += 1
                print(complaint)
            } else {
                passed += 1
            }
        }
    } catch {
        failed += 1
        print("\(file.path): \(error)")
    }
}
print("\(passed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
