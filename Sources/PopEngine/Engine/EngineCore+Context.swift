internal import PopCEL
internal import PopScheduler
internal import PopSource

extension EngineCore: ContextSink {
    func take(_ changes: [String: Value?]) {
        var values: [String: Value] = [:]
        var unset: [String] = []
        for (name, value) in changes {
            if let value { values[name] = value } else { unset.append(name) }
        }
        handle(.update(values, unset: unset.ordered()))
        askForeign()
    }

    func refuse(_ rejections: [Rejection]) {
        for rejection in rejections { tell(.scheduler(.rejected(rejection))) }
    }

    func remark(_ remarks: [CallRemark]) {
        state.withLock { remark(remarks, state: &$0) }
    }

    /// Posts new rules. If there is work, the caller has to call `workOff`.
    func reload(_ rules: RuleSet, payloads: PayloadTable, context: [String: Value]) -> Bool {
        state.withLock { state in
            state.payloads = payloads
            state.nextRules = nil
        }
        return post(.reload(rules, context: context)).mustWork
    }
}
