// The settings that clients of the API may give a job. The table of settings defines the fields.

internal import DrayCore
internal import DrayDocuments

/// Texts of settings, by name. A setting with no texts gets its default.
struct JobSettings: Sendable, Equatable {
  private(set) var texts: [String: [String]]

  init(_ texts: [String: [String]] = [:]) { self.texts = texts }

  /// The settings allowed when a job is added.
  static let all = Setting.all.filter { $0.clientField != nil }
  /// The settings that can be changed later.
  static let changeable = all.filter { if case .field(_, _, true) = $0.client { true } else { false } }

  /// Returns the fields of settings.
  static func fields(_ settings: [Setting]) -> [APIField] {
    settings.compactMap { setting in
      guard case .field(let name, let meaning, _) = setting.client else { return nil }
      return APIField(name, schema(setting), meaning)
    }
  }

  private static func schema(_ setting: Setting) -> APISchema {
    switch setting.shape {
    case .boolean: .flag
    case .integer: .integer(setting.range ?? 0...Int64.max)
    case .integers: .list(.id, most: 1000)
    case .strings: .list(.text(), most: 1000)
    case .string, .object: .nullable(.text(most: 4096))
    }
  }

  /// Reads the fields of an object that fits the schemas.
  init(_ node: JSONNode, _ settings: [Setting]) {
    texts = [:]
    for setting in settings {
      guard let name = setting.clientField, let value = node[name] else { continue }
      texts[setting.name] = JobSettings.texts(value)
    }
  }

  private static func texts(_ node: JSONNode) -> [String] {
    if let array = node.array { return array.flatMap(texts) }
    if case .bool(let isSet) = node.value { return [isSet ? "yes" : "no"] }
    if let number = node.integer { return ["\(number)"] }
    return [node.string].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// Sets the values in a job.
  /// - Parameter place: The start of an error message.
  /// - Throws: The problem with a value, and its field.
  func put(into job: inout JobSpecification, _ place: String = "") throws(APIFailure) {
    for setting in JobSettings.all {
      guard let texts = texts[setting.name], let field = setting.clientField else { continue }
      do throws(SettingProblem) { try setting.set(texts, in: &job) } catch {
        throw .bad("\(place)\(field): \(error.reason)")
      }
    }
  }
}
