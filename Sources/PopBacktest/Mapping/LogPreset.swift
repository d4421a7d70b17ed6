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
        // The vendor documents it.
        file.hasTimeZone = true
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

extension LogPreset {
    /// The columns of an enriched event in their order, as Snowplow documents its canonical model.
    static let snowplowColumns = """
        app_id platform etl_tstamp collector_tstamp dvce_created_tstamp event event_id txn_id \
        name_tracker v_tracker v_collector v_etl user_id user_ipaddress user_fingerprint \
        domain_userid domain_sessionidx network_userid geo_country geo_region geo_city \
        geo_zipcode geo_latitude geo_longitude geo_region_name ip_isp ip_organization \
        ip_domain ip_netspeed page_url page_title page_referrer page_urlscheme page_urlhost \
        page_urlport page_urlpath page_urlquery page_urlfragment refr_urlscheme refr_urlhost \
        refr_urlport refr_urlpath refr_urlquery refr_urlfragment refr_medium refr_source \
        refr_term mkt_medium mkt_source mkt_term mkt_content mkt_campaign contexts se_category \
        se_action se_label se_property se_value unstruct_event tr_orderid tr_affiliation \
        tr_total tr_tax tr_shipping tr_city tr_state tr_country ti_orderid ti_sku ti_name \
        ti_category ti_price ti_quantity pp_xoffset_min pp_xoffset_max pp_yoffset_min \
        pp_yoffset_max useragent br_name br_family br_version br_type br_renderengine br_lang \
        br_features_pdf br_features_flash br_features_java br_features_director \
        br_features_quicktime br_features_realplayer br_features_windowsmedia \
        br_features_gears br_features_silverlight br_cookies br_colordepth br_viewwidth \
        br_viewheight os_name os_family os_manufacturer os_timezone dvce_type dvce_ismobile \
        dvce_screenwidth dvce_screenheight doc_charset doc_width doc_height tr_currency \
        tr_total_base tr_tax_base tr_shipping_base ti_currency ti_price_base base_currency \
        geo_timezone mkt_clickid mkt_network etl_tags dvce_sent_tstamp refr_domain_userid \
        refr_dvce_tstamp derived_contexts domain_sessionid derived_tstamp event_vendor \
        event_name event_format event_version event_fingerprint true_tstamp
        """.split(separator: " ").map { String($0) }
}

/// The format of a log's rows.
public enum RowFormat: String, Sendable, Hashable, CaseIterable {
    /// A JSON object a line.
    case jsonl
    /// Values between commas, in quotes where they need them; the first row names the columns.
    case csv
    /// Values between tabs; the first row names the columns.
    case tsv

    /// By the name of a file, whatever it is packed by.
    package init(named path: String) {
        let names = path.lowercased().split(separator: ".").suffix(2)
        self = names.contains("csv") ? .csv : names.contains("tsv") ? .tsv : .jsonl
    }
}
