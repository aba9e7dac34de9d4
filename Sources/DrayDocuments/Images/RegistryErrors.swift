/// The errors in the answer of a registry.
package enum RegistryErrors {
  /// Returns the codes, such as `MANIFEST_UNKNOWN`; none if the answer is not of this form.
  package static func codes(_ bytes: [UInt8]) -> [String] {
    guard let root = try? JSONNode.parse(bytes, kind: "the answer of a registry") else { return [] }
    return (root["errors"]?.array ?? []).prefix(10).compactMap { $0["code"]?.string }
  }
}
