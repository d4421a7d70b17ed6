internal import PopSource
package import PopWire

/// Returns the answer to a request; for a request that can't be read, an object with an `error`.
func answer(_ make: () throws(BundleError) -> JSON) -> [UInt8] {
    let answer: JSON
    do throws(BundleError) {
        answer = try make()
    } catch {
        answer = .object(["error": .string(error.requestText)])
    }
    return Array((answer.compact + "\n").utf8)
}

extension WireFields {
    /// Reads a request, an object whose members `make` must take completely.
    static func read<Result>(
        _ request: some Collection<UInt8>, limits: BundleLimits,
        make: (_ fields: inout WireFields, _ reader: inout BundleReader) throws(BundleError) ->
            Result
    ) throws(BundleError) -> Result {
        var fields = try WireFields(parsed(request, limits: limits))
        var reader = BundleReader(limits: limits)
        let result = try make(&fields, &reader)
        try fields.end()
        return result
    }
}

func parsed(
    _ request: some Collection<UInt8>, limits: BundleLimits
) throws(BundleError) -> JSON {
    do {
        return try JSON.parse(request, limits: limits.json)
    } catch {
        throw .damaged("\(error)")
    }
}

extension BundleError {
    /// The description of a mistake in a request, or in the bundle in it.
    package var requestText: String {
        switch self {
        case .damaged(let what), .tooLarge(let what): "the request cannot be read: \(what)"
        case .notABundle, .newer: description
        }
    }
}
