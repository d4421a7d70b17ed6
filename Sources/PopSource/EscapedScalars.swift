extension Unicode.Scalar {
    /// Whether a terminal or an editor would obey or hide it: control, bidirectional and other
    /// format characters.
    package var mustBeEscaped: Bool {
        switch properties.generalCategory {
        case .control: value != 0x09
        case .lineSeparator, .paragraphSeparator: true
        // The joiners and variation tags that emoji and Indic scripts are made of stay as they are.
        case .format: !(value == 0x200C || value == 0x200D || (0xE0020...0xE007F).contains(value))
        default: false
        }
    }
}
