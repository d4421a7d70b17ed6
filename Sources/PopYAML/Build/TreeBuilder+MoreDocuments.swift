internal import PopSource

extension TreeBuilder {
    /// The content after the end of a document, without comments.
    enum Rest {
        case nothing
        case document(at: Int)
        /// Text that belongs to no document.
        case text(at: Int)
    }

    func rest(behind documentEnd: Int) -> Rest {
        var offset = documentEnd
        while offset < bytes.count {
            let lineBreak = lineBreakLength(bytes, at: offset)
            if lineBreak > 0 || isBlank(bytes[offset]) {
                offset += max(lineBreak, 1)
            } else if bytes[offset] == UInt8(ascii: "#") {
                while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
            } else if isMarker(".", at: offset) {
                offset += 3
            } else if isMarker("-", at: offset) || bytes[offset] == UInt8(ascii: "%") {
                return .document(at: offset)
            } else {
                return .text(at: offset)
            }
        }
        return .nothing
    }

    /// Returns true if a character occurs three times at an offset and nothing else follows.
    private func isMarker(_ character: Unicode.Scalar, at offset: Int) -> Bool {
        let wanted = UInt8(ascii: character)
        return offset + 3 <= bytes.count && bytes[offset..<offset + 3].allSatisfy { $0 == wanted }
            && isBlankOrBreak(at: offset + 3)
    }

    mutating func reportSecondDocument(at offset: Int) {
        let marker = offset..<min(offset + 3, bytes.count)
        report(.moreDocuments(at: range(marker)))
    }
}

extension Diagnostic {
    fileprivate static func moreDocuments(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlMultiDocument, message: "the file contains more than one document", at: range,
            label: "a second document starts here",
            help: ["move each document to its own file"])
    }
}
