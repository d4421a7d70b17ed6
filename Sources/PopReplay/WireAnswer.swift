internal import PopSource
internal import PopWire

/// Reads a request, an object whose members `make` takes, and writes what that comes to; or, for
/// what cannot be read, an object with an `error`.
func answer(
    _ request: some Collection<UInt8>, limits: BundleLimits,
    make: (_ fields: inout WireFields, _ reader: inout BundleReader) throws(BundleError) -> JSON
) -> [UInt8] {
    let answer: JSON
    do throws(BundleError) {
        var fields = try WireFields(parsed(request, limits: limits))
        var reader = BundleReader(limits: limits)
        answer = try make(&fields, &reader)
    } catch {
        answer = .object(["error": .string(error.words)])
    }
    return Array((answer.compact + "\n").utf8)
}

private func parsed(
    _ request: some Collection<UInt8>, limits: BundleLimits
) throws(BundleError) -> JSON {
    do {
        return try JSON.parse(request, limits: limits.json)
    } catch {
        throw .damaged("\(error)")
    }
}

extension BundleError {
    /// What is wrong with a request, or with the bundle in it.
    fileprivate var words: String {
        switch self {
        case .damaged(let what), .tooLarge(let what): "the request cannot be read: \(what)"
        case .notABundle, .newer: description
        }
    }
}
