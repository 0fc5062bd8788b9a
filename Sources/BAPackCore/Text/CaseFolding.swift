/// A name as volumes see it that ignore case and normalization: two names are one to them when these
/// texts are equal, as strings are equal that are canonically equivalent.
///
/// Upper case comes first: it spells out what has no single lower-case letter, such as `ß`.
func caseFolded(_ name: some Collection<UInt8>) -> String {
  String(decoding: name, as: UTF8.self).uppercased().lowercased()
}
