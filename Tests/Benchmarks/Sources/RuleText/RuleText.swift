/// A rule file with many popups of eight lines each, the same one every time.
public func ruleText(popups count: Int, startingAt first: Int = 0) -> String {
    var text = first == 0 ? header : "poprules: 1\npopups:\n"
    for number in first..<first + count {
        text += popup(number)
    }
    return text
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
