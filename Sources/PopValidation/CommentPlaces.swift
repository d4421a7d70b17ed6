internal import PopSource

extension Diagnostics {
    /// The findings, of which those about comments that ignore nothing name the line in which the
    /// check has a finding.
    func pointingFromComments(in source: (FileID) -> SourceFile) -> Diagnostics {
        guard list.contains(where: { $0.check == .configUnusedIgnore }) else { return self }
        var lines: [FileID: LineIndex] = [:]
        return Diagnostics(
            list.map { finding in
                let range = finding.range
                guard finding.check == .configUnusedIgnore,
                    let check = source(range.file).onlyCheckToIgnore(at: range),
                    let place = list.filter({ other in
                        other.check == check && other.range.file == range.file
                            && other.range.lower > range.lower
                    }).map(\.range.lower).min()
                else { return finding }
                let index = lines[range.file] ?? LineIndex(source(range.file))
                lines[range.file] = index
                var finding = finding
                finding.help = [
                    "move the comment directly above line \(index.line(at: place)), in which"
                        + " \(check.id) has a finding"
                ]
                return finding
            })
    }
}

extension SourceFile {
    /// Returns the check at a place if it is the only one of a comment about one line.
    fileprivate func onlyCheckToIgnore(at range: SourceRange) -> Check? {
        let isOnly =
            bytes[..<range.lower].reversed().starts(with: "poprules:ignore[".utf8.reversed())
            && bytes[range.upper...].first == UInt8(ascii: "]")
        guard isOnly, let check = Check.named(text(in: range)), !check.isAlwaysTold else {
            return nil
        }
        return check
    }
}
