import PopRuleFiles
import PopSource

/// Words that are right, but are written in another form, or in another order.
extension CommandIdioms {
    /// Returns lines that end the message of the parser about a command line; nil if the message is
    /// enough.
    static func hint(for words: [String], isFile: (String) -> Bool) -> String? {
        if let line = redirection(of: words) ?? hintOnOptions(in: words) { return line }
        if let setting = settingInTwoWords(words) { return "\n\(setting)." }
        return cutExpression(in: words) ?? percentageAsFormat(in: words)
            ?? schemaArgument(in: words, isFile: isFile) ?? pageArgument(in: words)
    }

    /// Returns the message about a command line, if that of the parser would suggest something
    /// wrong; otherwise nil.
    static func answer(to words: [String]) -> String? {
        guard let command = words.first else { return nil }
        let options = words.dropFirst().map { word in String(word.prefix { $0 != "=" }) }
        if command == "backtest", let period = options.first(where: { periods.contains($0) }) {
            return "`poprules backtest` replays the whole log, so there is no `\(period)`: use"
                + " `-f csv` or `-f json`, which give the numbers of each day"
        }
        if command == "generate", let first = options.first, swiftOptions.contains(first) {
            let rest = words.dropFirst().filter { $0 != "swift" }
            return "name the language first: write `poprules generate swift \(shellWords(rest))`"
        }
        return nil
    }

    /// Options for a period, which the log of a backtest can't be cut to.
    private static let periods: Set = [
        "--from", "--to", "--since", "--until", "--start", "--end", "--start-date", "--end-date",
        "--after", "--before", "--period", "--days", "--between",
    ]

    /// Options of `generate swift`.
    private static let swiftOptions: Set = ["-o", "--output", "--rules", "--force", "--color"]
}

// MARK: dashes

extension CommandIdioms {
    /// Dashes that word processors and chats write in place of two hyphens, and the minus sign.
    private static let longDashes: Set<Character> = ["–", "—", "―", "−"]

    /// Options whose value is any text.
    private static let withFreeText: Set = ["--run", "--tag", "--owner", "--title"]

    /// Returns the error about an option that begins with a long dash; nil without one.
    static func longDash(in words: [String], isFile: (String) -> Bool) -> String? {
        for (place, word) in words.enumerated() {
            // The expression of `eval` may begin with a dash.
            if word == "--" || place == 1 && words[0] == "eval" { return nil }
            guard let first = word.first, longDashes.contains(first), !isFile(word),
                place == 0 || !withFreeText.contains(words[place - 1])
            else { continue }
            let rest = String(word.drop { longDashes.contains($0) || $0 == "-" })
            let name = rest.prefix { $0 != "=" }
            let letters = name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
            guard NameForm.id.fits(letters) else { continue }
            let option = shellWords([(name.count == 1 ? "-" : "--") + rest])
            return "`\(word.shortened)` starts with a long dash: write `\(option)`"
        }
        return nil
    }
}

// MARK: values

extension CommandIdioms {
    /// Returns words on a `--set` whose key and value are two words; nil without one.
    static func settingInTwoWords(_ words: [String]) -> String? {
        for place in words.indices.dropLast(2) where words[place] == "--set" {
            let key = words[place + 1]
            let rest = words.dropFirst(place + 2)
            guard let value = rest.first(where: { $0 != "=" }) else { continue }
            guard NameForm.dotted.fits(key.utf8), !value.hasPrefix("-") else { continue }
            return "`--set \(key)` has no `=`: write `--set \(key)=\(value.quotedForShell)`"
        }
        return nil
    }

    /// Returns the right form of a `--set` with several of the declared keys; nil for any other.
    static func severalSettings(in setting: String, isKey: (String) -> Bool) -> String? {
        let parts = setting.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
        guard parts.count > 1,
            parts.allSatisfy({ $0.contains("=") && isKey(String($0.prefix { $0 != "=" })) })
        else { return nil }
        return parts.map { "--set \(shellWords([$0]))" }.joined(separator: " ")
    }

