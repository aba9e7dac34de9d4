// Header fields whose value is a list (RFC 9110 §5.6.1).

enum ListField {
  /// Splits a field at commas outside quoted strings; empty elements are dropped.
  static func elements(_ field: String) -> [Substring] {
    var parts: [Substring] = []
    var start = field.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for index in field.indices {
      switch field[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        parts.append(field[start..<index].trimmingSpaces())
        start = field.index(after: index)
      default: break
      }
    }
    parts.append(field[start...].trimmingSpaces())
    return parts.filter { !$0.isEmpty }
  }
}
