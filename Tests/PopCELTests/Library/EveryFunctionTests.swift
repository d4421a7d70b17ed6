import PopSource
import Testing

@testable import PopCEL

/// Fails if a function has a name but no signature, no call or no cost.
@Suite struct `Every function of the library` {
    @Test(arguments: FunctionCode.allCases)
    func `returns its declared type at no more than its declared cost`(code: FunctionCode) throws {
        for signature in Self.signatures(of: code) {
            let arguments = signature.parameters.enumerated().map { place, type in
                Self.sample(of: type, for: code, at: place)
            }
            let value = try Self.call(code, signature, arguments: arguments)
            let result = Self.type(signature.result)
            #expect(value.type == result || result == .dyn, "\(code.name): \(value)")
            let cost = CallCost(code: code, arguments: arguments.map { Extent($0) }, pattern: nil)
            #expect(cost.result.holds(value), "\(code.name): \(value) beside \(cost.result)")
        }
    }

    /// Returns the signatures of a function, including one form of the two functions that take any
    /// number of numbers.
    private static func signatures(of code: FunctionCode) -> [Signature] {
        switch code {
        case .greatest, .least: [.function(.int, .int, to: .int)]
        default: StandardLibrary.signatures(of: code)
        }
    }

    private static func call(
        _ code: FunctionCode, _ signature: Signature, arguments: [Value]
    ) throws -> Value {
        let names = arguments.indices.map { "v\($0)" }
        var environment = Environment.ofRules()
        for (name, type) in zip(names, signature.parameters) {
            environment.declare(Variable(name, type: bound(type)))
        }
        let text =
            signature.isMember
            ? "\(names[0]).\(code.name)(\(names.dropFirst().joined(separator: ", ")))"
            : "\(code.name)(\(names.joined(separator: ", ")))"
        let program = try environment.compile(text).get()
        return try program.evaluate(Dictionary(uniqueKeysWithValues: zip(names, arguments)))
    }

    /// With `int` for a type parameter.
    private static func bound(_ type: CELType) -> CELType {
        switch type {
        case .parameter: .int
        case .list(let element): .list(bound(element))
        case .optional(let wrapped): .optional(bound(wrapped))
        default: type
        }
    }

    /// As values tell their types.
    private static func type(_ declared: CELType) -> CELType {
        switch bound(declared) {
        case .list: .list(.dyn)
        case .optional: .optional(.dyn)
        case .type: .type(nil)
        case let type: type
        }
    }

    private static func sample(of type: CELType, for code: FunctionCode, at place: Int) -> Value {
        switch bound(type) {
        case .bool: .bool(true)
        case .int, .dyn: .int(1)
        case .uint: .uint(1)
        case .double: .double(1.5)
        case .string: .string(text(for: code, at: place))
        case .bytes: .bytes(Array("a longer text".utf8))
        case .timestamp: .timestamp(Timestamp(seconds: 1_800_000_000))
        case .duration: .duration(.seconds(3_600))
        case .version: Version("1.12.0").map { .version($0) } ?? .null
        case .list(.string): .list(["a", "b"].map { .string($0) })
        case .list(.optional): .list([.optional(.int(1)), .optional(nil)])
        case .list: .list([.int(1), .int(2)])
        case .map: .map([.string("a"): .int(1)])
        case .optional: .optional(.int(1))
        default: .null
        }
    }

    /// Returns a string that the function accepts.
    private static func text(for code: FunctionCode, at place: Int) -> String {
        switch code {
        case .bool: "true"
        case .int, .uint, .double: "12"
        case .timestamp: "2026-11-23T00:00:00Z"
        case .duration: "1h"
        case .version: "1.12.0-beta.2"
        case .base64Decode: "YQ=="
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getHours,
            .getMilliseconds, .getMinutes, .getMonth, .getSeconds:
            "UTC"
        case .format: "%s and a text"
        default: place == 0 ? " A longer Text " : "e"
        }
    }
}

extension Extent {
    /// Returns true if a value is within this extent.
    fileprivate func holds(_ value: Value) -> Bool {
        func isWithin(_ count: Int, _ bound: StepBound) -> Bool {
            bound.limit.map { count <= $0 } ?? true
        }
        return switch (self, value) {
        case (.any, _): true
        case (.text(let bound), .string(let text)): isWithin(text.utf8.count, bound)
        case (.text(let bound), .bytes(let bytes)): isWithin(bytes.count, bound)
        case (.list(let bound, let element), .list(let list)):
            isWithin(list.count, bound) && list.allSatisfy { element.holds($0) }
        case (.optional(let wrapped), .optional(let value)):
            value.map { wrapped.holds($0) } ?? true
        case (.scalar, .string), (.scalar, .bytes), (.scalar, .list), (.scalar, .map): false
        case (.scalar, _): true
        case (.text, _), (.list, _), (.optional, _), (.map, _): false
        }
    }
}
