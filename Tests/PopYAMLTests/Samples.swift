import PopSource

@testable import PopYAML

/// Files that use every part of YAML's syntax.
enum Samples {
    static let all = [conditions, scalars, structures]

    static let conditions = """
        poprules: 1
        conditions:
          newcomer: user.launches <= 3
          paying: user.plan in ["pro", "team"]
        popups:
          caf\u{E9}:
            when: 'user.plan == "pro" && !user.blocked'
            tags: [a, "b c", 'd''e']
            schedule: { from: 2026-11-01, hours: 09:00-21:00 }

        """

    static let scalars = """
        plain: one
          two

          three # comment
        double: "a \\x41\\u00e9\\U0001F600 \\
          b\\tc

          d  "
        single: 'it''s
          two lines'
        folded: >-
          one
          two

            more
            indented

          last
        literal: |2+
             text
            text

        empty: ""
        strip: |-
          x

        japanese: "\u{65E5}\u{672C}\u{8A9E}"
        end: >
          last
        """

    static let structures = """
        # a comment
        x-base: &base { a: 1, b: [2, 3] }
        x-list: &list
        - one
        - &two two
        - - nested
          - deeper: *two
        merged:
          <<: *base
          c: *list
        ? [complex]
        : value
        tagged: !!str 12
        'quoted': null
        "double": ~
        """
}

/// Relations that must hold between the text of a scalar, as libyaml decodes it, and its map.
enum TextMapCheck {
    static func problem(of scalar: YAMLScalar) -> String? {
        let decoding = scalar.decodedAgain()
        guard decoding.utf8 == Array(scalar.utf8) else {
            return "libyaml reads \(Array(scalar.utf8)), the map \(decoding.utf8)"
        }
        let map = decoding.map
        for (offset, byte) in decoding.utf8.enumerated() {
            let place = map.range(offset..<offset + 1)
            if place.lower >= place.upper { return "byte \(offset) has no place" }
            if place.bytes.count == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: " "),
                scalar.sourceByte(place.lower) != byte
            {
                return "byte \(offset) is another at \(place.lower)"
            }
        }
        return nil
    }
}
