import PopCEL
import Testing

@Suite struct SystemTimeZonesTests {
    @Test func `every name is that of a zone`() {
        let zones = SystemTimeZones()
        let names = SystemTimeZones.names
        #expect(names.contains("Europe/Berlin"))
        #expect(names.filter { zones.secondsFromUTC(zone: $0, at: 0) == nil } == [])
    }

    @Test func `what only looks like a zone is none`() {
        let zones = SystemTimeZones()
        for name in [
            "", "Europe/Berln", "berlin", "12:00", String(repeating: "Europe/", count: 20),
        ] {
            #expect(zones.secondsFromUTC(zone: name, at: 0) == nil, "\(name)")
        }
    }
}
