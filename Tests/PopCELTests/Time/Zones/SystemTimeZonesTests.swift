import Testing

@testable import PopCEL

@Suite struct SystemTimeZonesTests {
    @Test func `every name is the name of a zone`() {
        let zones = TimeZones.system
        let names = TimeZones.systemNames
        #expect(names.contains("Europe/Berlin"))
        #expect(names.filter { zones.secondsFromUTC(zone: $0, at: 0) == nil } == [])
    }

    @Test func `a file that only looks like a zone isn't a zone`() {
        let zones = TimeZones.system
        for name in [
            "", "Europe", "Europe/Berln", "berlin", "europe/berlin", "12:00",
            String(repeating: "Europe/", count: 20), "GMT+2", "PST",
        ] {
            #expect(zones.secondsFromUTC(zone: name, at: 0) == nil, "\(name)")
        }
    }

    @Test func `no name leads out of the zone folder`() {
        for name in [
            "../zoneinfo/Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin", "Europe//Berlin",
            "Europe/../Europe/Berlin", "./Europe/Berlin", "Europe/Berlin/", "Europe/./Berlin",
            "Europe/Berlin\0", "posix/Europe/Berlin", "right/Europe/Berlin", "localtime",
            "posixrules", "zone.tab", "Europe/Bérlin", "~/Berlin",
        ] {
            #expect(!ZoneName.isWellFormed(name), "\(name)")
            #expect(TimeZones.system.secondsFromUTC(zone: name, at: 0) == nil, "\(name)")
        }
        #expect(ZoneName.isWellFormed("America/North_Dakota/New_Salem"))
        #expect(ZoneName.isWellFormed("Etc/GMT+1"))
    }

    @Test func `the number of cached names is limited`() {
        var cache = ZoneCache()
        for number in 0..<3 * TimeZoneLimits.keptZones {
            cache["Zone\(number)"] = .some(nil)
            #expect(cache.zones.count <= TimeZoneLimits.keptZones)
        }
        #expect(!cache.zones.isEmpty)
    }
}
