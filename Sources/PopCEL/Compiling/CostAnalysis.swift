/// Computes an upper bound of the cost of evaluating a plan, in the steps that an evaluation
/// charges.
///
/// Each rule mirrors the charge of the evaluator for the same operation; slots are assumed to
/// contain values of the declared types and sizes.
struct CostAnalysis: ~Copyable {
    /// The cost of a node including its descendants, and the maximum size of its value.
    struct Estimate {
        var steps: StepBound
        var extent: Extent
    }

    private let plan: Plan
    /// Kept so that the adviser can take it back.
    let subject: CheckedExpression
    private var locals: [Extent]
    /// The maximum number of elements or bytes of values whose size isn't declared.
    private let size: StepBound
    /// The bound of the whole plan; nil if it is unbounded.
    private(set) var bound: Int? = 0
    /// The smallest part whose bound is beyond the limit, as a node of the syntax tree.
    private(set) var excessive: NodeID?

    init(
        of plan: Plan, _ subject: consuming CheckedExpression, sizesAtMost size: StepBound = .none
    ) {
        self.plan = plan
        self.size = size
        self.subject = subject
        locals = plan.locals.map { _ in .any }
        if plan.costsNothing { return }
        let root = estimate(plan.root)
        let whole = root.steps + root.extent.depthCost
        note(whole, source: plan.nodes[plan.root].source)
        bound = whole.limit
    }

    private mutating func estimate(_ index: Int) -> Estimate {
        let node = plan.nodes[index]
        let result = estimate(node)
        note(result.steps, source: node.source)
        return result
    }

    /// Records a part whose bound is beyond the limit. Parts come before the parts that contain
    /// them, so the first is the smallest.
    private mutating func note(_ steps: StepBound, source: NodeID) {
        guard excessive == nil, let limit = steps.limit, limit > plan.limits.cost else { return }
        excessive = source
    }

    private mutating func estimate(_ node: PlanNode) -> Estimate {
        switch node.operation {
        case .constant:
            return Estimate(steps: .zero, extent: Extent(plan.constants[Int(node.a)]))
        case .slot: return Estimate(steps: .zero, extent: slotExtent(node.source))
        case .local: return Estimate(steps: .zero, extent: locals[Int(node.a)])
        case .fail, .constantTruth, .slotPresent: return scalar()
        // A comparison with a string costs nothing; the general case is node `c`.
        case .localEqual: return scalar(estimate(Int(node.c)).steps)
        case .not, .inSet, .hasField: return scalar(estimate(Int(node.a)).steps)
        case .negate, .ordered: return operation(node)
        case .select, .index, .arithmetic, .equal, .membership: return operation(node)
        case .optionalEntry: return estimate(Int(node.a))
        case .conditional: return conditional(node)
        case .and, .or, .hostCall, .list, .map, .call: return sequence(node)
        case .comprehension: return comprehension(node)
        }
    }

    private func scalar(_ steps: StepBound = .zero) -> Estimate {
        Estimate(steps: steps, extent: .scalar)
    }

    private func slotExtent(_ node: NodeID) -> Extent {
        if case .variable(let index) = subject.checked.nodes[node].reference,
            let allowed = subject.environment.part(ofVariable: index, get: { $0.allowedValues })
        {
            return .joined(allowed.map { Extent($0) })
        }
        return typeExtent(node)
    }

    /// Returns the extent of any value of a node's type.
    private func typeExtent(_ node: NodeID) -> Extent {
        let type = subject.checked.nodes[node].type
        return Extent(builtIn: type, atMost: size)
            ?? Extent(type, in: subject.checked.typeTable, atMost: size)
    }

    private mutating func conditional(_ node: PlanNode) -> Estimate {
        let condition = estimate(Int(node.a))
        let first = estimate(Int(node.b))
        let second = estimate(Int(node.c))
        return Estimate(
            steps: condition.steps + .larger(first.steps, second.steps),
            extent: first.extent.joined(second.extent))
    }

