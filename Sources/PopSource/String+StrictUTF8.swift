extension String {
    /// Decodes bytes; nil if they aren't UTF-8. Older Apple systems lack the standard library's
    /// initializer.
    @inlinable package init?(utf8 bytes: some Collection<UInt8>) {
        // Invalid UTF-8 is decoded to another character, which has other bytes.
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