    /// Returns the percentage that is meant with `80`, `80%` or `0.8`; nil for anything else.
    static func percentage(in text: String) -> String? {
        let isMarked = text.hasSuffix("%")
        let number = isMarked ? String(text.dropLast()) : text
        let parts = number.split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false
        ).map { String($0) }
        let isNumber = parts.allSatisfy { $0.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard isNumber, let start = parts.first, let whole = Int(start.isEmpty ? "0" : start),
            whole < 100 || whole == 100 && decimals.isEmpty
        else { return nil }
        guard whole == 0 else {
            return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals.prefix(2))"
        }
        let padded = decimals + "00"
        guard !isMarked, let shifted = Int(padded.prefix(2)), shifted > 0 else { return nil }
        let rest = decimals.dropFirst(2).prefix(2)
        return rest.isEmpty ? "\(shifted)" : "\(shifted).\(rest)"
    }

    /// Returns a line on a `--coverage` with a percentage; nil without one.
    private static func percentageAsFormat(in words: [String]) -> String? {
        guard words.first == "test" else { return nil }
        let start = "--coverage="
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            let value = word == "--coverage" ? next : String(word.dropFirst(start.count))
            guard word == "--coverage" || word.hasPrefix(start),
                let minimum = percentage(in: value)
            else { continue }
            return "\nFor a minimum, use `--coverage text --threshold \(minimum)`."
        }
        return nil
    }

    /// Returns the revision that a range such as `main..HEAD` begins with; nil for anything else.
    static func start(ofRange revision: String) -> String? {
        guard let dots = revision.firstRange(of: ".."), !revision.contains("/.."),
            !revision.hasPrefix("../"), !revision.contains("{")
        else { return nil }
        let start = String(revision[..<dots.lowerBound])
        return start.isEmpty ? "HEAD" : start
    }
}

// MARK: expressions

extension CommandIdioms {
    private static let operators: Set = [
        "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "in", "?", ":", "&&", "||",
    ]

    /// Options of `eval` that have a value.
    private static let evalOptions: Set = [
        "--context", "--set", "--rules", "--history", "--at", "--color",
    ]

    /// Returns a line on an expression that the shell has cut into words; nil without one.
    private static func cutExpression(in words: [String]) -> String? {
        guard words.first == "eval" else { return nil }
        var parts: [String] = []
        var options: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                parts += rest
                break
            }
            guard word.hasPrefix("--") else {
                parts.append(word)
                continue
            }
            options.append(word)
            if evalOptions.contains(word), let value = rest.popFirst() { options.append(value) }
        }
        guard parts.count > 1, parts.contains(where: { operators.contains($0) }) else {
            return nil
        }
        let keys = Set(options.map { option in String(option.prefix { $0 != "=" }) })
        for place in parts.indices.dropFirst() where ["==", "!="].contains(parts[place - 1]) {
            let word = parts[place]
            if isUnquotedText(word), !keys.contains(word) { parts[place] = "\"\(word)\"" }
        }
        let expression = parts.joined(separator: " ")
        let quoted = expression.singleQuotedForShell
        // Options are no longer options behind two hyphens.
        let all =
            expression.hasPrefix("-")
            ? [shellWords(options), "--", quoted] : [quoted, shellWords(options)]
        let command = (["poprules eval"] + all.filter { !$0.isEmpty }).joined(separator: " ")
        return "\nPut the expression in single quotes: `\(command)`."
    }

    /// Returns true if a word may be a string that has lost its quotes.
    private static func isUnquotedText(_ word: String) -> Bool {
        if NameForm.isID(word) { return word != "now" }
        return word.contains(" ")
            && word.allSatisfy { $0.isLetter || $0.isNumber || " _.,".contains($0) }
    }
}

// MARK: outputs and order

extension CommandIdioms {
    /// Commands that only print their result.
    private static let printing: Set = [
        "test", "simulate", "explain", "audience", "diff", "collisions", "list", "graph", "eval",
        "explain-check", "completion", "man",
    ]

    /// The formats that belong to endings of files.
    private static let formats = [
        "test": ["xml": "junit", "json": "json", "tap": "tap"],
        "diff": ["html": "html", "md": "markdown", "json": "json"],
    ]

    /// Returns a line on the output of a command that only prints; nil if no option names a file
    /// for it.
    private static func redirection(of words: [String]) -> String? {
        guard let command = words.first, printing.contains(command) else { return nil }
        let options = words.prefix { $0 != "--" }
        let place = options.firstIndex { word in
            ["-o", "--output", "--out"].contains(String(word.prefix { $0 != "=" }))
        }
        guard let place else { return nil }
        var rest = words
        let option = rest.remove(at: place)
        let name = option.prefix { $0 != "=" }
        var path = String(option.dropFirst(name.count + 1))
        if path.isEmpty, place < rest.count { path = rest.remove(at: place) }
        guard !path.isEmpty, !path.hasPrefix("-") else {
            return "\nThere is no `\(name)`: redirect the output with `>`, as in"
                + " `poprules test rules -f junit > tests.xml`."
        }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let hasFormat = rest.contains { $0.hasPrefix("-f") || $0.hasPrefix("--format") }
        if !hasFormat, let format = formats[command]?[ending] { rest += ["-f", format] }
        return "\nRedirect the output: `poprules \(shellWords(rest)) > \(path.quotedForShell)`."
    }

