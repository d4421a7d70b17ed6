internal import PopSource
internal import PopYAML

extension Format<ClosedRange<Duration>> {
    /// A duration, or a list of the shortest and the longest.
    package static var span: Self {
        let schema = Schema.either([
            .duration(minimum: 0), .list(.duration(minimum: 0), count: 2...2),
        ])
        return Format(schema) { node, decoder in
            guard node.kind == .sequence else {
                if let text = node.text, milliseconds(in: text) == nil,
                    let span = spanOfTimes(text)
                {
                    return decoder.mismatch(
                        schema, at: node,
                        readings: [Reading("[\(span.0), \(span.1)]", isExact: false)])
                }
                return decoder.duration(node).map { $0...$0 }
            }
            guard node.items.count == 2 else {
                decoder.report(.spanBounds(decoder.subjectOfValue, at: node))
                return nil
            }
            let bounds = decoder.read(.list(of: .duration()), at: node)?.value ?? []
            guard bounds.count == 2 else { return nil }
            guard bounds[0].value <= bounds[1].value else {
                decoder.report(.spanOrder(decoder.subjectOfValue, bounds[0], bounds[1]))
                return nil
            }
            return bounds[0].value...bounds[1].value
        }
    }
}

extension Diagnostic {
    fileprivate static func spanBounds(_ subject: String, at node: YAMLNode) -> Self {
        var diagnostic = Diagnostic(
            .schemaRange,
            message: "\(subject) needs two bounds, but the list has \(node.items.count)",
            at: node.range, label: "not two durations",
            help: ["write the shortest and the longest duration, such as `[1s, 3s]`"])
        if node.items.count == 1, let text = node.items[0].text {
            diagnostic.help = ["write a single duration without brackets: `\(text)`"]
            diagnostic.fixes = [.rename(node.range, to: text)]
        }
        return diagnostic
    }

    fileprivate static func spanOrder(
        _ subject: String, _ shortest: Located<Duration>, _ longest: Located<Duration>
    ) -> Self {
        let text = "[\(durationText(longest.value)), \(durationText(shortest.value))]"
        let range = shortest.range.union(longest.range)
        return Diagnostic(
            .schemaRange, message: "the bounds of \(subject) are in the wrong order", at: range,
            label: "the shortest must come first", help: ["write `\(text)`"],
            fixes: [.rename(range, to: String(text.dropFirst().dropLast()))])
    }
}
