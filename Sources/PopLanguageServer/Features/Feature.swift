internal import PopAnalysis
internal import PopLogic
internal import PopRuleFiles
internal import PopSource

/// A request and its handler.
struct Feature: Sendable {
    let method: String
    /// Returns true if the answer needs the meaning of conditions, or plays tests: then it can wait
    /// until there are no other messages.
    let takesLong: @Sendable (inout LanguageServer, JSON) -> Bool
    let answer: @Sendable (inout LanguageServer, JSON) throws(ResponseError) -> JSON

    private init(
        _ method: String,
        takesLong: @escaping @Sendable (inout LanguageServer, JSON) -> Bool = { _, _ in false },
        answer: @escaping @Sendable (inout LanguageServer, JSON) throws(ResponseError) -> JSON
    ) {
        self.method = method
        self.takesLong = takesLong
        self.answer = answer
    }

    /// One about a place of a document.
    private init(
        at method: String,
        takesLong: @escaping @Sendable (inout RequestContext) -> Bool = { _ in false },
        answer: @escaping @Sendable (inout RequestContext, JSON) throws(ResponseError) -> JSON
    ) {
        self.init(method) { server, parameters in
            // Only a request about a document can wait.
            (try? Self.withSite(&server, parameters) { site throws(ResponseError) in
                takesLong(&site)
            })
                ?? false
        } answer: { server, parameters throws(ResponseError) in
            try Self.withSite(&server, parameters) { site throws(ResponseError) in
                try answer(&site, parameters)
            }
        }
    }

    private static func withSite<Result>(
        _ server: inout LanguageServer, _ parameters: JSON,
        _ body: (inout RequestContext) throws(ResponseError) -> Result
    ) throws(ResponseError) -> Result {
        var site = try RequestContext(server, parameters)
        // Moved, so that changes on the way copy nothing.
        server.desk = ServerState(limits: server.limits)
        defer { swap(&server.desk, &site.desk) }
        return try body(&site)
    }

    static func named(_ method: String) -> Feature? { byMethod[method] }

    private static let byMethod = Dictionary(
        uniqueKeysWithValues: all.map { ($0.method, $0) })

    static let all: [Feature] = [
        Feature(at: "textDocument/completion") { site, _ in Completion.json(&site) },
        Feature(at: "textDocument/signatureHelp") { site, _ in SignatureHelp.json(&site) },
        Feature(at: "textDocument/hover", takesLong: { Hover.takesLong(&$0) }) { site, _ in
            Hover.json(&site)
        },
        Feature(at: "textDocument/definition") { site, _ in site.definitions() },
        Feature(at: "textDocument/references") { site, parameters in
            let declares = parameters["context"]?["includeDeclaration"]?.bool ?? true
            return site.references(withDeclaration: declares)
        },
        Feature(at: "textDocument/documentHighlight") { site, _ in site.highlights() },
        Feature(at: "textDocument/documentSymbol") { site, _ in Symbols.json(&site) },
        Feature("workspace/symbol") { server, parameters in
            Symbols.json(ofWorkspace: &server, query: parameters["query"]?.text ?? "")
        },
        Feature(at: "textDocument/foldingRange") { site, _ in site.folds() },
        Feature(at: "textDocument/selectionRange") { site, parameters throws(ResponseError) in
            let positions = parameters["positions"]?.items ?? []
            guard positions.count <= site.desk.limits.positions else {
                throw ResponseError(
                    .invalidParams, "more than \(site.desk.limits.positions) positions")
            }
            return site.selections(positions)
        },
        Feature(at: "textDocument/documentLink") { site, _ in site.links() },
        Feature(at: "textDocument/prepareRename") { site, _ throws(ResponseError) in
            try Rename.prepare(&site)
        },
        Feature(at: "textDocument/rename", takesLong: { _ in true }) {
            site, parameters throws(ResponseError) in
            try Rename.edit(&site, to: parameters["newName"]?.text ?? "")
        },
        Feature(at: "textDocument/prepareCallHierarchy") { site, _ in CallHierarchy.items(&site) },
        Feature("callHierarchy/incomingCalls") { server, parameters in
            CallHierarchy.calls(&server, of: parameters["item"] ?? .null, isIncoming: true)
        },
        Feature("callHierarchy/outgoingCalls") { server, parameters in
            CallHierarchy.calls(&server, of: parameters["item"] ?? .null, isIncoming: false)
        },
        Feature(at: "textDocument/semanticTokens/full") { site, _ in
            SemanticTokens.json(&site, in: nil)
        },
        Feature(at: "textDocument/semanticTokens/range") { site, parameters in
            SemanticTokens.json(&site, in: site.lines.range(parameters["range"]))
        },
        Feature(at: "textDocument/inlayHint") { site, parameters in
            InlayHints.json(&site, in: site.lines.range(parameters["range"]))
        },
        Feature(at: "textDocument/codeLens", takesLong: { _ in true }) { site, _ in
            CodeLenses.json(&site)
        },
        Feature(at: "textDocument/codeAction") { site, parameters in
            CodeActions.json(&site, parameters: parameters)
        },
        Feature(at: "textDocument/formatting") { site, _ in Formatting.json(site, lines: nil) },
        Feature(at: "textDocument/rangeFormatting") { site, parameters in
            Formatting.json(site, lines: site.lines.range(parameters["range"]))
        },
        Feature(at: "textDocument/onTypeFormatting") { site, _ in Formatting.indent(site) },
        Feature(at: "textDocument/diagnostic") { site, parameters in
            PulledFindings.json(&site, previous: parameters["previousResultId"]?.text)
        },
        Feature("workspace/diagnostic") { server, parameters in
            PulledFindings.json(ofWorkspace: &server, parameters)
        },
        Feature("workspace/executeCommand", takesLong: { _, _ in true }) {
            server, parameters throws(ResponseError) in
            try ServerCommand.run(&server, parameters: parameters)
        },
    ]
}

