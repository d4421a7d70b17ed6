#if !canImport(Darwin)
    /// The zones of the IANA database that are part of the program, for systems without them: 16 KB
    /// in all.
    ///
    /// They know each zone's rule of today, and what was or will be otherwise from 2020 on; earlier
    /// times are read as if that had always been so.
    enum EmbeddedZones {
        /// The names of all zones, without other names of the same zones.
        static var names: [String] {
            records().flatMap { $0[2].split(separator: " ").map { String($0) } }.sorted()
        }

        /// A zone, by any of its names; nil when there is none.
        static func table(of zone: String) -> TimeZoneTable? {
            let record = records().first { record in
                record[2...].contains { $0.split(separator: " ").contains { $0 == zone } }
            }
            return record.flatMap { TimeZoneTable(rule: $0[0], changes: $0[1]) }
        }

        private static func records() -> [[Substring]] {
            table.split(separator: "\n")
                .map { $0.split(separator: ";", omittingEmptySubsequences: false) }
        }
    }

    extension TimeZoneTable {
        /// From what a line of the table says, in minutes: `60 26454360=0 26514840=60`.
        fileprivate init?(rule: Substring, changes: Substring) {
            guard let rule = ZoneRule(parsing: rule.utf8) else { return nil }
            let words = changes.split(separator: " ")
            let pairs = words.dropFirst().map { $0.split(separator: "=").compactMap { Int64($0) } }
            let first = words.first.flatMap { Int32($0) } ?? rule.standard / 60
            self.init(
                first: first * 60, changes: pairs.map { $0[0] * 60 },
                offsets: pairs.map { Int32($0[1]) * 60 }, rule: rule)
        }
    }
#endif
