/// How users are divided among the arms of an experiment: those who see nothing, and those who see
/// one of its variants.
///
/// Hangs on nothing but the value that tells users apart, and nothing of it is kept: another salt,
/// `control`, weight or name moves users to other arms.
public struct Assignment: Sendable, Hashable {
    /// A variant, by its name, and how many users get it.
    public struct Arm: Sendable, Hashable {
        /// Anything but `control`.
        public var name: String
        /// Of those who are not in control it gets this part of the sum of all weights. From 0 to
        /// a million.
        public var weight: Int

        /// A variant that gets as many users as others of its weight.
        public init(_ name: String, weight: Int = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// Which users of a layer take part: experiments of one layer exclude each other by their
    /// ranges.
    public struct LayerPart: Sendable, Hashable {
        /// The name of the layer.
        public var layer: String
        /// The salt of the layer, which all its experiments have in common.
        public var salt: String
        /// A part of the hundred percent that all users are, its upper bound not included.
        public var range: Range<Double>

        /// A part of the users of a layer.
        public init(of layer: String, salt: String, range: Range<Double>) {
            self.layer = layer
            self.salt = salt
            self.range = range
        }
    }

    /// The context key whose value tells users apart.
    public var key: KeyIndex
    /// Changing it draws other users.
    public var salt: String
    /// The part of a layer whose users take part; nil for all users.
    public var layer: LayerPart?
    /// How many of a hundred of them take part. The others see the popup as it stands.
    public var share: Double
    /// How many of a hundred who take part see nothing.
    public var control: Double
    /// The variants; their order means nothing.
    public var arms: [Arm]

    /// The name of the arm that sees nothing.
    public static let control = "control"

    /// An experiment in which everybody takes part and nobody is in control, unless it is said;
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
