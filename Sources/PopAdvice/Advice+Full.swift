public import PopCEL
internal import PopSource

extension Advice {
    /// The complete advice.
    public static let full = Advice(
        unread: { UnparsedExpression($0).findings(first: $0.error.explained(in: $0.bytes)) },
        foreign: { checker, node in checker.reportForeign(node) },
        mistake: { checker, mistake, diagnostic in checker.advise(on: mistake, to: &diagnostic) },
        broken: { subject, diagnostics in
            guard diagnostics.list.count < CELLimits.offers else { return diagnostics }
            let tree = subject.tree
            var adviser = ExpressionLinter(subject, diagnostics: diagnostics)
            adviser.adviseOnValues()
            return adviser.diagnostics.withoutSymptoms(of: diagnostics)
                .showingOnlyChanges(in: tree)
        },
        sound: { subject, diagnostics, failures in
            if failures.isEmpty, subject.isOrdinary { return diagnostics }
            let logic = subject.mayClash ? (subject.tree, subject.environment) : nil
            var adviser = ExpressionLinter(subject, diagnostics: diagnostics)
            adviser.advise(constantFailures: failures)
            var diagnostics = adviser.diagnostics
            if let (tree, environment) = logic {
                for finding in LogicAdvice(tree, environment: environment).found {
                    diagnostics.report(finding)
                }
            }
            return diagnostics
        })
}

extension Diagnostics {
    /// Without advice on a part of what is an error: its value or its type was not what was meant.
    fileprivate func withoutSymptoms(of errors: Diagnostics) -> Diagnostics {
        let known = Set(errors.list)
        let errors = errors.list.filter { $0.level == .error }
        return Diagnostics(
            list.filter { finding in
                known.contains(finding) || !errors.contains { $0.range.overlaps(finding.range) }
            })
    }
}

extension Diagnostics {
    /// Shows only the changed part in the helps on a text with several errors: the whole text would
    /// still contain the other errors.
    fileprivate func showingOnlyChanges(in tree: SyntaxTree) -> Diagnostics {
        guard list.count(where: { $0.level == .error }) > 1, tree.origins.count == 1 else {
            return self
        }
        return Diagnostics(
            list.map { finding in
                var finding = finding
                for fix in finding.fixes {
                    finding.help = finding.help.map { fix.showingOnlyChange(in: $0) }
                }
                return finding
            })
    }
}

extension Diagnostic.Fix {
    /// Returns the help on this fix with only the changed part; other helps unchanged. A part that
    /// has to be escaped isn't shown alone.
    fileprivate func showingOnlyChange(in help: String) -> String {
        guard edits.count == 1, let change = edits.first?.replacement, !change.isEmpty,
            !change.contains("\\"), !change.contains("''"),
            let colon = help.ranges(of: ": `").first(where: {
                help[..<$0.lowerBound].replacing("`", with: "") == title
            })
        else { return help }
        let start = help[..<colon.lowerBound]
        // "use `now` for the current time" already shows the change, and nothing else.
        let quoted = start.split(separator: "`", omittingEmptySubsequences: false)
        let isShown = quoted.count == 3 && quoted[1] == change
        return isShown ? String(start) : "\(start): `\(change)`"
    }
}

extension SourceRange {
    fileprivate func overlaps(_ other: SourceRange) -> Bool {
        file == other.file && lower < other.upper && other.lower < upper
    }
}
