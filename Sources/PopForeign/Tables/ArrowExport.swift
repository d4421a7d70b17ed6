internal import CPoprules

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Exports columns as a stream of Arrow batches. Each schema and each array, those of the columns
/// too, owns its memory, which is freed when its current owner releases it.
enum ArrowExport {
    /// A column: its name, Arrow's word for its type, and its values.
    struct Column {
        enum Values {
            case texts([String?])
            case numbers([Int64?])
            case days([Int32])

            var count: Int {
                switch self {
                case .texts(let texts): texts.count
                case .numbers(let numbers): numbers.count
                case .days(let days): days.count
                }
            }
        }

        var name: String
        var format: String
        var values: Values

        init(_ name: String, _ format: String, _ values: Values) {
            self.name = name
            self.format = format
            self.values = values
        }
    }

    /// Makes a stream of columns of the same length.
    static func fill(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>, with columns: [Column], rows: Int
    ) {
        let source = Source(columns, rows: rows)
        unsafe stream.initialize(
            to: ArrowArrayStream(
                get_schema: { stream, schema in
                    unsafe ArrowExport.source(stream) { source in
                        unsafe schema?.initialize(to: ArrowExport.schema(of: source.columns))
                        return 0
                    }
                },
                get_next: { stream, array in
                    unsafe ArrowExport.source(stream) { source in
                        guard let batch = unsafe ArrowExport.next(source) else { return EOVERFLOW }
                        unsafe array?.initialize(to: batch)
                        return 0
                    }
                },
                get_last_error: { stream in unsafe ArrowExport.lastError(of: stream) },
                release: { stream in
                    guard let stream = unsafe stream else { return }
                    unsafe ArrowExport.free(stream.pointee.private_data)
                    unsafe stream.pointee = ArrowArrayStream()
                },
                private_data: Unmanaged.passRetained(source).toOpaque()))
    }

    /// The rows that a stream has yet to return.
    private final class Source {
        let columns: [Column]
        let rows: Int
        var given = 0
        var hasFailed = false

