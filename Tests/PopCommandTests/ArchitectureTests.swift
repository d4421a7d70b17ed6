import Foundation
import Testing

@Suite struct `The Architecture pages` {
    private static let page = "docs/contributing/architecture.md"
    private static let details = "docs/contributing/architecture-details.md"
    /// The modules that every target may import without declaring it.
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "Synchronization", "Dispatch", "Darwin", "Glibc",
        "Musl", "Android", "os", "Observation", "SwiftUI", "UIKit",
    ]

    /// The table of targets: what each imports.
    private func table() throws -> [String: Set<String>] {
        var rows: [String: Set<String>] = [:]
        for line in try Repository.text(Self.details).split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 5, cells[1].hasPrefix(" `") else { continue }
            let name = cells[1].trimming(" `")
            guard name.hasPrefix("Pop") || name.hasPrefix("CEL"), !name.contains("/") else {
                continue
            }
            rows[name] = Set(cells[3].split(separator: ",").map { $0.trimming(" –") })
                .subtracting([""])
        }
        return rows
    }

    private func imports(of file: String) throws -> Set<String> {
        let lines = try Repository.text(file).split(separator: "\n")
        let words = lines.compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard let position = words.firstIndex(of: "import"), position <= 2,
                words.prefix(position).allSatisfy({
                    $0.allSatisfy { $0.isLetter || "@_".contains($0) }
                })
            else { return nil }
            return words.last?.split(separator: ".").first.map(String.init)
        }
        return Set(words)
    }

    @Test
    func `the architecture pages name every dependency between the targets, and no others`() throws
    {
        let table = try table()
        #expect(table.count > 25)
        for (target, allowed) in table {
            var used: Set<String> = []
            for file in Repository.swiftFiles(in: "Sources/\(target)") {
                used.formUnion(try imports(of: file))
            }
            used.subtract(Self.system)
            #expect(used == allowed, "\(target)")
        }
    }

    @Test(arguments: [page, details])
    func `name no path that does not exist`(page: String) throws {
        let words = try Repository.text(page).split(separator: "`")
        let places = words.filter { $0.contains("/") && $0.allSatisfy { !" =|\n".contains($0) } }
        #expect(places.count > 15)
        for place in places {
            let exists = ["", "Sources/", "Sources/PopCommand/"].contains { folder in
                let path = Repository.root.appending(path: folder + place).path
                return FileManager.default.fileExists(atPath: path)
            }
            #expect(exists, "\(place)")
        }
    }

    @Test func `are right about the files that import C and use unsafe`() throws {
        let files = Repository.swiftFiles(in: "Sources")
        let libraries: Set = ["CLibYAML", "CZlib", "CZstd"]
        let importC = try files.filter { try !imports(of: $0).isDisjoint(with: libraries) }
        #expect(importC.count == 2)
        let sayUnsafe = try files.filter { try Repository.text($0).contains("unsafe ") }
        let system = [
            "Sources/PopBacktest/Reading/SystemFile.swift",
            "Sources/PopBacktest/Running/SpillRecord.swift",
            "Sources/PopBundleSigning/KeptFile.swift",
            "Sources/PopCEL/Time/Zones/ZoneFile.swift",
            "Sources/PopCommand/Output/ChildProcess.swift",
            "Sources/PopCommand/Output/CommandArguments.swift",
            "Sources/PopCommand/Output/Descriptor.swift",
            "Sources/PopCommand/Output/FileIdentity.swift",
            "Sources/PopCommand/Output/Interruption.swift",
            "Sources/PopCommand/Output/ProcessLimits.swift",
            "Sources/PopCommand/Play/RawTerminal.swift",
            "Sources/PopHistorySQLite/HistoryFile.swift",
            "Sources/PopRuleFiles/Paths/DiskPath.swift",
            "Sources/PopSource/SystemLock.swift",
            "Sources/PopValidation/Accounts.swift",
        ]
        let calledByC = [
            "Sources/PopForeign/CArguments.swift",
            "Sources/PopForeign/CInterface.swift",
            "Sources/PopForeign/CInterface+Tables.swift",
            "Sources/PopForeign/ForkGate.swift",
            "Sources/PopForeign/Tables/ArrowColumn+ArrowChecks.swift",
            "Sources/PopForeign/Tables/ArrowColumn.swift",
            "Sources/PopForeign/Tables/ArrowExport.swift",
            "Sources/PopForeign/Tables/ArrowLines.swift",
            "Sources/PopForeign/Tables/ArrowWriter.swift",
            "Sources/PopForeign/Tables/TableReplay.swift",
        ]
        let shared = [
            "Sources/PopSource/LockedValue.swift", "Sources/PopEngine/Events/EngineEvents.swift",
            "Sources/PopRuleFiles/Readings/SharedRegex.swift",
        ]
        #expect(Set(sayUnsafe) == Set(importC + system + calledByC + shared))
    }

    @Test func `are right that the pure targets import Foundation only for zones`() throws {
        let pure = ["PopSource", "PopCEL", "PopScheduler"]
        let files = pure.flatMap { Repository.swiftFiles(in: "Sources/\($0)") }
        let found = try files.filter {
            try !imports(of: $0).isDisjoint(with: ["Foundation", "FoundationEssentials"])
        }
        let zones = "Sources/PopCEL/Time/Zones/SystemZone.swift"
        #expect(found == [zones])
        #expect(try Repository.text(zones).hasPrefix("#if canImport(Darwin)\n    internal import"))
    }

    @Test func `are right that poprules needs only FoundationEssentials`()
        throws
    {
        let others = ["PopHistorySQLite", "CELConformance"].map { "Sources/\($0)/" }
        let files = Repository.swiftFiles(in: "Sources").filter { file in
            !others.contains { file.hasPrefix($0) }
        }
        let full = try files.filter { file in
            let lines = try Repository.text(file).split(separator: "\n")
            return zip([""] + lines, lines).contains { before, line in
                line.hasSuffix("import Foundation") && !before.hasPrefix("#")
            }
        }
        #expect(full == [])
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String {
        String(
            drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}
