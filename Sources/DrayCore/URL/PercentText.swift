/// Percent-encoding for other modules.
package enum PercentText {
  /// Encodes all bytes of a text except unreserved ones, even `%`.
  /// - Parameter keepsSlashes: Whether `/` stays, as in a path.
  package static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
    String(decoding: PercentEncoding.strictlyEncoded(Array(text.utf8), keepsSlashes: keepsSlashes), as: UTF8.self)
  }

  /// Decodes every `%XX`. A `%` without two hexadecimal digits stays unchanged.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8] { PercentEncoding.decoded(bytes[...]) }
}