/// A document that a request is about, the place in it, and what belongs to it.
struct RequestContext: Sendable {
    var desk: ServerState
    let client: ClientSupport
    let uri: String
    let path: String
    let bytes: [UInt8]
    let lines: TextLines
    /// The place, 0 if the request names none.
    let offset: Int
    /// The work budget of the request.
    let budget: WorkBudget
    /// The position of its project; nil where a document belongs to none.
    let project: Int?
    /// The position of the rule set in the project that it belongs to or is about.
    let ruleSet: Int?

    init(_ server: LanguageServer, _ parameters: JSON) throws(ResponseError) {
        guard let uri = parameters["textDocument"]?["uri"]?.text else {
            throw ResponseError(.invalidParams, "`textDocument` has no `uri`")
        }
        guard let document = server.desk.document(uri) else {
            throw ResponseError(.invalidParams, "`\(uri)` is not open")
        }
        self.uri = uri
        desk = server.desk
        client = server.client
        budget = server.budget
        path = document.path
        bytes = document.bytes
        lines = document.lines
        if let position = parameters["position"] {
            guard let offset = document.lines.offset(position) else {
                throw ResponseError(.invalidParams, "`position` is not a valid position")
            }
            self.offset = offset
        } else {
            offset = 0
        }
        project = desk.projects(with: path).first
        ruleSet = project.flatMap { [desk] in desk.projects[$0].ruleSets(of: document.path).first }
    }

    var kind: FileKind { FileKind(path: path, bytes: bytes) }

    /// The file as its project knows it.
    var file: SourceFile {
        project.flatMap { desk.projects[$0].file(at: path) }
            ?? SourceFile(path: path, bytes: bytes)
    }

    /// The limits of an analysis of the rules' meaning.
    var analysisLimits: AnalysisLimits {
        var limits = AnalysisLimits.standard
        limits.logic.budget = budget
        return limits
    }

    var model: RuleModel? {
        guard let project, let ruleSet else { return nil }
        return desk.projects[project].model(ruleSet)
    }

    var names: ExpressionNames? {
        mutating get {
            guard let project, let ruleSet else { return nil }
            return desk.projects[project].names(ofRuleSet: ruleSet)
        }
    }

    var outline: FileOutline {
        mutating get {
            guard let project else { return FileOutline(file, kind: kind) }
            return desk.projects[project].outline(of: file)
        }
    }

    /// The files of the rule set and the tests about it; only the document if it has no rule set.
    var files: [SourceFile] {
        guard let project, let ruleSet else { return [file] }
        return desk.projects[project].files(ofRuleSet: ruleSet)
    }

    mutating func outline(of file: SourceFile) -> FileOutline {
        guard let project else { return FileOutline(file, kind: kind) }
        return desk.projects[project].outline(of: file)
    }

    /// Returns the addresses and ranges of mentions. The lines of each file are found once: a name
    /// can be mentioned thousands of times in one file.
    func locations(_ places: [(file: SourceFile, mention: Mention)]) -> JSON {
        var known: [String: (uri: String, lines: TextLines)?] = [:]
        return .array(
            places.compactMap { file, mention in
                let place =
                    known[file.path] ?? desk.uri(of: file.path).map { ($0, desk.lines(of: file)) }
                known.updateValue(place, forKey: file.path)
                return place.map { uri, lines in
                    .object(["uri": .string(uri), "range": lines.json(mention.range)])
                }
            })
    }
}
