/// A text style. Each has its own end code, so that styles nest.
public enum TextStyle: Sendable, Hashable, CaseIterable {
  case bold, dim, inverse, red, green, yellow, cyan

  var opening: String {
    switch self {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .inverse: "\u{1B}[7m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    case .yellow: "\u{1B}[33m"
    case .cyan: "\u{1B}[36m"
    }
  }

  var closing: String {
    switch self {
    case .bold, .dim: "\u{1B}[22m"
    case .inverse: "\u{1B}[27m"
    case .red, .green, .yellow, .cyan: "\u{1B}[39m"
    }
  }
}