    private mutating func operation(_ node: PlanNode) -> Estimate {
        let left = estimate(Int(node.a))
        if node.operation == .negate { return scalar(left.steps) }
        if node.operation == .select {
            return Estimate(steps: left.steps, extent: found(in: left.extent, node))
        }
        let right = estimate(Int(node.b))
        let steps = left.steps + right.steps
        switch node.operation {
        case .index: return Estimate(steps: steps, extent: found(in: left.extent, node))
        case .equal: return scalar(steps + left.extent.equalityCost(right.extent))
        case .membership:
            guard case .map = right.extent else {
                let each = left.extent.equalityCost(right.extent.element)
                return scalar(steps + right.extent.count * (StepBound(1) + each))
            }
            return scalar(steps)
        case .arithmetic where node.operator == .add:
            let sum = Self.sum(left.extent, right.extent)
            return Estimate(steps: steps + sum.weight, extent: sum)
        case .constant, .slot, .local, .fail, .select, .arithmetic, .negate, .call, .hostCall,
            .list, .map, .optionalEntry, .comprehension, .conditional, .constantTruth, .and, .or,
            .not, .ordered, .inSet, .hasField, .slotPresent, .localEqual:
            return scalar(steps)
        }
    }

    private func found(in container: Extent, _ node: PlanNode) -> Extent {
        if case .optional = container { return container.element }
        return node.flag ? .optional(container.element) : container.element
    }

    private static func sum(_ left: Extent, _ right: Extent) -> Extent {
        switch (left, right) {
        case (.text(let a), .text(let b)): .text(a + b)
        case (.list(let a, _), .list(let b, _)):
            .list(a + b, of: left.joined(right).element)
        case (.any, .any), (.any, .text), (.text, .any), (.any, .list), (.list, .any): .any
        // Numbers and timestamps; anything else fails.
        case (.scalar, _), (.text, _), (.list, _), (.map, _), (.optional, _), (.any, _): .scalar
        }
    }

    /// Estimates a node that evaluates its operands one after the other.
    private mutating func sequence(_ node: PlanNode) -> Estimate {
        var steps = StepBound.zero
        var extents: [Extent] = []
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            let operand = Int(plan.operands[position])
            let part = estimate(operand)
            steps += part.steps
            if node.operation == .and || node.operation == .or { continue }
            let isOptional = plan.nodes[operand].operation == .optionalEntry
            extents.append(
                isOptional && node.operation == .list ? part.extent.unwrapped : part.extent)
        }
        switch node.operation {
        case .list:
            return Estimate(
                steps: steps, extent: .list(StepBound(extents.count), of: .joined(extents)))
        case .map: return Estimate(steps: steps, extent: map(extents, at: node))
        case .hostCall:
            return Estimate(steps: steps, extent: typeExtent(node.source))
        case .call:
            let call = CallCost(
                code: node.function, arguments: extents,
                pattern: node.c < 0 ? nil : plan.regularExpressions[Int(node.c)])
            return Estimate(steps: steps + call.steps, extent: call.result)
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .optionalEntry,
            .comprehension, .conditional, .constantTruth, .and, .or, .not, .equal, .ordered,
            .membership, .inSet, .hasField, .slotPresent, .localEqual:
            return scalar(steps)
        }
    }

    private func map(_ extents: [Extent], at node: PlanNode) -> Extent {
        var keys: [Extent] = []
        var values: [Extent] = []
        for position in stride(from: 0, to: extents.count - 1, by: 2) {
            let key = Int(plan.operands[Int(node.a) + position])
            let isOptional = plan.nodes[key].operation == .optionalEntry
            keys.append(extents[position])
            values.append(isOptional ? extents[position + 1].unwrapped : extents[position + 1])
        }
        return .map(StepBound(keys.count), keys: .joined(keys), values: .joined(values))
    }
}

// MARK: Comprehensions

extension CostAnalysis {
    private mutating func comprehension(_ node: PlanNode) -> Estimate {
        let loop = Plan.Loop(plan, node: node)
        let range = estimate(loop.range)
        switch node.macro {
        case .bind:
            locals[loop.local] = range.extent
            let body = estimate(loop.body)
            return Estimate(steps: range.steps + body.steps, extent: body.extent)
        case .optMap, .optFlatMap:
            locals[loop.local] = range.extent.unwrapped
            let body = estimate(loop.body)
            return Estimate(
                steps: range.steps + body.steps,
                extent: node.macro == .optMap ? .optional(body.extent) : body.extent)
        case .all, .exists, .existsOne, .map, .filter, .transformList, .transformMap,
            .transformMapEntry:
            break
        }
        let first = setVariables(loop, range: range.extent)
        var turn = StepBound(loop.cost)
        if let filter = loop.filter { turn += estimate(filter).steps }
        let body = estimate(loop.body)
        turn += body.steps
        let count = range.extent.count
        if node.macro == .transformMapEntry { turn += body.extent.count }
        return Estimate(
            steps: range.steps + count * turn,
            extent: result(node.macro, count: count, first: first, body: body.extent))
    }

