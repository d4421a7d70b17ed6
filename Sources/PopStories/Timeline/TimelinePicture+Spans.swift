internal import PopReports
internal import PopScheduler

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
            (isNew ? "" : "\(length), ") + (span.end == nil ? "still shown" : span.reason ?? "")
        // A bar that is too narrow has no sign.
        let sign = end - start > 18 ? span.ending.sign : ""
        let room = end - start - 8 - (sign.isEmpty ? 0 : 14)
        var inside = [bar(from: start, to: end, as: "shows \(span.ending)")]
        if let text = [whole, length].first(where: { SVG.width(of: $0) <= room }) {
            inside.append(SVG.text(text, x: start + 5, y: y - 9))
        }
        if !sign.isEmpty {
            inside.append(SVG.text(sign, x: end - 12, y: y - 9, as: "\(span.ending) strong"))
        }
        body.append(SVG.group(whole, inside: inside))
    }

    private mutating func addWait(_ span: PictureRows.Span, from start: Int, to end: Int) {
        let reason = span.reason ?? ""
        var inside = [bar(from: start, to: end, as: "waits")]
        if SVG.width(of: reason) + 10 <= end - start {
            inside.append(SVG.text(reason, x: start + 5, y: y - 9))
        }
        body.append(SVG.group(reason, inside: inside))
    }

    private mutating func addMiss(_ span: PictureRows.Span, x: Int, before next: Int) {
        let reason = span.reason ?? ""
        let isFitting = SVG.width(of: reason) + 16 <= next - x
        let text = isFitting ? "– \(reason)" : "–"
        let inside = [SVG.text(text, x: x + 3, y: y - 9, as: "soft")]
        body.append(SVG.group(reason, inside: inside))
    }

    private func bar(from start: Int, to end: Int, as classes: String) -> XMLElement {
        SVG.box(x: start, y: y - 23, width: end - start, height: 20, as: classes)
    }
}
