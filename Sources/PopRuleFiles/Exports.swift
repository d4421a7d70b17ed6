// The types that loading returns, so that an app needs to import only PopRuleFiles.
@_exported public import struct PopSource.Checked
