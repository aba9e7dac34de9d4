// The settings of a job in calls of the API. The fields of a call that contain them follow from the table of all
// settings.

internal import DrayCore
internal import DrayDocuments

/// The texts of settings by name. A setting that is missing has its default value.
struct JobSettings: Sendable, Equatable {
  private(set) var texts: [String: [String]]

  init(_ texts: [String: [String]] = [:]) { self.texts = texts }

  /// The settings that a client may give to a new job.
  static let all = Setting.all.filter { $0.clientField != nil }
  /// The settings that a client may change later.
  static let changeable = all.filter { if case .field(_, _, true) = $0.client { true } else { false } }

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

  /// Reads the settings from the fields of an object that matches their schemas.
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

  /// Applies the settings to a job.
  /// - Parameter place: The beginning of the text of an error.
  /// - Throws: ``APIFailure`` that names the field and its problem.
  func put(into job: inout JobSpecification, _ place: String = "") throws(APIFailure) {
    for setting in JobSettings.all {
      guard let texts = texts[setting.name], let field = setting.clientField else { continue }
      do throws(SettingProblem) { try setting.set(texts, in: &job) } catch {
        throw .bad("\(place)\(field): \(error.reason)")
      }
    }
  }

  func complete(_ job: inout JobSpecification) throws(APIFailure) {
    var rest = self
    for setting in JobSettings.all where !setting.isUnset(in: job) { rest.texts[setting.name] = nil }
    try rest.put(into: &job)
  }
}
