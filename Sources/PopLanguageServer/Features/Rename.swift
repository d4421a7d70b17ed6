internal import PopRuleFiles
internal import PopSource
internal import PopValidation

/// Gives a name another one, in all files of the rules and their tests.
enum Rename {
    private static let kinds: Set<String> = [
        "popup", "scheduler", "group", "template", "event", "named condition", "context key",
        "experiment", "layer", "persona", "test", "event field", "variant",
    ]

    static func prepare(_ site: inout RequestContext) throws(ResponseError) -> JSON {
        let mention = try mention(at: &site)
        return .object([
            "range": site.lines.json(mention.range), "placeholder": .string(mention.name),
        ])
    }

    static func edit(_ site: inout RequestContext, to name: String) throws(ResponseError) -> JSON {
        let mention = try mention(at: &site)
        if name == mention.name { return site.workspaceEdit([]) }
        try check(name, for: mention, in: site)
        // An anchor of a name can make it several things at one place.
        let edits = Set(
            site.places(of: mention).map { file, other in
                TextEdit(
                    path: file.path, range: other.range,
                    text: written(name, at: other.range, in: file))
            })
        try check(Array(edits), in: site)
        return site.workspaceEdit(Array(edits))
    }

    /// Returns a name in the notation of its place: in quotes if it would be read as something else
    /// without them.
    private static func written(_ name: String, at range: Range<Int>, in file: SourceFile) -> String
    {
        let before = range.lowerBound > 0 ? file.bytes[range.lowerBound - 1] : 0
        switch before {
        case UInt8(ascii: "\""): return String(JSON.string(name).compact.dropFirst().dropLast())
        case UInt8(ascii: "'"): return name.replacing("'", with: "''")
        default:
            let first = name.first.map { "&*!|>%@`#-?:,[]{}\"' ".contains($0) } ?? true
            let isPlain =
                !first && !name.contains(": ") && !name.contains(" #") && !name.hasSuffix(":")
                && !name.hasSuffix(" ") && !name.contains { ",[]{}".contains($0) }
            return isPlain ? name : JSON.string(name).compact
        }
    }

    private static func mention(at site: inout RequestContext) throws(ResponseError) -> Mention {
        guard let mention = site.mention, kinds.contains(mention.kind) else {
            throw ResponseError(.requestFailed, "nothing here can be renamed")
        }
        guard site.places(of: mention).contains(where: \.mention.isDeclaration) else {
            throw ResponseError(
                .requestFailed,
                "no file declares the \(mention.kind) `\(mention.name)`")
        }
        return mention
    }

    private static func check(
        _ name: String, for mention: Mention, in site: RequestContext
    ) throws(ResponseError) {
        if ["persona", "test"].contains(mention.kind) {
            guard !name.isEmpty, !name.contains(where: \.isNewline) else {
                throw ResponseError(.invalidParams, "a \(mention.kind) needs a one-line name")
            }
            return
        }
        let isDotted = ["context key", "named condition", "event"].contains(mention.kind)
        guard NameForm.dotted.fits(name.utf8), isDotted || !name.contains(".") else {
            throw ResponseError(
                .invalidParams,
                "`\(name)` cannot be the name of a \(mention.kind): names are made of letters,"
                    + " digits and `_`, and don't start with a digit")
        }
        if mention.kind == "popup", name == "none" {
            throw ResponseError(
                .invalidParams,
                "a popup cannot be named `none`: in tests, `none` means that no popup shows")
        }
        try check(ownedName: name, for: mention, in: site)
        guard let model = site.model else { return }
        let taken: [(kind: String, isTaken: Bool)] =
            switch mention.kind {
            case "popup": [("popup", model.popups[name] != nil)]
            case "scheduler": [("scheduler", model.schedulers[name] != nil)]
            case "group": [("group", model.groups[name] != nil)]
            case "template": [("template", model.templates[name] != nil)]
            case "event": [("event", model.events[name] != nil)]
            case "experiment": [("experiment", model.experiments[name] != nil)]
            case "layer": [("layer", model.layers[name] != nil)]
            case "event field", "variant": []
            default:
                [
                    ("context key", model.context[name] != nil),
                    ("named condition", model.conditions[name] != nil),
                ]
            }
        if let other = taken.first(where: \.isTaken) {
            throw ResponseError(.requestFailed, "there is already a \(other.kind) `\(name)`")
        }
    }

