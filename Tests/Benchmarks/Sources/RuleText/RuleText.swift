/// A rule file with many popups of eight lines each, the same one every time.
public func ruleText(popups count: Int, startingAt first: Int = 0) -> String {
    var text = first == 0 ? header : "poprules: 1\npopups:\n"
    for number in first..<first + count {
        text += popup(number)
    }
    return text
}

/// A rule file with many popups over twenty keys and twenty events, the same one every time; those
/// whose number `changing` divides show to fewer people.
public func audienceText(popups count: Int, changing divisor: Int? = nil) -> String {
    audienceHeader
        + (0..<count).map { number in
            let isChanged = divisor.map { number.isMultiple(of: $0) } ?? false
            return audiencePopup(number, events: 20, least: number % 7 + (isChanged ? 2 : 1))
        }.joined()
}

/// The same popups in four files, of which all have one trigger and one scheduler.
public func crowdTexts(popups count: Int) -> [String] {
    (0..<4).map { file in
        let numbers = stride(from: file, to: count, by: 4)
        return (file == 0 ? audienceHeader : "poprules: 1\npopups:\n")
            + numbers.map { audiencePopup($0, events: 1, least: $0 % 7 + 1) }.joined()
    }
}

private var audienceHeader: String {
    var text = "poprules: 1\ncontext:\n"
    for number in 0..<10 {
        text += "  text.k\(number): { type: string, values: [a, b, c, d], default: a }\n"
        text += "  count.k\(number): { type: int, min: 0, default: 0 }\n"
    }
    return text + "events:\n" + (0..<20).map { "  e\($0): {}\n" }.joined() + "popups:\n"
}

private func audiencePopup(_ number: Int, events: Int, least: Int) -> String {
    let letter = ["a", "b", "c", "d"][number % 4]
    return """
          popup_\(number):
            owner: team-\(number % 9)
            description: The popup number \(number)
            priority: \(number * 31 % 997)
            trigger: { event: e\(number % events) }
            when: >-
              text.k\(number % 10) == "\(letter)" && count.k\(number / 10 % 10) >= \(least)
              && (text.k\(number / 3 % 10) != "\(letter)" || count.k\(number % 10) < \(least + 20))

        """
}

private let header = """
    poprules: 1
    context:
      user.plan: { type: string, values: [free, pro, team], default: free }
      user.launches: { type: int, min: 0, default: 0 }
      app.screen: { type: string, default: home }
    popups:

    """

private func popup(_ number: Int) -> String {
    let priority = ["very_low", "low", "normal", "high", "very_high"][number * 7 % 5]
    let change = ["await", "latent", "discard"][number * 5 % 3]
    let launches = number % 50
    return """
          popup_\(number):
            priority: \(priority)
            when: user.launches >= \(launches) && user.plan == "pro" && app.screen != "s\(number % 97)"
            switch: \(change)
            untriggered: \(number % 3 == 0 ? "discard" : "await")
            content:
              title: The title of popup number \(number)
              body: The body of popup number \(number)

        """
}
