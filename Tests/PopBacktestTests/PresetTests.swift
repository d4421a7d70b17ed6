import PopBacktest
import PopRuleFiles
import PopScheduler
import PopTestSupport
import Testing

/// Each vendor's exports, in the shape that the vendor documents.
struct PresetTests {
    static let rules = """
        context: { plan: { type: string, default: free } }
        events:
          order.completed: { total: double, currency: string }
          product.viewed: { sku: string }
        popups:
          thanks:
            trigger: { event: order.completed, where: 'event.total == 39.0 && event.currency == "EUR"' }
            when: 'plan == "pro" && now == timestamp("2026-03-02T10:01:00Z")'
          viewed:
            trigger: { event: product.viewed, where: 'event.sku == "G-32"' }
            when: 'now < timestamp("2026-03-02T10:00:01Z") && now >= timestamp("2026-03-02T10:00:00Z")'
        """

    struct Vendor {
        var sample: String
        var mapping: String
        var events = 3
    }

    private static func names(_ order: String, _ product: String) -> String {
        """
        events:
          order.completed: { names: \(order), fields: { total: revenue } }
          product.viewed: \(product)
        """
    }

    static let vendors: [Vendor] = [
        Vendor(
            sample: "segment.jsonl",
            mapping: """
                preset: segment
                merge_identities: true
                context: { plan: { column: traits.plan } }
                \(names("Order Completed", "Product Viewed"))
                """, events: 4),
        Vendor(
            sample: "amplitude.jsonl",
            mapping: """
                preset: amplitude
                context: { plan: { column: user_properties.plan } }
                \(names("Order Completed", "Product Viewed"))
                """),
        Vendor(
            sample: "mixpanel.jsonl",
            mapping: """
                preset: mixpanel
                time: { zone: Europe/Berlin }
                context: { plan: { field: plan } }
                \(names("Order Completed", "Product Viewed"))
                """),
        Vendor(
            sample: "snowplow.tsv",
            mapping: """
                preset: snowplow
                context: { plan: { field: plan } }
                \(names("order_completed", "product_viewed"))
                """, events: 4),
        Vendor(
            sample: "ga4.jsonl",
            mapping: """
                preset: ga4
                context: { plan: { column: "user_properties[].plan" } }
                \(names("order_completed", "product_viewed"))
                """, events: 2),
    ]

    @Test(arguments: vendors) func `exports of each tool are read`(vendor: Vendor) throws {
        let mapping = try MappingFile.of("poprules_mapping: 1\n" + vendor.mapping)
        let rules = try RuleSet.parse(Self.rules)
        let report = try Backtest(rules, mapping: mapping, logs: [sample(vendor.sample)]).run()
        #expect(report.tally.users == 1)
        #expect(report.tally.events + report.tally.copies == vendor.events)
        #expect(report.shown == ["thanks": 1, "viewed": 1])
    }
}
