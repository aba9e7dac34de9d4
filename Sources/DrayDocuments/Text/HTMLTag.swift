// Reads the attributes of an HTML tag, without an HTML parser. Any input is accepted.

enum HTMLTag {
  /// Reads the attributes up to the end of the tag. Returns the values of the attributes with one of the lowercase
  /// `names`, as they are written. The first of several attributes with the same name counts.
  static func attributes(_ rest: inout ArraySlice<UInt8>, named names: [String]) -> [String: ArraySlice<UInt8>] {
    var attributes: [String: ArraySlice<UInt8>] = [:]
    while true {
      rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
      guard let first = rest.first else { return attributes }
      guard first != UInt8(ascii: ">") else {
        rest = rest.dropFirst()
        return attributes
      }
      let name = rest.prefix {
        $0 > 0x20 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      rest = rest[name.endIndex...].drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop { $0 <= 0x20 }
      let value: ArraySlice<UInt8>
      if let sign = rest.first, sign == UInt8(ascii: "\"") || sign == UInt8(ascii: "'") {
        value = rest.dropFirst().prefix { $0 != sign }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        rest = rest[value.endIndex...]
      }
      let known = names.first { $0.utf8.elementsEqual(name) { $0 == $1 | 0x20 } }
      if let known, attributes[known] == nil { attributes[known] = value }
    }
  }
}
