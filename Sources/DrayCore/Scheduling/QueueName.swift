/// The name of a queue.
package enum QueueName {
  /// The maximum length in characters.
  package static let longest = 64

  /// Returns why a text cannot be the name of a queue; `nil` if it can.
  package static func objection(to text: String) -> String? {
    let isShort = !text.isEmpty && text.unicodeScalars.count <= longest
    if isShort, !text.hasPrefix("-"), !text.hasPrefix("."), text.unicodeScalars.allSatisfy(isAllowed) { return nil }
    return "\(quoted(text)) is not the name of a queue: use letters, digits, -, _ and ."
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    ["-", "_", "."].contains(scalar) || scalar.properties.isAlphabetic
      || scalar.properties.generalCategory == .decimalNumber
  }
}
