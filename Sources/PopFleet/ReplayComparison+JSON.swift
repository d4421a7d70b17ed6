package import PopSource

extension ReplayComparison {
    /// All that was found, popups by their ids.
    package var json: JSON {
        .object(
            popups.sorted { $0.key < $1.key }
                .map { JSON.Member(key: $0.key, value: $0.value.json) })
    }

    /// Reads the JSON that `json` has written; nil for anything else.
    package init?(_ json: JSON, popups names: [String]) {
        do throws(CountReader.Flaw) {
            var reader = CountReader()
            let known = Set(names)
            for member in try reader.members(json) {
                guard known.contains(member.key) else { return nil }
                popups[member.key] = try Popup(member.value, &reader)
            }
        } catch {
            return nil
        }
    }
}

extension ReplayComparison.Popup {
    fileprivate var json: JSON {
        .object([
            "gained": .int(gained), "lost": .int(lost), "kept": .int(kept),
            "more": .int(more), "fewer": .int(fewer),
            "impressions": .int(impressions),
            "gainers": .array(gainers.map { .string($0) }),
            "losers": .array(losers.map { .string($0) }),
        ])
    }

    fileprivate init(_ json: JSON, _ reader: inout CountReader) throws(CountReader.Flaw) {
        gained = try reader.count(json["gained"])
        lost = try reader.count(json["lost"])
        kept = try reader.count(json["kept"])
        more = try reader.count(json["more"])
        fewer = try reader.count(json["fewer"])
        let most = FleetLimits.standard.counts
        impressions = try reader.number(json["impressions"], in: -most...most)
        gainers = try Self.names(json["gainers"], reader)
        losers = try Self.names(json["losers"], reader)
    }

    private static func names(
        _ json: JSON?, _ reader: CountReader
    ) throws(CountReader.Flaw) -> [String] {
        let items = try reader.items(json)
        let names = items.compactMap { $0.text }
        guard names.count == items.count, names.count <= ReplayComparison.mostExamples else {
            throw CountReader.Flaw()
        }
        return names
    }
}