    /// Sets the extents of the loop variables and returns that of the first.
    private mutating func setVariables(_ loop: Plan.Loop, range: Extent) -> Extent {
        let first: Extent
        if case .map(_, let keys, _) = range {
            first = keys
        } else if case .any = range {
            first = .any
        } else {
            first = loop.isPair ? .scalar : range.element
        }
        locals[loop.local] = first
        if loop.isPair { locals[loop.local + 1] = range.element }
        return first
    }

    private func result(
        _ macro: Macro, count: StepBound, first: Extent, body: Extent
    ) -> Extent {
        switch macro {
        case .filter: .list(count, of: first)
        case .map, .transformList: .list(count, of: body)
        case .transformMap: .map(count, keys: first, values: body)
        case .transformMapEntry:
            if case .map(let entries, let keys, let values) = body {
                .map(count * entries, keys: keys, values: values)
            } else {
                .any
            }
        case .all, .exists, .existsOne, .bind, .optMap, .optFlatMap: .scalar
        }
    }
}

/// The maximum cost of a call of a library function, and the maximum size of its result.
struct CallCost {
    let code: FunctionCode
    /// The extents of the arguments; the receiver comes first.
    let arguments: [Extent]
    /// The constant pattern of `matches`.
    let pattern: RegularExpression?

    var steps: StepBound {
        switch code.kind {
        case .size where arguments.count == 1: first.bytes.stepsOfBytes
        case .textTest: stepsOfTextTest
        case .alternative: .zero
        case .size, .conversion, .calendar, .optional, .text, .math, .encoding:
            arguments.reduce(StepBound(1)) { $0 + $1.weight } + result.weight
        }
    }

    private var stepsOfTextTest: StepBound {
        if code == .matches {
            guard let pattern else { return .none }
            return StepBound(first.bytes.limit.map { pattern.cost(ofBytes: $0) })
        }
        // At the start and the end of a string, no more bytes are read than the part has.
        let isRead = code == .contains
        return isRead ? (first.bytes + second.bytes).stepsOfBytes : second.bytes.stepsOfBytes
    }

    var result: Extent {
        switch code {
        case .dyn: first
        case .string: text(or: Self.longestPrinted)
        case .bytes, .lowerASCII, .upperASCII, .trim, .substring, .reverse, .base64Decode:
            text(or: .none)
        case .charAt: .text(StepBound(4))
        case .base64Encode: .text(first.bytes * StepBound(2) + StepBound(4))
        case .split: .list(first.bytes + StepBound(1), of: .text(first.bytes))
        case .optionalOf, .optionalOfNonZeroValue: .optional(first)
        case .optionalNone: .optional(.scalar)
        case .first, .last: .optional(first.element)
        case .value: first.unwrapped
        case .or: first.joined(second)
        case .orValue: first.unwrapped.joined(second)
        case .optionalUnwrap, .unwrapOpt: .list(first.count, of: first.element.unwrapped)
        case .replace, .join, .format, .quote: .any
        case .size, .contains, .startsWith, .endsWith, .matches, .type, .bool, .int, .uint,
            .double, .timestamp, .duration, .version, .getDate, .getDayOfMonth, .getDayOfWeek,
            .getDayOfYear, .getFullYear, .getHours, .getMilliseconds, .getMinutes, .getMonth,
            .getSeconds, .hasValue, .indexOf, .lastIndexOf, .greatest, .least, .ceil, .floor,
            .round, .trunc, .abs, .sign, .isNaN, .isInf, .isFinite, .sqrt, .bitAnd, .bitOr,
            .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            .scalar
        }
    }

    /// Bytes of the longest number, timestamp or duration as a string.
    private static let longestPrinted = StepBound(64)

    private var first: Extent { arguments.first ?? .any }
    private var second: Extent { arguments.count > 1 ? arguments[1] : .any }

    /// Returns the extent of a string no longer than the first argument, or of the given length if
    /// that isn't a string.
    private func text(or length: StepBound) -> Extent {
        switch first {
        case .text: first
        case .scalar: .text(length)
        case .list, .map, .optional, .any: .any
        }
    }
}
