// Oracles for general promises, independent of the code under test.

/// Whether a scalar would do something to a terminal or a reader: controls, bidi and other format characters.
func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
    0xFFFE, 0xFFFF, 0xE0000...0xE007F:
    true
  default: false
  }
}

/// Demands that a text can be printed (P8).
func holdPrintable(_ text: String, _ what: String) throws(Violation) {
  try hold(!text.unicodeScalars.contains(where: isHarmful), "\(what) must be printable: \(Array(text.utf8))")
}

/// Demands that a text is the name of a file: one component, which leads nowhere and hides nothing (P6; N3, N4).
func holdName(_ name: String, _ limit: Int = 255) throws(Violation) {
  let scalars = Array(name.unicodeScalars)
  try hold(!name.isEmpty && name != "." && name != "..", "a name is not a directory: \(Array(name.utf8))")
  try hold(name.utf8.count <= limit, "a name has \(limit) bytes at the most: \(name.utf8.count)")
  try hold(!scalars.contains("/") && !scalars.contains("\\"), "a name has no separator: \(Array(name.utf8))")
  try holdPrintable(name, "a name")
  try hold(![".", "-", "~", " "].contains(scalars.first ?? " "), "a name begins as one: \(Array(name.utf8))")
  try hold(scalars.last != "." && scalars.last != " ", "a name ends as one: \(Array(name.utf8))")
  let stem = String(String.UnicodeScalarView(scalars.prefix { $0 != "." })).uppercased()
  let devices = ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
  try hold(!devices.contains(stem), "a name is not that of a device: \(name)")
}

/// Demands that both are the same bytes, not only the same letters.
func holdSame(_ one: String?, _ other: String?, _ what: String) throws(Violation) {
  let same = one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  try hold(same, "\(what): \(one ?? "nothing") and \(other ?? "nothing")")
}
