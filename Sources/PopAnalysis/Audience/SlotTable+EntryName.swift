package import PopCEL
internal import PopExplanations

extension SlotTable.Entry {
    /// The entry as conditions write it.
    package var conditionText: String {
        switch self {
        case .variable(let identity): return identity
        case .call(let function, let arguments):
            let texts = arguments.map { argument in
                guard case .duration(let duration) = argument else { return argument.description }
                return "duration(\"\(YAMLText.duration(duration))\")"
            }
            return "\(function)(\(texts.joined(separator: ", ")))"
        }
    }
}
