// The names of buckets in object stores.

enum BucketName {
  /// Whether a name is valid by Amazon's rules, which compatible services follow, too.
  static func isValid(_ bytes: [UInt8]) -> Bool {
    guard (3...63).contains(bytes.count), bytes.first != UInt8(ascii: "."), !bytes.contains("..".utf8) else {
      return false
    }
    return bytes.allSatisfy { $0.isLetter && $0 == $0.lowercased || $0.isDigit || ".-_".utf8.contains($0) }
  }
}
