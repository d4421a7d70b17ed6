internal import PopSource

extension Library {
    /// Evaluates `type(x)`, `int(x)` and the like.
    func convert(_ code: FunctionCode, value: Value) throws(EvaluationError) -> Value? {
        switch code {
        case .type: .type(value.type)
        case .dyn: value
        case .bool: try bool(value)
        case .int: try int(value)
        case .uint: try uint(value)
        case .double: try double(value)
        case .string: try string(value)
        case .bytes: bytes(value)
        case .timestamp: try timestamp(value)
        case .duration: try duration(value)
        case .version: try version(value)
        default: nil
        }
    }

    private func bool(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .bool: return value
        case .string(let text):
            guard let truth = NumberText.bool(text) else { throw .cannotRead(text, as: "bool") }
            return .bool(truth)
        case .null, .int, .uint, .double, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            return nil
        }
    }

    private func int(_ value: Value) throws(EvaluationError) -> Value? {
        let result: Int64?
        switch value {
        case .int: return value
        case .uint(let number): result = Int64(exactly: number)
        case .double(let number): result = NumberText.int(truncating: number)
        case .timestamp(let instant): result = instant.seconds
        case .duration(let duration): result = duration.components.seconds
        case .string(let text):
            guard let number = NumberText.int(text) else { throw .cannotRead(text, as: "int") }
            result = number
        case .null, .bool, .bytes, .version, .list, .map, .type, .optional: return nil
        }
        guard let result else { throw .outOfRange(value, type: "int") }
        return .int(result)
    }

    private func uint(_ value: Value) throws(EvaluationError) -> Value? {
        let result: UInt64?
        switch value {
        case .uint: return value
        case .int(let number): result = UInt64(exactly: number)
        case .double(let number): result = NumberText.uint(truncating: number)
        case .string(let text):
            guard let number = NumberText.uint(text) else { throw .cannotRead(text, as: "uint") }
            result = number
        case .null, .bool, .bytes, .timestamp, .duration, .version, .list, .map, .type, .optional:
            return nil
        }
        guard let result else { throw .outOfRange(value, type: "uint") }
        return .uint(result)
    }

    private func double(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .double: return value
        case .int(let number): return .double(Double(number))
        case .uint(let number): return .double(Double(number))
        case .string(let text):
            guard let number = NumberText.double(text) else {
                throw .cannotRead(text, as: "double")
            }
            return .double(number)
        case .null, .bool, .bytes, .timestamp, .duration, .version, .list, .map, .type, .optional:
            return nil
        }
    }

    private func string(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .string: return value
        case .bool(let truth): return .string(truth ? "true" : "false")
        case .int(let number): return .string(String(number))
        case .uint(let number): return .string(String(number))
        case .double(let number): return .string(NumberText.string(number))
        case .timestamp(let instant): return .string(instant.description)
        case .duration(let duration): return .string(DurationText.format(duration))
        case .version(let version): return .string(version.text)
        case .type(let type): return .string(type.runtimeName)
        case .bytes(let bytes):
            guard let text = String(utf8: bytes) else {
                throw EvaluationError("the bytes are not UTF-8")
            }
            return .string(text)
        case .null, .list, .map, .optional: return nil
        }
    }

    private func bytes(_ value: Value) -> Value? {
        switch value {
        case .bytes: value
        case .string(let text): .bytes(Array(text.utf8))
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            nil
        }
    }

    private func timestamp(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .timestamp: return value
        case .string(let text):
            guard let instant = Timestamp(parsing: text) else {
                throw .cannotRead(text, as: "timestamp")
            }
            return .timestamp(instant)
        case .int(let seconds):
            guard let instant = Timestamp(inRange: seconds) else {
                throw .outOfRange(value, type: "timestamp")
            }
            return .timestamp(instant)
        case .null, .bool, .uint, .double, .bytes, .duration, .version, .list, .map, .type,
            .optional:
            return nil
        }
    }

    private func duration(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .duration: return value
        case .string(let text):
            guard let duration = DurationText.parse(text, knowsDays: knowsDays) else {
                throw .cannotRead(text, as: "duration")
            }
            return .duration(duration)
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .version, .list, .map, .type,
            .optional:
            return nil
        }
    }

    private func version(_ value: Value) throws(EvaluationError) -> Value? {
        switch value {
        case .version: return value
        case .string(let text):
            guard let version = Version(text) else { throw .cannotRead(text, as: "version") }
            return .version(version)
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .list, .map, .type,
            .optional:
            return nil
        }
    }
}

extension EvaluationError {
    fileprivate static func cannotRead(_ text: String, as type: String) -> Self {
        EvaluationError("`\(text)` is not a valid \(type)")
    }

    fileprivate static func outOfRange(_ value: Value, type: String) -> Self {
        EvaluationError("\(value) is outside the range of the type \(type)")
    }
}