    /// Returns the error about a file to write that is given like a file to read; nil without
    /// one.
    ///
    /// - Parameters:
    ///   - paths: The arguments of the command.
    ///   - ending: The ending of the files that the command writes, such as `.popbundle`.
    ///   - command: The name of the command.
    ///   - isFile: Indicates whether there is a file or folder at a path.
    static func output(
        among paths: [String], ending: String, of command: String, isFile: (String) -> Bool
    ) -> String? {
        let outputs = paths.filter { $0.hasSuffix(ending) }
        let rules = paths.filter { !$0.hasSuffix(ending) }
        guard outputs.count == 1, let output = outputs.first, !rules.isEmpty || !isFile(output)
        else { return nil }
        let words = (rules.isEmpty ? ["rules"] : rules) + ["-o", output]
        return "`\(output)` is not a file of rules; to write this file, use"
            + " `poprules \(command) \(shellWords(words))`"
    }

    /// Returns the error about a log in the place of the rules; nil without one.
    ///
    /// - Parameters:
    ///   - rules: The first argument of `backtest`.
    ///   - logs: The other arguments.
    ///   - isFolder: Indicates whether there is a folder at a path.
    static func logAsRules(
        _ rules: String, logs: [String], isFolder: (String) -> Bool
    ) -> String? {
        guard isLog(rules), !isFolder(rules) else { return nil }
        let noun = rules == "-" ? "standard input" : "`\(rules)`"
        let start = "\(noun) is a log, but the rules come first"
        var others = logs
        let place = logs.firstIndex { isFolder($0) || hasEnding($0, of: ruleEndings) }
        guard let place else {
            return "\(start), as in `poprules backtest rules \(rules.quotedForShell)`"
        }
        let words = [others.remove(at: place), rules] + (others.count > 2 ? [] : others)
        let more = others.count > 2 ? " ..." : ""
        return "\(start): write `poprules backtest \(shellWords(words))\(more)`"
    }

    private static let ruleEndings = [".yaml", ".yml", ".popbundle"]

    private static func hasEnding(_ path: String, of endings: [String]) -> Bool {
        endings.contains { path.lowercased().hasSuffix($0) }
    }

    /// Returns true for the name of a log, also of a compressed one, and for standard input.
    private static func isLog(_ path: String) -> Bool {
        let endings = [".jsonl", ".ndjson", ".csv", ".tsv"]
        return path == "-"
            || hasEnding(path, of: endings + endings.flatMap { ["\($0).gz", "\($0).zst"] })
    }
}

// MARK: arguments that need an option

extension CommandIdioms {
    /// Returns a line on an argument of `schema`, which has only options; nil without one.
    private static func schemaArgument(
        in words: [String], isFile: (String) -> Bool
    ) -> String? {
        let options: Set = ["--for", "--kind", "-o", "--output"]
        let isKnown = words.dropFirst().allSatisfy { word in
            !word.hasPrefix("-") || word == "--force"
                || options.contains(String(word.prefix { $0 != "=" }))
        }
        guard words.first == "schema", isKnown,
            let place = argumentPlaces(in: words, options: options).first
        else { return nil }
        let word = words[place]
        let isKind = ["any", "test", "config", "mapping"].contains(word) && !isFile(word)
        let (option, noun) =
            isKind
            ? ("--kind", "kind of file")
            : word.hasSuffix(".json") ? ("-o", "file to write") : ("--for", "rules")
        return adding(option, for: noun, before: place, to: words)
    }

    /// Returns a line on an argument of `page` that is the file to write; nil without one.
    private static func pageArgument(in words: [String]) -> String? {
        let options: Set = ["-o", "--output", "--against", "--look", "--title", "--color"]
        guard words.first == "page",
            !words.contains(where: { $0.hasPrefix("-o") || $0.hasPrefix("--output") }),
            let place = argumentPlaces(in: words, options: options).last,
            words[place].hasSuffix(".html")
        else { return nil }
        return adding("-o", for: "file to write", before: place, to: words)
    }

    private static func adding(
        _ option: String, for noun: String, before place: Int, to words: [String]
    ) -> String {
        var words = words
        words.insert(option, at: place)
        return "\nName the \(noun) with `\(option)`: `poprules \(shellWords(words))`."
    }

    /// Returns the places of the words that are neither options nor their values.
    ///
    /// - Parameters:
    ///   - words: The words behind the name of the program.
    ///   - options: The options that have a value.
    private static func argumentPlaces(in words: [String], options: Set<String>) -> [Int] {
        words.indices.dropFirst().filter { place in
            !words[place].hasPrefix("-") && !options.contains(words[place - 1])
        }
    }
}