        init(_ columns: [Column], rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// Returns the result of `body`, or EINVAL for a stream that is released.
    private static func source(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ body: (Source) -> CInt
    ) -> CInt {
        guard let kept = unsafe stream?.pointee.private_data else { return EINVAL }
        return body(unsafe Unmanaged<Source>.fromOpaque(kept).takeUnretainedValue())
    }

    /// The only thing that can go wrong, in words that stay.
    private static let overflow: StaticString = "a string column has more bytes than Arrow allows"

    private static func lastError(
        of stream: UnsafeMutablePointer<ArrowArrayStream>?
    ) -> UnsafePointer<CChar>? {
        var hasFailed = false
        _ = unsafe source(stream) { source in
            hasFailed = source.hasFailed
            return 0
        }
        return hasFailed
            ? unsafe UnsafeRawPointer(overflow.utf8Start).assumingMemoryBound(to: CChar.self) : nil
    }

    /// Returns the next batch; a released batch marks the end. Nil for a string that is too long
    /// for the offsets.
    private static func next(_ source: Source) -> ArrowArray? {
        guard source.given < source.rows else { return unsafe ArrowArray() }
        guard let end = ArrowBatches.end(from: source.given, columns: source.columns) else {
            source.hasFailed = true
            return nil
        }
        let range = source.given..<end
        source.given = end
        let memory = unsafe Memory()
        let children = unsafe source.columns.map { column in
            unsafe memory.allocate(Self.array(of: column.values, in: range))
        }
        return unsafe Self.array(
            memory, rows: range.count, nulls: 0, buffers: [nil], children: children)
    }

    private static func schema(of columns: [Column]) -> ArrowSchema {
        let memory = unsafe Memory()
        let children = unsafe columns.map { column in
            let own = unsafe Memory()
            return unsafe memory.allocate(
                schema(own, format: column.format, name: column.name, children: []))
        }
        return unsafe schema(memory, format: "+s", name: "", children: children)
    }

    private static func schema(
        _ memory: Memory, format: String, name: String,
        children: [UnsafeMutablePointer<ArrowSchema>?]
    ) -> ArrowSchema {
        unsafe ArrowSchema(
            format: memory.text(format), name: memory.text(name), metadata: nil,
            flags: children.isEmpty ? 2 : 0, n_children: Int64(children.count),
            children: memory.copy(children), dictionary: nil,
            release: { schema in
                guard let schema = unsafe schema else { return }
                for index in 0..<Int(unsafe schema.pointee.n_children) {
                    guard let child = unsafe schema.pointee.children?[index] else { continue }
                    unsafe child.pointee.release?(child)
                }
                unsafe ArrowExport.free(schema.pointee.private_data)
                unsafe schema.pointee = ArrowSchema()
            },
            private_data: Unmanaged.passRetained(memory).toOpaque())
    }

    private static func array(
        _ memory: Memory, rows: Int, nulls: Int, buffers: [UnsafeRawPointer?],
        children: [UnsafeMutablePointer<ArrowArray>?]
    ) -> ArrowArray {
        unsafe ArrowArray(
            length: Int64(rows), null_count: Int64(nulls), offset: 0,
            n_buffers: Int64(buffers.count), n_children: Int64(children.count),
            buffers: memory.copy(buffers), children: memory.copy(children), dictionary: nil,
            release: { array in
                guard let array = unsafe array else { return }
                for index in 0..<Int(unsafe array.pointee.n_children) {
                    guard let child = unsafe array.pointee.children?[index] else { continue }
                    unsafe child.pointee.release?(child)
                }
                unsafe ArrowExport.free(array.pointee.private_data)
                unsafe array.pointee = ArrowArray()
            },
            private_data: Unmanaged.passRetained(memory).toOpaque())
    }

    private static func array(of values: Column.Values, in range: Range<Int>) -> ArrowArray {
        let memory = unsafe Memory()
        switch values {
        case .texts(let texts):
            var (offsets, bytes): ([Int32], [UInt8]) = ([0], [])
            for text in texts[range] {
                bytes.append(contentsOf: (text ?? "").utf8)
                offsets.append(Int32(clamping: bytes.count))
            }
            let valid = unsafe memory.validity(texts[range].map { $0 != nil })
            return unsafe array(
                memory, rows: range.count, nulls: valid.nulls,
                buffers: [
                    valid.bits, UnsafeRawPointer(memory.copy(offsets)),
                    UnsafeRawPointer(memory.copy(bytes)),
                ], children: [])
        case .numbers(let numbers):
            let valid = unsafe memory.validity(numbers[range].map { $0 != nil })
            let items = unsafe memory.copy(numbers[range].map { $0 ?? 0 })
            return unsafe array(
                memory, rows: range.count, nulls: valid.nulls,
                buffers: [valid.bits, UnsafeRawPointer(items)],
                children: [])
        case .days(let days):
            return unsafe array(
                memory, rows: range.count, nulls: 0,
                buffers: [nil, UnsafeRawPointer(memory.copy(Array(days[range])))], children: [])
        }
    }

    /// Gives back what a structure kept.
    private static func free(_ kept: UnsafeMutableRawPointer?) {
        guard let kept = unsafe kept else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(kept).release()
    }

    /// Memory that lives as long as one schema or array.
    @unsafe private final class Memory {
        private var blocks: [UnsafeMutableRawPointer]

        init() { unsafe blocks = unsafe [] }

        deinit { unsafe blocks.forEach { unsafe $0.deallocate() } }

        func copy<Item: BitwiseCopyable>(_ items: [Item]) -> UnsafeMutablePointer<Item> {
            // A multiple of the vector size, because vector code may read beyond the last item.
            let count = (max(items.count * MemoryLayout<Item>.stride, 1) + 63) & ~63
            let block = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            unsafe blocks.append(block)
            let memory = unsafe block.bindMemory(to: Item.self, capacity: max(items.count, 1))
            unsafe memory.update(from: items, count: items.count)
            return unsafe memory
        }

        func text(_ text: String) -> UnsafePointer<CChar> {
            unsafe UnsafePointer(copy(text.utf8.map { CChar(bitPattern: $0) } + [0]))
        }

        func allocate<Item: BitwiseCopyable>(_ item: Item) -> UnsafeMutablePointer<Item>? {
            unsafe copy([item])
        }

        /// A bit for each item, none where all are there.
        func validity(_ isThere: [Bool]) -> (bits: UnsafeRawPointer?, nulls: Int) {
            let nulls = isThere.count { !$0 }
            guard nulls > 0 else { return (nil, 0) }
            var bits = [UInt8](repeating: 0, count: (isThere.count + 7) / 8)
            for (place, isSet) in isThere.enumerated() where isSet {
                bits[place >> 3] |= 1 << UInt8(place & 7)
            }
            return unsafe (UnsafeRawPointer(copy(bits)), nulls)
        }
    }
}
