/// The division of users among the arms of an experiment: users who see nothing, and users who see
/// one of its variants.
///
/// It depends only on the value that identifies the user, and nothing of it is stored: another
/// salt, `control`, weight or name moves users to other arms.
public struct Assignment: Sendable, Hashable {
    /// A variant, by its name, and its share of the users.
    public struct Arm: Sendable, Hashable {
        /// Anything but `control`.
        public var name: String
        /// The weight: among the users who aren't in control, the arm gets this part of the sum of
        /// all weights. From 0 to a million.
        public var weight: Int

        /// Creates a variant that gets as many users as others of its weight.
        public init(_ name: String, weight: Int = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// The users of a layer who take part: experiments of one layer exclude each other by their
    /// ranges.
    public struct LayerPart: Sendable, Hashable {
        /// The name of the layer.
        public var layer: String
        /// The salt of the layer, which all its experiments share.
        public var salt: String
        /// A part of the hundred percent of all users, its upper bound not included.
        public var range: Range<Double>

        /// A part of the users of a layer.
        public init(of layer: String, salt: String, range: Range<Double>) {
            self.layer = layer
            self.salt = salt
            self.range = range
        }
    }

    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String
    /// The part of a layer whose users take part; nil for all users.
    public var layer: LayerPart?
    /// The percentage of these users who take part. The others see the popup as written.
    public var share: Double
    /// The percentage of participants who see nothing.
    public var control: Double
    /// The variants; their order means nothing.
    public var arms: [Arm]

    /// The name of the arm that sees nothing.
    public static let control = "control"

    /// Creates an experiment in which all users take part and none is in control, unless given;
    /// nothing is checked.
    public init(
        key: KeyIndex, salt: String, layer: LayerPart? = nil, share: Double = 100,
        control: Double = 0, arms: [Arm]
    ) {
        self.key = key
        self.salt = salt
        self.layer = layer
        self.share = share
        self.control = control
        self.arms = arms
    }
}