    /// Refuses the name of a field or a variant that its event or its experiment already has, and a
    /// field that a string reads from one of several events.
    private static func check(
        ownedName name: String, for mention: Mention, in site: RequestContext
    ) throws(ResponseError) {
        var site = site
        guard let owner = mention.owner, let names = site.names else { return }
        if mention.kind == "variant" {
            guard names.variants(of: owner).contains(name) else { return }
            throw ResponseError(.requestFailed, "there is already a variant `\(name)`")
        }
        let event = String(owner.dropFirst().dropLast())
        if names.fields(ofEvent: event).contains(where: { $0.name.value == name }) {
            throw ResponseError(
                .requestFailed, "`\(event)` already has a field `\(name)`")
        }
        if let popup = names.popupWithText(of: mention.name, ofEvent: event) {
            throw ResponseError(
                .requestFailed,
                "the content of `\(popup)` uses `event.\(mention.name)`, which other events that"
                    + " trigger the popup also have")
        }
    }

    /// Tries the changes on the files as they lie here: what they would break, they may not do.
    private static func check(_ edits: [TextEdit], in site: RequestContext) throws(ResponseError) {
        guard let index = site.project else { return }
        var project = site.desk.projects[index]
        // Names don't affect the meaning of conditions, so that isn't analyzed.
        try settle(&project, site.budget)
        let before = errors(in: &project).count
        for (path, edits) in Dictionary(grouping: edits, by: \.path) {
            guard let file = project.file(at: path) else { continue }
            var bytes = file.bytes
            for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                bytes.replaceSubrange(edit.range, with: edit.text.utf8)
            }
            _ = project.update(path, bytes: bytes)
        }
        try settle(&project, site.budget)
        let errors = errors(in: &project)
        if errors.count > before, let first = errors.first {
            throw ResponseError(.requestFailed, "renaming causes an error: \(first.message)")
        }
    }

    private static func settle(
        _ project: inout RuleProject, _ budget: WorkBudget
    ) throws(ResponseError) {
        do {
            try project.settleErrors { if !budget.mayGoOn { throw CancellationError() } }
        } catch {
            throw ResponseError(.requestFailed, "checking this change takes too much work")
        }
    }

    private static func errors(in project: inout RuleProject) -> [Diagnostic] {
        (try? project.findings())?.errors ?? []
    }
}

/// A change of a file, by its path.
struct TextEdit: Sendable, Hashable {
    var path: String
    var range: Range<Int>
    var text: String
}

extension RequestContext {
    /// Returns changes of several files as the protocol writes them, with versions if the client
    /// supports them.
    func workspaceEdit(_ edits: [TextEdit]) -> JSON {
        let byPath = Dictionary(grouping: edits, by: \.path).sorted { $0.key < $1.key }
        var changes: [JSON.Member] = []
        var documents: [JSON] = []
        for (path, edits) in byPath {
            guard let uri = desk.uri(of: path) else { continue }
            let lines = path == self.path ? lines : linesOfFile(at: path)
            let list = JSON.array(
                edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
                    .object(["range": lines.json($0.range), "newText": .string($0.text)])
                })
            changes.append(JSON.Member(key: uri, value: list))
            documents.append(
                .object([
                    "textDocument": .object([
                        "uri": .string(uri),
                        "version": desk.version(of: uri).map(JSON.int) ?? .null,
                    ]), "edits": list,
                ]))
        }
        return client.versionsEdits
            ? .object(["documentChanges": .array(documents)])
            : .object(["changes": .object(changes)])
    }

    private func linesOfFile(at path: String) -> TextLines {
        let file = project.flatMap { desk.projects[$0].file(at: path) }
        return file.map { desk.lines(of: $0) } ?? lines
    }
}
