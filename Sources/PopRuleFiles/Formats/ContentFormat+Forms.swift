internal import PopSource
internal import PopYAML

extension ContentFormat {
    /// Returns the mistake in a string, and a suggestion; nil without a mistake.
    func problem(in text: String) -> (help: String, meant: String?)? {
        switch self {
        case .url: problemInAddress(text)
        case .color: problemInColor(text)
        case .date:
            daysSince1970(text) != nil
                ? nil : ("write a date as year, month and day, such as `2027-01-31`", nil)
        case .email:
            text.wholeMatch(of: #/[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+/#) != nil
                ? nil : ("write one address, such as `help@example.com`", nil)
        }
    }

    /// The noun after "is no" in messages.
    var noun: String {
        switch self {
        case .url: "URL"
        case .color: "color"
        case .date: "date"
        case .email: "email address"
        }
    }
}

/// An address with its scheme, of the web or of the app.
private func problemInAddress(_ text: String) -> (help: String, meant: String?)? {
    if text.contains(where: \.isWhitespace) {
        return ("use `%20` instead of each space", nil)
    }
    let general = "start the URL with its scheme, such as `https://example.com` or `myapp://home`"
    guard let match = text.wholeMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):(.+)/#) else {
        let isHost = text.wholeMatch(of: #/(?:[A-Za-z0-9\-]+\.)+[A-Za-z]{2,}(?:[\/?#].*)?/#) != nil
        return (general, isHost ? "https://\(text)" : nil)
    }
    let (scheme, rest) = (match.output.1.lowercased(), match.output.2)
    guard ["http", "https"].contains(scheme) else {
        // `example.com:8080` and `localhost:3000` name a port.
        let isPort = rest.first?.isNumber == true && scheme != "tel"
        let isNear = ["htp", "htps", "htttp", "htttps", "hhtp", "hhtps", "http", "https", "ttps"]
            .contains(scheme)
        if isNear { return (general, "https:\(rest)") }
        return isPort ? (general, "https://\(text)") : nil
    }
    if rest.wholeMatch(of: #/\/\/[^\/?#]+.*/#) != nil { return nil }
    let host = rest.drop { $0 == "/" }
    return (
        "write two slashes and a host after `\(scheme):`",
        host.isEmpty ? nil : "\(scheme)://\(host)"
    )
}

/// `#` and three, four, six or eight digits.
private func problemInColor(_ text: String) -> (help: String, meant: String?)? {
    let form =
        "write a color as `#` and six digits, such as `\"#ff8800\"`, or eight with its opacity"
    if let digits = namedColors[text.lowercased()] {
        return ("write `\"#\(digits)\"` instead of `\(text)`", "\"#\(digits)\"")
    }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    let isColor =
        [3, 4, 6, 8].contains(digits.utf8.count)
        && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if isColor, text.hasPrefix("#") { return nil }
    return (form, isColor ? "\"#\(digits)\"" : nil)
}

/// Colors by their names in CSS (CSS Color Module Level 4, section "Named Colors"), as digits.
private let namedColors = [
    "black": "000000", "white": "ffffff", "red": "ff0000", "green": "008000", "lime": "00ff00",
    "blue": "0000ff", "yellow": "ffff00", "cyan": "00ffff", "aqua": "00ffff", "magenta": "ff00ff",
    "fuchsia": "ff00ff", "gray": "808080", "grey": "808080", "silver": "c0c0c0",
    "maroon": "800000", "olive": "808000", "purple": "800080", "teal": "008080", "navy": "000080",
    "orange": "ffa500", "pink": "ffc0cb", "brown": "a52a2a", "gold": "ffd700", "beige": "f5f5dc",
    "coral": "ff7f50", "crimson": "dc143c", "indigo": "4b0082", "ivory": "fffff0",
    "khaki": "f0e68c", "lavender": "e6e6fa", "salmon": "fa8072", "tan": "d2b48c",
    "tomato": "ff6347", "turquoise": "40e0d0", "violet": "ee82ee", "lightblue": "add8e6",
    "lightgreen": "90ee90", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "lightpink": "ffb6c1",
    "lightyellow": "ffffe0", "darkblue": "00008b", "darkgreen": "006400", "darkgray": "a9a9a9",
    "darkgrey": "a9a9a9", "darkred": "8b0000", "darkorange": "ff8c00", "skyblue": "87ceeb",
    "royalblue": "4169e1", "steelblue": "4682b4", "slategray": "708090", "forestgreen": "228b22",
    "seagreen": "2e8b57", "hotpink": "ff69b4", "deeppink": "ff1493", "plum": "dda0dd",
    "orchid": "da70d6", "mintcream": "f5fffa", "whitesmoke": "f5f5f5", "rebeccapurple": "663399",
]
