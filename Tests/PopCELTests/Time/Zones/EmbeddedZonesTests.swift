#if !canImport(Darwin)
    import Testing

    @testable import PopCEL

    @Suite struct EmbeddedZonesTests {
        @Test func `every line can be read, and every name is well-formed`() {
            let names = EmbeddedZones.table.split { "\n; ".contains($0) }.map(String.init)
                .filter { $0.first?.isLetter == true && !$0.contains(",") && $0.contains("/") }
            #expect(names.count > 500)
            for name in names {
                #expect(EmbeddedZones.table(of: name) != nil, "\(name)")
                #expect(ZoneName.isWellFormed(name), "\(name)")
            }
        }

        @Test func `an alias of a zone is accepted but not suggested`() {
            #expect(EmbeddedZones.names.contains("Europe/Kyiv"))
            #expect(!EmbeddedZones.names.contains("Europe/Kiev"))
            #expect(
                EmbeddedZones.table(of: "Europe/Kiev") == EmbeddedZones.table(of: "Europe/Kyiv"))
            #expect(EmbeddedZones.table(of: "Europe") == nil)
            #expect(EmbeddedZones.table(of: "") == nil)
        }

        @Test func `changes that no rule describes are listed`() throws {
            // In Ramadan clocks in Morocco go back an hour: in 2027 from the 7th of February on.
            let morocco = try #require(EmbeddedZones.table(of: "Africa/Casablanca"))
            let change: Int64 = 1_801_965_600
            #expect([change - 1, change].map(morocco.offset) == [3600, 0])
        }

        @Test func `the embedded zones are small`() {
            #expect(EmbeddedZones.table.utf8.count < 20_000)
        }
    }
#endif
