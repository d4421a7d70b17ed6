import Foundation
import PopCEL
import PopEngine
import Testing

@Suite struct `Content decoded into types of the app` {
    private struct Sheet: Decodable, Equatable {
        enum Style: String, Decodable { case plain, fancy }
        struct Button: Decodable, Equatable {
            var title: String
            var link: URL?
        }
        var title: String
        var style: Style
        var buttons: [Button]
        var columns: Int
        var ratio: Double
        var image: String?
        var counts: [String: Int]
        var until: Date
        var countdown: Duration
    }

    private let content: Value = [
        "title": "Hello", "style": "fancy", "columns": 2.0, "ratio": 1, "counts": ["a": 1],
        "buttons": [["title": "Go", "link": "https://shop.example/a"], ["title": "Later"]],
        "until": "1970-01-01T00:01:00Z", "countdown": "1m30s", "image": .null,
    ]

    @Test func `reads a nested struct`() throws {
        let sheet: Sheet = try content.decode()
        #expect(
            sheet
                == Sheet(
                    title: "Hello", style: .fancy,
                    buttons: [
                        .init(title: "Go", link: URL(string: "https://shop.example/a")),
                        .init(title: "Later"),
                    ], columns: 2, ratio: 1, counts: ["a": 1],
                    until: Date(timeIntervalSince1970: 60), countdown: .seconds(90)))
    }

    @Test func `reads times and bytes without strings`() throws {
        let date = Timestamp(seconds: 5)
        #expect(try Value.timestamp(date).decode(as: Date.self) == Date(timeIntervalSince1970: 5))
        #expect(try Value.duration(.seconds(3)).decode(as: Duration.self) == .seconds(3))
        #expect(try Value.bytes([1, 2]).decode(as: Data.self) == Data([1, 2]))
    }

    @Test func `reports a missing key by name`() {
        #expect {
            try Value.map(["link": "x"]).decode(as: Sheet.Button.self)
        } throws: { error in
            guard case DecodingError.keyNotFound(let key, _) = error else { return false }
            return key.stringValue == "title"
        }
    }

    @Test func `reports a wrong value with its path`() {
        let wrong: Value = ["buttons": [["title": 3]]]
        struct Buttons: Decodable { var buttons: [Sheet.Button] }
        #expect {
            try wrong.decode(as: Buttons.self)
        } throws: { error in
            guard case DecodingError.typeMismatch(_, let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["buttons", "0", "title"]
                && context.debugDescription == "expected String, found a value of type int"
        }
    }

    @Test func `refuses a number that does not fit`() {
        #expect(throws: DecodingError.self) { try Value.int(300).decode(as: UInt8.self) }
        #expect(throws: DecodingError.self) { try Value.double(1.5).decode(as: Int.self) }
        #expect(throws: DecodingError.self) { try Value.int(-1).decode(as: UInt.self) }
    }

    @Test func `refuses content that is nested too deeply`() {
        struct Nest: Decodable { var inner: [Nest] }
        var value: Value = ["inner": []]
        for _ in 0..<200 { value = ["inner": .list([value])] }
        #expect(throws: DecodingError.self) { try value.decode(as: Nest.self) }
    }
}
