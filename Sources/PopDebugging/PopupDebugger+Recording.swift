internal import PopEngine

extension PopupDebugger {
    /// Writes down from now on what comes into the engine, in place of an earlier recording.
    ///
    /// Begun before `start`, it says all that a test has to know. Begun later, it cannot say what
    /// waits and shows by then, and its story says so. It keeps as many inputs as
    /// `EngineLimits.recordedInputs`.
    public func record() { engine.beginRecording() }

    /// The story of what was recorded so far, as the text of a test file; nil when nothing is
    /// recorded.
    ///
    /// Beside the rules as `NAME.test.yaml`, `poprules simulate` draws it and `poprules test` plays
    /// it again and compares what shows. What a test file cannot say stands in it as a comment, and
    /// animations take no time in it. It holds what the context and the events do: treat it as you
    /// treat these.
    public func story(named name: String = "recorded session") -> String? {
        engine.recording(ends: false).map { RecordedStory($0, name: name).text }
    }

    /// Ends the recording and gives its story, as `story` does.
    public func stop(named name: String = "recorded session") -> String? {
        engine.recording(ends: true).map { RecordedStory($0, name: name).text }
    }
}
