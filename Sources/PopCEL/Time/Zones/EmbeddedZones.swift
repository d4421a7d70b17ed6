internal import PopSource

#if !canImport(Darwin)
    /// The zones of the IANA database that are part of the program, for systems without them: 16 KB
    /// in all.
    ///
    /// They contain each zone's current rule, and the deviations from it from 2020 on; earlier
    /// times are treated as if these had always applied.
    enum EmbeddedZones {
        private typealias Text = Substring.UTF8View

        /// The names of all zones, without alternative names of the same zones.
        static let names: [String] =
            records
            .flatMap { words($0[2]).map { String(Substring($0)) } }.ordered()

        /// Returns a zone, by any of its names; nil if no zone has the name.
        static func table(of zone: String) -> TimeZoneTable? {
            let record = records.first { record in
                record[2...].contains { words($0).contains { $0.elementsEqual(zone.utf8) } }
            }
            return record.flatMap { TimeZoneTable(rule: $0[0], changes: words($0[1])) }
        }

        /// The fields of each line of the table.
        private static let records: [[Text]] = table.utf8.split(separator: UInt8(ascii: "\n"))
            .map { $0.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) }

        private static func words(_ text: Text) -> [Text] {
            text.split(separator: UInt8(ascii: " "))
        }
    }

    extension TimeZoneTable {
        /// Creates a table from the fields of a line, in minutes: `60 26454360=0 26514840=60`.
        fileprivate init?(rule: Substring.UTF8View, changes: [Substring.UTF8View]) {
            guard let rule = ZoneRule(parsing: rule) else { return nil }
            let pairs = changes.dropFirst().map { change in
                change.split(separator: UInt8(ascii: "=")).compactMap { Int64(Substring($0)) }
            }
            let first = changes.first.flatMap { Int32(Substring($0)) } ?? rule.standard / 60
            self.init(
                first: first * 60, changes: pairs.map { $0[0] * 60 },
                offsets: pairs.map { Int32($0[1]) * 60 }, rule: rule)
        }
    }
#endif
