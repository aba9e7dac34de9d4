// Converts the values in a configuration file into texts of settings.

internal import DrayDocuments

extension ConfigurationDocument.Value {
  /// The text of the value if it is a string or a finite number; otherwise `nil`.
  var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .float(let number): number.isFinite ? "\(number)" : nil
    case .boolean, .array, .other: nil
    }
  }
}
