/// The syntax of time zone names.
enum ZoneName {
    /// Returns true if a string may be the name of a zone in the IANA database: parts such as
    /// `Port-au-Prince` or `GMT+1` between slashes, each beginning with a capital letter.
    ///
    /// Such a name never leads out of the folder of zones, or to other files in it: `posix/`,
    /// `right/`, `localtime`, `zone.tab`.
    static func isWellFormed(_ name: String) -> Bool {
        let name = name.utf8
        guard name.count <= TimeZoneLimits.nameLength else { return false }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { part in
                part.first.map(capitals.contains) == true && part.allSatisfy(isAllowed)
            }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
