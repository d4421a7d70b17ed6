internal import PopCEL
internal import PopRuleFiles
package import PopSource
internal import PopYAML

/// The outline of a file: its keys, declared or mentioned names, and expressions.
///
/// It is found by walking through the tree and the tables of the format in parallel, so that no key
/// is hard-coded here.
package struct FileOutline: Sendable {
    /// A mark of a place.
    struct Mark: Sendable {
        enum Kind: Sendable {
            /// A key of a map with fixed keys.
            case key(TableSchema.Key)
            case topLevel(TopLevelKey)
            /// A name that the file declares, and the place of all that belongs to it.
            case declares(kind: String, name: String, of: OutlineOwner? = nil, whole: Range<Int>)
            /// A name of something that is declared somewhere.
            case names(kind: String, name: String, of: OutlineOwner? = nil)
            case expression(ExpressionText)
            /// A placeholder in a string of a popup's content.
            case placeholder(String, popup: String?)
            /// One of the words that a key takes.
            case word(String)
        }

        var kind: Kind
        /// The range; for a name or a word, the part between quotes.
        var range: Range<Int>
    }

    /// In the order of the file.
    private(set) var marks: [Mark] = []
    /// The tree, for features that only need its shape; nil if the file has no tree.
    let root: YAMLNode?
    let kind: FileKind

    package init(_ source: SourceFile, kind: FileKind) {
        self.kind = kind
        root = YAMLDocument.parse(source).value?.root
        guard let root else { return }
        var walk = OutlineWalk(kind: kind)
        walk.top(root)
        marks = walk.marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns the innermost marks at a byte.
    func marks(at offset: Int) -> [Mark] {
        marks.filter { $0.range.contains(offset) || $0.range.upperBound == offset }
    }
}

/// The owner of a name that several owners may have.
enum OutlineOwner: Sendable, Hashable {
    /// The event whose field it is.
    case event(String)
    /// The popup whose variant it is, in its own experiment or in one that several share.
    case popup(String)
    /// The experiment of several popups whose variant it is.
    case experiment(String)
}

/// The kind of a name that is a context key or a named condition.
let nameInCondition = "name in a condition"
