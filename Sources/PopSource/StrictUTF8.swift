extension String {
    /// The text of bytes; nil when they are not UTF-8. Apple's older systems lack the standard
    /// library's.
    @inlinable package init?(utf8 bytes: some Collection<UInt8>) {
        // What is no UTF-8 is decoded to another character, which has other bytes.
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
