// An option of aria2: where it may stand, and which values it may have.

internal import DrayDocuments

/// An option of aria2.
struct Aria2Option: Sendable {
  /// Where a client may set it (manual, "Input File", `aria2.changeOption`, `aria2.changeGlobalOption`).
  enum Place: Sendable {
    /// With a job, and for all jobs that follow.
    case job
    /// With a job only: it is about that one.
    case jobOnly
    /// For the service only.
    case service
    /// Nowhere: it is only shown.
    case nowhere
  }

  let name: String
  let form: OptionForm
  /// What aria2 shows if nobody sets it; `nil` if it shows nothing then.
  let usual: String?
  let place: Place

  init(_ name: String, _ form: OptionForm, _ usual: String? = nil, _ place: Place = .job) {
    (self.name, self.form, self.usual, self.place) = (name, form, usual, place)
  }

  var isOfJobs: Bool { place == .job || place == .jobOnly }
  var isOfService: Bool { place == .job || place == .service }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// The values that a client gives, as aria2 keeps them. Options that cannot be set there, or do not exist, do not count, and neither
  /// do values that are not strings; lists of them are for the options that may be given more than once.
  /// - Throws: aria2's error for a value that its option cannot have.
  static func read(
    _ members: [JSONNode.Member], _ mayBeSet: (Aria2Option) -> Bool
  ) throws(RPCFailure) -> [String: String] {
    var values: [String: String] = [:]
    for member in members {
      guard let option = byName[member.name], mayBeSet(option), let text = option.text(member.value) else { continue }
      guard let value = option.form.normal(text) else {
        throw .refused("We encountered a problem while processing the option '--\(option.name)'.")
      }
      values[option.name] = value
    }
    return values
  }

  private func text(_ node: JSONNode) -> String? {
    if let text = node.string { return text }
    guard form == .lines, let lines = node.array?.compactMap(\.string), !lines.isEmpty else { return nil }
    return lines.joined(separator: "\n")
  }

  /// The values without those that nobody is to be told (P7). A field with a secret is kept by the job alone.
  static func withoutSecrets(_ values: [String: String]) -> [String: String] {
    values.filter { name, value in
      !name.hasSuffix("-passwd")
        && !(name == "header" && value.split(separator: "\n").contains { OptionHeader.isSecret($0) })
    }
  }

  /// What is shown of the options that nobody set.
  static func usual(_ isShown: (Aria2Option) -> Bool) -> [String: String] {
    all.reduce(into: [:]) { values, option in
      if isShown(option), let usual = option.usual { values[option.name] = usual }
    }
  }
}
