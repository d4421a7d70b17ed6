package import PopCEL
internal import PopLogic
package import PopScheduler

extension RuleSet {
    /// What conditions read, as they write it.
    package func name(of entry: SlotTable.Entry) -> String {
        TestWords(rules: self, declarations: Declarations(self)).name(entry)
    }
}
