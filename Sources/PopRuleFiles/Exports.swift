// What loading gives back, so that an app imports PopRuleFiles alone.
@_exported public import struct PopSource.Checked
