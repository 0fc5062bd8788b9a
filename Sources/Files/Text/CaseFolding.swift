/// A name as seen by volumes that ignore case and normalization: two names are the same there if
/// these strings are equal. String comparison ignores normalization.
///
/// Uppercasing first expands letters such as `ß`, which `lowercased()` keeps.
@inlinable
package func caseFolded(_ name: some Collection<UInt8>) -> String {
  String(decoding: name, as: UTF8.self).uppercased().lowercased()
}
