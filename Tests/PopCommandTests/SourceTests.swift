import Testing

/// Rules for sources that neither the compiler nor the formatter checks.
@Suite struct `The sources` {
    @Test(arguments: ["Sources", "Tests", "Examples"])
    func `have comments of at most 100 columns`(folder: String) throws {
        // Nested packages keep their dependencies in a `.build` folder of their own.
        for file in Repository.swiftFiles(in: folder) where !file.contains("/.build/") {
            #expect(longComments(in: try Repository.text(file)) == [], "\(file)")
        }
    }

    @Test func `contain no unchecked Sendable conformance`() throws {
        let mark = "@unchecked" + " Sendable"
        for file in Repository.swiftFiles(in: "Sources") {
            #expect(!(try Repository.text(file)).contains(mark), "\(file)")
        }
    }

    /// On Linux, Swift's `Mutex` is many times slower if more than four threads take it.
    @Test func `use the lock of the system on Linux (E27)`() throws {
        let files = try Repository.swiftFiles(in: "Sources").filter {
            try Repository.text($0).contains("Mutex")
        }
        #expect(
            files == ["Sources/PopSource/LockedValue.swift", "Sources/PopSource/SystemLock.swift"])
        let lock = try Repository.text("Sources/PopSource/LockedValue.swift")
        #expect(lock.contains("#elseif !canImport(Glibc)\n    public import Synchronization"))
    }

    /// A new warning of the next compiler must not break apps that depend on the package by path.
    @Test func `have errors instead of warnings only if the environment says so (E31)`() throws {
        let lines = try Repository.text("Package.swift").split(separator: "\n")
        let places = lines.indices.filter { lines[$0].contains("treatAllWarnings") }
        #expect(places.count == 1)
        let place = try #require(places.first)
        let condition = lines[..<place].last { $0.hasPrefix("if ") }
        #expect(condition == #"if Context.environment["POPRULES_STRICT"] == "1" {"#)
    }

    @Test func `have long comments only in code and examples, as the test itself shows`() {
        let long = String(repeating: "word ", count: 20) + "word"
        #expect(longComments(in: "let a = 1\n    /// \(long)\n") == [2])
        #expect(longComments(in: "// \(long)\n//\n// \(long)") == [1, 3])
        #expect(longComments(in: "let text = \"\(long)\"\n// short\n") == [])
        #expect(longComments(in: "/// ```yaml\n/// \(long)\n/// ```\n/// \(long)") == [4])
    }
}

/// The numbers of the lines that are comments of more than a hundred columns, examples apart.
private func longComments(in text: String) -> [Int] {
    var isExample = false
    var found: [Int] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
        let start = line.drop { $0 == " " }
        guard start.hasPrefix("//") else { continue }
        if start.drop(while: { $0 == "/" || $0 == " " }).hasPrefix("```") { isExample.toggle() }
        if !isExample, line.count > 100 { found.append(index + 1) }
    }
    return found
}
