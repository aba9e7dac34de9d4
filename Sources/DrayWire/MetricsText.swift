// The text format of Prometheus (exposition format 0.0.4), which monitoring programs read.

package struct MetricsText: Sendable {
  package enum Kind: String, Sendable {
    /// A value that may rise and fall.
    case gauge
    /// A count that only rises while the process runs.
    case counter
  }

  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  package private(set) var text = ""
  private var name = ""

  package init() {}

  /// Begins a metric. Its samples must follow directly.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(MetricsText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a value of the metric that was begun last.
  package mutating func sample(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(MetricsText.escaped($1, quotes: true))\"" }.joined(separator: ",") + "}"
    }
    text += " \(MetricsText.number(value))\n"
  }

  /// Adds a count of the metric that was begun last.
  package mutating func sample(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
    sample(Double(value), labels)
  }

  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    begin(name, kind, help)
    sample(value)
  }

  /// Returns a number as Prometheus writes it.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// Escapes a text. Only these characters are special in the format.
  static func escaped(_ text: String, quotes: Bool) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": safe += "\\\\"
      case "\n": safe += "\\n"
      case "\"" where quotes: safe += "\\\""
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
