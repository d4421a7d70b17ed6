#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension [FileAttributeKey: Any] {
    /// The number that an attribute is: in which type it comes differs from system to system.
    package func number(_ key: FileAttributeKey) -> UInt64? {
        (self[key] as? any BinaryInteger).flatMap { UInt64(exactly: $0) }
    }
}
