import PopReports

@testable import PopSource

/// Requirements for diagnostics of files with any content.
enum Findings {
    /// Every place lies inside of its file, they can be printed, and nothing in them reaches a
    /// terminal raw.
    static func check(_ diagnostics: Diagnostics, in sources: SourceSet) throws {
        for finding in diagnostics.list {
            let places =
                [finding.range] + finding.secondary.map(\.range)
                + finding.fixes.flatMap { $0.edits.map(\.range) }
            for place in places {
                try require(
                    Int(place.file.index) < sources.files.count
                        && place.lower <= place.upper
                        && place.upper <= sources[place.file].bytes.count,
                    "`\(finding.message)` lies outside of its file")
            }
            try require(!finding.message.isEmpty, "a finding says nothing")
        }
        let summary = Summary(popups: 0, files: sources.files.count, diagnostics: diagnostics)
        let report = Report(diagnostics, sources: sources, summary: summary)
        // One format an input, which decides which: fuzzing lives on many inputs.
        let size = sources.files.reduce(0) { $0 + $1.bytes.count }
        let format = ReportFormat.allCases[size % ReportFormat.allCases.count]
        let text = format.renderer().render(report)
        let raw = text.unicodeScalars.first { $0.mustBeEscaped && $0 != "\n" }
        try require(
            raw == nil, "\(format) prints U+\(String(raw?.value ?? 0, radix: 16)) as it is")
        if [.json, .sarif, .rdjson, .gitlab].contains(format) {
            try require((try? JSON.parse(text.utf8)) != nil, "\(format) prints no JSON")
        }
        // Applying the safe fixes must work, with any result.
        _ = FixedFiles(diagnostics, sources: sources)
    }

    static func sources(_ files: (path: String, bytes: [UInt8])...) -> SourceSet {
        var sources = SourceSet()
        for file in files { sources.add(path: file.path, bytes: file.bytes) }
        return sources
    }
}
