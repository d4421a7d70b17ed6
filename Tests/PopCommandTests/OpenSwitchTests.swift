import Testing

/// If a developer adds a case to an enum of this package, the compiler has to stop them at each
/// place where the case matters.
@Suite struct `A switch over cases` {
    private static let category = "an enum of the standard library"
    private static let type = "no enum: a `TypeID` is a number"
    private static let function = "the codes of one kind, as `FunctionCode.kind` lists them all"
    private static let pairs = "of all pairs few mean something"

    /// The switches that have a `default` nevertheless, and why.
    private static let exceptions = [
        "PopAdvice/Mistakes/Checker+Emptiness.swift: switch subject.checked.type(operand)":
            type,
        "PopCEL/Checking/Checker.swift: switch subject.checked.typeTable.resolved(type)": type,
        "PopCEL/Compiling/Extent.swift: switch type": type,
        "PopCEL/Evaluating/Plan+Operations.swift: switch (operation, left, right)": pairs,
        "PopCEL/Library/Library+Conversions.swift: switch code": function,
        "PopCEL/Library/Library.swift: switch (arguments.first, arguments.dropFirst().first)":
            pairs,
        "PopCEL/Library/Library.swift: switch (code, arguments[0])": function,
        "PopCEL/Library/Library.swift: switch code": function,
        "PopCEL/Library/Library.swift: switch (code, first)": function,
        "PopCEL/Regex/ScalarSet.swift: switch category": category,
        "PopCEL/Types/TypeTable.swift: switch id": type,
        "PopCommand/Output/OutputFile.swift: switch attributes?[.type] as? FileAttributeType":
            "no enum: Foundation's types of files are texts",
        "PopBacktest/Replaying/LogScalar.swift: switch (json, type)": pairs,
        "PopLogic/Terms/Translator+Values.swift: switch code": function,
        "PopLogic/Theories/HistoryFacts.swift: switch (first, second)": pairs,
        "PopReports/Rendering/TerminalText.swift: switch properties.generalCategory": category,
        "PopRuleFiles/Reading/RuleFiles.swift: switch (error as? CocoaError)?.code":
            "no enum: Foundation's codes of errors are numbers",
        "PopRuleFiles/Reading/RuleFiles.swift: switch kind":
            "no enum: Foundation's types of files are texts",
        "PopScheduler/Rules/ContextKey+Values.swift: switch (type, self)": pairs,
        "PopSource/StringProtocol+TextSearch.swift: switch properties.generalCategory": category,
        "PopStories/Generating/SwiftName.swift: switch scalar.properties.generalCategory":
            category,
    ]

    @Test func `lists all remaining cases instead of using default`() throws {
        var found: Set<String> = []
        for file in Repository.swiftFiles(in: "Sources") {
            let path = file.dropFirst("Sources/".count)
            found.formUnion(openSwitches(in: try Repository.text(file)).map { "\(path): \($0)" })
        }
        #expect(found.subtracting(Self.exceptions.keys).sorted() == [])
        #expect(Set(Self.exceptions.keys).subtracting(found).sorted() == [], "needed no more")
    }

    @Test(arguments: [
        "switch fruit {\ncase .apple: 1\ndefault: 2\n}",
        "switch fruit {\ncase .apple:\n    eat()\ncase .pear(let size) where size > 1,\n    .plum:\n"
            + "    throwAway()\ndefault:\n    break\n}",
        "let price = switch fruit {\ncase let .pear(size), nil: size\ndefault: 0\n}",
        "switch fruit {\ncase .apple:\n    switch number {\n    case 1: 2\n    default: 3\n    }\n"
            + "default: 4\n}",
        "switch (fruit, other) {\ncase (.apple, _), (nil, .pear(let size)): 1\ndefault: 2\n}",
        "switch fruit(\n    of: tree\n) {\ncase .named(\"a: b\"): 1\n@unknown default: 2\n}",
    ])
    func `that uses default is found`(text: String) throws {
        #expect(openSwitches(in: text).count == 1)
        let indented = text.split(separator: "\n").map { "        \($0)\n" }.joined()
        #expect(openSwitches(in: "func f() {\n\(indented)}\n").count == 1)
    }

