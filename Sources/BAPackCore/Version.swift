/// The version of the library and of the tool built on it.
public let toolVersion = "1.0.0"
