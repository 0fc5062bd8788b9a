@_exported import Archive
@_exported import Diagnostics