    @Test(arguments: [
        "switch fruit {\ncase .apple: 1\ncase .pear, .plum: 2\n}",
        "switch number {\ncase 1: 2\ndefault: 3\n}",
        "switch (fruit, number) {\ncase (.apple, 1): 2\ndefault: 3\n}",
        "switch character {\ncase \".\", \":\": 1\ndefault: 2\n}",
        "switch word {\ncase nil: 1\ndefault: 2\n}",
        "switch word {\ncase let other? where other.isLong: 1\ndefault: 2\n}",
        "switch fruit {\ncase .apple:\n    switch number {\n    case 1: 2\n    default: 3\n    }\n"
            + "case .pear: 4\n}",
        "// switch fruit {\n// case .apple: 1\n// default: 2\n// }",
    ])
    func `that needs its default, or has no default, is not reported`(text: String) throws {
        #expect(openSwitches(in: text) == [])
    }
}

/// The switches of a source whose patterns are all cases of enums, or tuples of them, and which
/// have a `default`: each as it begins. Lines are laid out as `make lint` wants them.
private func openSwitches(in text: String) -> [String] {
    let lines = text.split(separator: "\n")
    return lines.indices.compactMap { first in
        guard let header = switchHeader(lines[first]) else { return nil }
        let depth = lines[first].depth
        let end =
            lines[(first + 1)...].firstIndex {
                $0.depth < depth || $0.depth == depth && $0.code.hasPrefix("}")
            } ?? lines.endIndex
        let own = (first + 1..<end).filter { lines[$0].depth == depth }
        let hasDefault = own.contains { line in
            ["default:", "@unknown default:"].contains { lines[line].code.hasPrefix($0) }
        }
        guard hasDefault else { return nil }
        let patterns = own.filter { lines[$0].code.hasPrefix("case ") }.flatMap { line in
            parts(of: lines[line..<end].joined(separator: " ").code.dropFirst("case ".count))
        }
        return areCases(patterns) ? header : nil
    }
}

/// Returns the header of a switch that begins in a line; nil if none begins.
private func switchHeader(_ line: Substring) -> String? {
    guard !line.code.hasPrefix("//"), let word = line.firstRange(of: "switch "),
        line[..<word.lowerBound].last.map({ " ({".contains($0) }) ?? true
    else { return nil }
    let header = line[word.lowerBound...]
    return String(header.hasSuffix(" {") ? header.dropLast(2) : header)
}

/// Returns the parts of a string between commas, up to a colon; commas and colons inside of
/// parentheses and quotes don't count.
private func parts(of text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (depth, isQuoted, start) = (0, false, text.startIndex)
    for place in text.indices {
        if text[place] == "\"" { isQuoted.toggle() }
        if isQuoted { continue }
        if "([{".contains(text[place]) { depth += 1 }
        if ")]}".contains(text[place]) { depth -= 1 }
        guard depth == 0, text[place] == "," || text[place] == ":" else { continue }
        parts.append(text[start..<place])
        start = text.index(after: place)
        if text[place] == ":" { return parts }
    }
    return parts + [text[start...]]
}

private func areCases(_ patterns: [Substring]) -> Bool {
    var namesCase = false
    for pattern in patterns {
        let own = pattern.prefix(upTo: pattern.firstRange(of: " where ")?.lowerBound).code
        let isTuple = own.hasPrefix("(") && own.hasSuffix(")")
        for part in isTuple ? parts(of: own.dropFirst().dropLast()) : [own] {
            let binds = part.code.hasPrefix("let ")
            let name = binds ? part.code.dropFirst("let ".count) : part.code
            if name.hasPrefix(".") {
                namesCase = true
            } else if name != "nil", !(isTuple && (binds || name == "_")) {
                return false
            }
        }
    }
    return namesCase
}

extension StringProtocol where SubSequence == Substring {
    fileprivate var depth: Int { prefix { $0 == " " }.count }

    /// Without the spaces around it.
    fileprivate var code: Substring {
        let start = drop { $0 == " " }
        return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
    }
}

extension Substring {
    fileprivate func prefix(upTo end: Index?) -> Substring { end.map { self[..<$0] } ?? self }
}
