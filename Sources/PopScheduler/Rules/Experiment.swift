public import PopCEL

/// Shows some users variants of a popup, and nothing to others, so that the effect can be measured.
public struct Experiment: Sendable, Hashable {
    /// The appearance of the popup for the users of an arm.
    public struct Variant: Sendable, Hashable {
        /// The name of the arm.
        public var name: String
        /// The template; nil for the template of the popup.
        public var template: String?
        /// The whole content; nil for the content of the popup.
        public var content: Value?

        /// Creates a variant that is like the popup as written, unless something is given.
        public init(_ name: String, template: String? = nil, content: Value? = nil) {
            self.name = name
            self.template = template
            self.content = content
        }
    }

    /// The name of the entry of `experiments` that divides the users; nil for an experiment of the
    /// popup's own.
    public var name: String?
    /// The division of the users among its arms.
    public var assignment: Assignment
    /// The variants. Users of an arm that isn't in this list see the popup as written.
    public var variants: [Variant]

    /// Creates an experiment of a popup; nothing is checked.
    public init(_ assignment: Assignment, variants: [Variant] = [], name: String? = nil) {
        self.assignment = assignment
        self.variants = variants
        self.name = name
    }

    /// Returns true if a task may be in an arm of this name; an empty name is for users who don't
    /// take part.
    package func has(arm: String) -> Bool {
        arm.isEmpty || arm == Assignment.control
            || assignment.arms.contains { $0.name == arm }
    }
}
