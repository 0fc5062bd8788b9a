@_exported import BAArchive
@_exported import BADiagnostics
