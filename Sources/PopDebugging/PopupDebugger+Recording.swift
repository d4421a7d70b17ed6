internal import PopEngine

extension PopupDebugger {
    /// Starts to record the inputs of the engine, in place of an earlier recording.
    ///
    /// If it begins before `start`, the recording has everything that a test needs. If it begins
    /// later, it lacks the popups that already wait or show, and the recorded test notes that. It
    /// keeps at most `EngineLimits.recordedInputs` inputs.
    public func record() { engine.beginRecording() }

    /// Returns the recording so far as the content of a test file; nil if nothing is recorded.
    ///
    /// Save it next to the rules as `NAME.test.yaml`: `poprules simulate` shows it as a timeline,
    /// and `poprules test` plays it again and compares what shows. Parts that a test file can't
    /// express are comments, and animations take no time in it. It contains the data of the context
    /// and the events: treat it as you treat these.
    public func story(named name: String = "recorded session") -> String? {
        engine.recording(ends: false).map { RecordedStory($0, name: name).text }
    }

    /// Ends the recording and returns it, as `story` does.
    public func stop(named name: String = "recorded session") -> String? {
        engine.recording(ends: true).map { RecordedStory($0, name: name).text }
    }
}
