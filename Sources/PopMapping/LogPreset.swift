internal import PopFleet

/// The format of a vendor's exports, as the vendor documents it.
public enum LogPreset: String, Sendable, Hashable, CaseIterable {
    /// Calls as Segment keeps them and sends them on: JSON lines of the common fields.
    case segment
    /// Amplitude's Export API: JSON lines.
    case amplitude
    /// Mixpanel's raw export: JSON lines, times in seconds of the project's zone.
    case mixpanel
    /// Snowplow's enriched events: tabs between 131 columns, without names.
    case snowplow
    /// Google Analytics 4 and Firebase in BigQuery, exported as JSON lines.
    case ga4

    /// The mapping that a file begins with.
    var mapping: MappingFile {
        var file = MappingFile()
        var columns = LogMapping.Columns()
        switch self {
        case .segment:
            columns.user = [LogPath("userId"), LogPath("anonymousId")]
            columns.time = [LogPath("timestamp")]
            columns.event = [LogPath("event"), LogPath("name"), LogPath("type")]
            columns.insertID = [LogPath("messageId")]
            columns.payload = LogPath("properties")
        case .amplitude:
            columns.user = [LogPath("user_id"), LogPath("amplitude_id")]
            columns.time = [LogPath("event_time")]
            columns.event = [LogPath("event_type")]
            columns.order = [LogPath("event_id")]
            columns.insertID = [LogPath("$insert_id"), LogPath("uuid")]
            columns.payload = LogPath("event_properties")
        case .mixpanel:
            columns.user = [LogPath("properties.distinct_id")]
            columns.time = [LogPath("properties.time")]
            columns.event = [LogPath("event")]
            columns.insertID = [LogPath("properties.$insert_id")]
            columns.payload = LogPath("properties")
            file.meaning.timeFormat = .seconds
        case .snowplow:
            file.rows = .tsv
            file.names = Self.snowplowColumns
            columns.user = [LogPath("user_id"), LogPath("domain_userid")]
            columns.time = [LogPath("derived_tstamp"), LogPath("collector_tstamp")]
            columns.event = [LogPath("event_name"), LogPath("event")]
            columns.insertID = [LogPath("event_id")]
            columns.payload = LogPath("unstruct_event.data.data")
        case .ga4:
            columns.user = [LogPath("user_id"), LogPath("user_pseudo_id")]
            columns.time = [LogPath("event_timestamp")]
            columns.event = [LogPath("event_name")]
            columns.order = [LogPath("batch_event_index")]
            columns.payload = LogPath("event_params[]")
            file.meaning.timeFormat = .microseconds
        }
        file.meaning.columns = columns
        return file
    }
}
