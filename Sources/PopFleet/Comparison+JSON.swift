package import PopSource

extension ReplayComparison {
    /// All that was found, popups by their ids.
    package var json: JSON {
        .object(
            popups.sorted { $0.key < $1.key }
                .map { JSON.Member(key: $0.key, value: $0.value.json) })
    }

    /// What `json` has written.
    package init(_ json: JSON) {
        guard case .object(let members) = json else { return }
        for member in members { popups[member.key] = Popup(member.value) }
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

    fileprivate init(_ json: JSON) {
        gained = json["gained"]?.index ?? 0
        lost = json["lost"]?.index ?? 0
        kept = json["kept"]?.index ?? 0
        more = json["more"]?.index ?? 0
        fewer = json["fewer"]?.index ?? 0
        if case .int(let number)? = json["impressions"] { impressions = Int(number) }
        gainers = json["gainers"]?.items.compactMap { $0.text } ?? []
        losers = json["losers"]?.items.compactMap { $0.text } ?? []
    }
}
