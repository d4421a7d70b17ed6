internal import Dispatch
internal import PopScheduler
internal import Synchronization

extension Compiler {
    /// So many popups are compiled in front of all others, by one core: they give most slots their numbers.
    private static let lead = 256
    /// Fewer popups are compiled faster than threads start.
    static let popupsWorthThreads = 2 * lead
    /// What a core compiles before it asks for more.
    private static let chunk = 64
    /// No more chunks than these are compiled before it is known whether popups ask for slots that the lead did not.
    private static let chunksOnTrial = 8

    /// Compiles all popups; when they are many, on all cores. A model that is not kept loses its popups.
    ///
    /// What has findings or needs a slot of its own is thrown away and compiled again in its turn, so that slots and
    /// findings are the same as those of one core.
    mutating func popups(_ named: NamedConditions, keepsModel: Bool) -> [PopupRule] {
        let count = model.popups.entries.count
        guard count >= Self.popupsWorthThreads else { return popups(model.popups.entries, named) }
        let queue = PopupQueue(
            keepsModel ? model.popups.entries : takePopups(), keepsPopups: keepsModel)
        var rules: [PopupRule] = []
        rules.reserveCapacity(count)
        rules += popups(queue.take(0..<Self.lead), named)
        var start = Self.lead
        var trial = Self.chunksOnTrial
        while start < count {
            let end = min(count, start + Self.chunk * trial)
            trial = .max / Self.chunk / 2
            for chunk in popupsAhead(start..<end, of: queue, named) {
                switch chunk {
                case .compiled(let compiled): rules += compiled
                case .inTurn(let models):
                    rules += popups(models, named)
                    trial = Self.chunksOnTrial
                }
            }
            start = end
        }
        return rules
    }

    private mutating func popups(_ models: [PopupModel], _ named: NamedConditions) -> [PopupRule] {
        var rules: [PopupRule] = []
        rules.reserveCapacity(models.count)
        for index in models.indices { rules.append(popup(models[index], named)) }
        return rules
    }

    /// What became of popups on another core.
    private enum Chunk {
        case compiled([PopupRule])
        /// Compiling them reports something or changes what is known.
        case inTurn([PopupModel])
    }

    private func popupsAhead(
        _ range: Range<Int>, of queue: PopupQueue, _ named: NamedConditions
    ) -> [Chunk] {
        let chunks = stride(from: range.lowerBound, to: range.upperBound, by: Self.chunk)
            .map { $0..<min($0 + Self.chunk, range.upperBound) }
        let compiler = self
        let found = Mutex([Int: Chunk]())
        DispatchQueue.performFromBothEnds(chunks.count) {
            let fresh = compiler.forAnotherCore()
            return { position in
                let models = queue.take(chunks[position])
                var own = fresh
                let rules = own.popups(models, named)
                let isSame = own.decoder.diagnostics.isEmpty && own.knowsNoMore(than: compiler)
                found.withLock { $0[position] = isSame ? .compiled(rules) : .inTurn(models) }
            }
        }
        return found.withLock { found in chunks.indices.compactMap { found[$0] } }
    }
}

/// The popups of a set, which the cores take in chunks.
private final class PopupQueue: Sendable {
    private let popups: Mutex<[PopupModel]>
    private let keepsPopups: Bool

    init(_ popups: [PopupModel], keepsPopups: Bool) {
        self.popups = Mutex(popups)
        self.keepsPopups = keepsPopups
    }

    /// Popups that are not kept are no longer here: the core that has compiled them frees them, and with the last of a
    /// file the tree that it was read from.
    func take(_ range: Range<Int>) -> [PopupModel] {
        popups.withLock { popups in
            if keepsPopups { return Array(popups[range]) }
            var taken = Array(repeating: PopupModel.none, count: range.count)
            for (index, position) in range.enumerated() {
                swap(&taken[index], &popups[position])
            }
            return taken
        }
    }
}
