extension Unicode.Scalar {
    /// True if a terminal or an editor would interpret or hide the character: control,
    /// bidirectional and other format characters.
    package var mustBeEscaped: Bool {
        switch properties.generalCategory {
        case .control: value != 0x09
        case .lineSeparator, .paragraphSeparator: true
        // The joiners in emoji and Indic scripts stay unescaped. Tags don't: they can contain a
        // whole invisible text, also after a flag.
        case .format: !(value == 0x200C || value == 0x200D)
        default: false
        }
    }
}
