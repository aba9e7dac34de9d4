// The values of a configuration file as texts of settings.

internal import DrayDocuments

extension ConfigurationDocument.Value {
  /// The text of a string or a finite number; `nil` for any other value.
  var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .float(let number): number.isFinite ? "\(number)" : nil
    case .boolean, .array, .other: nil
    }
  }
}
