import CRawYAML

/// Reads the events of libyaml and builds nothing of them: the limit for reading YAML with it.
func countEvents(_ bytes: [UInt8]) -> Int {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) != 0 else { return 0 }
    defer { yaml_parser_delete(&parser) }
    return bytes.withUnsafeBufferPointer { buffer in
        yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
        var count = 0
        var event = yaml_event_t()
        while yaml_parser_parse(&parser, &event) != 0 {
            count += 1
            let isLast = event.type == YAML_STREAM_END_EVENT
            yaml_event_delete(&event)
            if isLast { break }
        }
        return count
    }
}
