// An option of aria2: the places where it may be set, and the values that it may have.

internal import DrayDocuments

package struct Aria2Option: Sendable {
  /// The place where a client may set an option (manual, "Input File", `aria2.changeOption`,
  /// `aria2.changeGlobalOption`).
  enum Place: Sendable {
    /// For a job, and as a default for later jobs.
    case job
    /// For a job, but not as a default.
    case jobOnly
    /// For the service, but not for a job.
    case service
    /// A client cannot set the option: the option is only shown, or exists only on a command line.
    case nowhere
  }

  /// The full name, without dashes.
  package let name: String
  let form: OptionForm
  /// The default value that aria2 shows; `nil` if aria2 shows none.
  let usual: String?
  let place: Place

  init(_ name: String, _ form: OptionForm, _ usual: String? = nil, _ place: Place = .job) {
    (self.name, self.form, self.usual, self.place) = (name, form, usual, place)
  }

  var isOfJobs: Bool { place == .job || place == .jobOnly }
  var isOfService: Bool { place == .job || place == .service }

  static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// Reads the values that a client gives, and returns them in aria2's form. An option is ignored if it is unknown, if
  /// it cannot be set at this place, or if its value is not a string. For an option that may be repeated, a list of
  /// strings is valid as well.
  /// - Throws: The error that aria2 has for an invalid value.
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

  /// Returns the values without the secret ones, which are never shown (P7). A header field that is secret, and the
  /// password in the address of a proxy, are kept only in the job.
  static func withoutSecrets(_ values: [String: String]) -> [String: String] {
    values.filter { name, value in
      !name.hasSuffix("-passwd")
        && !(byName[name]?.form == .proxy && value.contains("@"))
        && !(name == "header" && value.split(separator: "\n").contains { OptionHeader.isSecret($0) })
    }
  }

  /// Returns the default values of the options that are shown.
  static func usual(_ isShown: (Aria2Option) -> Bool) -> [String: String] {
    all.reduce(into: [:]) { values, option in
      if isShown(option), let usual = option.usual { values[option.name] = usual }
    }
  }
}
