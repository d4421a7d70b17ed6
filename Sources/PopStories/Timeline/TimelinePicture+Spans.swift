internal import PopReports
internal import PopScheduler
internal import PopSource

extension TimelinePicture {
    mutating func add(_ span: PictureRows.Span, before next: Int) {
        guard let start = axis.x(span.start) else { return }
        let end = max(span.end.map { axis.x($0) ?? axis.end } ?? axis.end, start + 8)
        switch span.kind {
        case .misses: addMiss(span, x: start, before: next)
        case .waits: addWait(span, from: start, to: end)
        case .shows: addShow(span, from: start, to: end)
        }
    }

    private mutating func addShow(_ span: PictureRows.Span, from start: Int, to end: Int) {
        let length = timeText((span.end ?? story.end) - span.start)
        let isNew = span.end == nil && span.start == story.end
        let whole =
            (isNew ? "" : "\(length), ") + (span.end == nil ? "still there" : span.reason ?? "")
        let colours = span.ending.colours
        // A bar that is too narrow has no sign.
        let sign = end - start > 18 ? span.ending.sign : ""
        let room = end - start - 10 - (sign.isEmpty ? 0 : 14)
        var inside = [
            bar(start, to: end, style: "fill=\"\(colours.fill)\" stroke=\"\(colours.edge)\"")
        ]
        if let text = [whole, length].first(where: { PictureAxis.width(of: $0) <= room }) {
            inside.append(Self.element(text, x: start + 5, y: y - 9, fill: "#1a1a1a"))
        }
        if !sign.isEmpty {
            inside.append(
                Self.element(
                    sign, x: end - 12, y: y - 9, fill: colours.edge,
                    attributes: " font-weight=\"bold\""))
        }
        addGroup(whole, inside: inside)
    }

    private mutating func addWait(_ span: PictureRows.Span, from start: Int, to end: Int) {
        let reason = span.reason ?? ""
        let style = "fill=\"url(#waits)\" stroke=\"#8b949e\" stroke-dasharray=\"3 3\""
        var inside = [bar(start, to: end, style: style)]
        let length = PictureAxis.width(of: reason)
        if length + 10 <= end - start {
            inside.append(
                "<rect x=\"\(start + 3)\" y=\"\(y - 20)\" width=\"\(length + 4)\" height=\"14\""
                    + " fill=\"#fff\"/>")
            inside.append(Self.element(reason, x: start + 5, y: y - 9, fill: "#1a1a1a"))
        }
        addGroup(reason, inside: inside)
    }

    private mutating func addMiss(_ span: PictureRows.Span, x: Int, before next: Int) {
        let reason = span.reason ?? ""
        let isFitting = PictureAxis.width(of: reason) + 16 <= next - x
        let text = isFitting ? "– \(reason)" : "–"
        addGroup(reason, inside: [Self.element(text, x: x + 3, y: y - 9, fill: Self.grey)])
    }

    private func bar(_ start: Int, to end: Int, style: String) -> String {
        "<rect x=\"\(start)\" y=\"\(y - 23)\" width=\"\(end - start)\" height=\"20\" rx=\"3\""
            + " \(style)/>"
    }

    /// What lies together, with what is told about it under the pointer.
    mutating func addGroup(_ title: String, inside: [String]) {
        body.append("<g><title>\(escapedForXML(title))</title>\(inside.joined())</g>")
    }
}
