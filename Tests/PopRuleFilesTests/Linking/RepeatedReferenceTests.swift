import Testing

@testable import PopRuleFiles

struct RepeatedReferenceTests {
    @Test func `an unknown name in the defaults of a file is reported once`() {
        let popups = (0..<300).map { "  p\($0): {}\n" }.joined()
        let found = pointed(
            """
            defaults: { group: ofers, after: [welcom], template: sheets }
            groups: { offers: {} }
            popups:
              welcome: { after: [] }

            """ + popups)
        #expect(
            Set(found) == [
                "ref/undefined-group: ofers", "ref/undefined-popup: welcom",
                "ref/undefined-template: sheets",
            ])
        #expect(found.count == 3)
    }

    @Test func `an unknown name in several popups is reported for each popup`() {
        #expect(pointed("popups: { a: { group: x }, b: { group: x } }").count == 2)
    }
}
