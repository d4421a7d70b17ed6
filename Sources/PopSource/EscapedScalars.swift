extension Unicode.Scalar {
    /// Whether a terminal or an editor would obey or hide it: control, bidirectional and other
    /// format characters.
    package var mustBeEscaped: Bool {
        switch properties.generalCategory {
        case .control: value != 0x09
        case .lineSeparator, .paragraphSeparator: true
        // The joiners that emoji and Indic scripts are made of stay as they are. Tags do not: they
        // can hold a whole text that nobody sees, behind a flag too.
        case .format: !(value == 0x200C || value == 0x200D)
        default: false
        }
    }
}
