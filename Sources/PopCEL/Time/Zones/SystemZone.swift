#if canImport(Darwin)
    internal import Foundation

    /// A time zone of Foundation.
    ///
    /// It also accepts offsets such as `GMT+2`, which other systems don't have, and gives them
    /// other names.
    struct SystemZone: Sendable {
        private let zone: TimeZone

        init?(named name: String) {
            if name == "UTC" {
                zone = .gmt
            } else if let found = TimeZone(identifier: name), found.identifier == name {
                zone = found
            } else {
                return nil
            }
        }

        static var names: [String] { TimeZone.knownTimeZoneIdentifiers }

        func offset(at seconds: Int64) -> Int32 {
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            return Int32(zone.secondsFromGMT(for: date))
        }

        /// Returns true if their clocks always show the same time, whatever their names are.
        func hasClocks(of other: Self) -> Bool {
            (zone as NSTimeZone).data == (other.zone as NSTimeZone).data
        }
    }
#else
    /// A time zone of the operating system, or of the table that is part of the program.
    struct SystemZone: Sendable {
        private let table: TimeZoneTable

        init?(named name: String) {
            for place in ZonePlace.ofSystem {
                guard let table = place.table(of: name) else { continue }
                self.table = table
                return
            }
            guard let table = EmbeddedZones.table(of: name) else { return nil }
            self.table = table
        }

        static var names: [String] { EmbeddedZones.names }

        func offset(at seconds: Int64) -> Int32 { table.offset(at: seconds) }

        /// Returns true if their clocks always show the same time, whatever their names are.
        func hasClocks(of other: Self) -> Bool { table == other.table }
    }
#endif
