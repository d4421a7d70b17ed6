internal import PopSource

extension Diagnostics {
    /// The same findings; those about an unknown anchor name the other file that has it.
    ///
    /// Files are searched only when there is such a finding.
    func namingAnchorsElsewhere(in sources: [SourceFile]) -> Diagnostics {
        guard list.contains(where: { $0.check == .yamlUndefinedAlias }) else { return self }
        var searches = 10
        return Diagnostics(
            list.map { finding in
                guard finding.check == .yamlUndefinedAlias, searches > 0,
                    let own = sources.first(where: { $0.id == finding.range.file })
                else { return finding }
                searches -= 1
                let anchor = "&" + own.text(in: finding.range).dropFirst()
                guard
                    let other = sources.first(where: { $0.id != own.id && $0.defines(anchor) })
                else { return finding }
                var named = finding
                named.help.append(
                    "write the value out, or move both into one file, because `\(anchor)` of"
                        + " `\(other.path)` cannot be used here")
                return named
            })
    }
}

extension SourceFile {
    /// Returns true if the file has an anchor of this name.
    fileprivate func defines(_ anchor: String) -> Bool {
        let wanted = Array(anchor.utf8)
        let ends = Array(" \n\r\t,]}".utf8)
        return bytes.indices.contains { start in
            bytes[start] == UInt8(ascii: "&") && bytes[start...].starts(with: wanted)
                && (start + wanted.count == bytes.count
                    || ends.contains(bytes[start + wanted.count]))
        }
    }
}
