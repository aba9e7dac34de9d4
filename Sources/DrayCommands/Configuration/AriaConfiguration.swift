// Translates `aria2.conf` into keys of dray's configuration. The code in this file has no effects outside its values.

internal import DrayKit

struct AriaConfiguration {
  struct Setting: Equatable {
    var key: String
    /// The values of the key; empty for a flag that is on.
    var values: [String]
    /// The last line in aria2's file that set the key.
    var place: String
    /// The name of the key in aria2.
    var name: String
    var isRepeating: Bool

    var line: String {
      let quoted = values.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
      let value = values.isEmpty ? "true" : isRepeating ? "[\(quoted.joined(separator: ", "))]" : quoted[0]
      return "\(ConfigurationKeys.text(key)) = \(value)\n"
    }
  }

  private(set) var settings: [Setting] = []
  /// Remarks of one line each, on the settings that are left out, with the reasons.
  private(set) var remarks: [String] = []

  private(set) var isOfAria2 = false

  private let file: String
  private let catalog: OptionCatalog

  /// Reads a configuration of aria2.
  /// - Parameter file: How remarks name the file.
  init(_ text: String, file: String, _ catalog: OptionCatalog) {
    (self.file, self.catalog) = (file, catalog)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.trimmingSpaces()
      guard let first = words.first, first != "#" else { continue }
      let place = "\(file):\(index + 1)"
      guard let mark = words.firstIndex(of: "=") else {
        remarks.append("\(place): this is not NAME=VALUE, and is left out")
        continue
      }
      let name = String(words[..<mark].trimmingSpaces())
      take(name, String(words[words.index(after: mark)...].trimmingSpaces()), place)
    }
  }

  var toml: String { "# From \(file)\n" + settings.map(\.line).joined() }

  /// Removes a key that dray refuses.
  mutating func leaveOut(_ setting: Setting, because reason: String) {
    settings.removeAll { $0 == setting }
    note(setting.name, setting.place, reason)
  }

  private mutating func note(_ name: String, _ place: String, _ reason: String) {
    remarks.append("\(place): \(TextSafety.escaped(name.start(60))) is not taken over: \(reason)")
  }

  private mutating func take(_ name: String, _ value: String, _ place: String) {
    guard AriaOption.names.contains(name) else { return note(name, place, "it is not an option of aria2") }
    isOfAria2 = true
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      return note(name, place, "its value contains a control character")
    }
    // aria2 replaces no other variable.
    let value = value.replacing("${HOME}", with: "~")
    switch name {
    case "split", "max-connection-per-server":
      guard let count = Int(value), count > 0 else { return note(name, place, "its value is not a number") }
      // The smaller of this number and the other one limits the connections to one server.
      let other = settings.first { $0.key == "max-connections" }.flatMap { Int($0.values[0]) } ?? .max
      set("max-connections", "\(min(count, other, JobOptions.connectionRange.upperBound))", name, place)
    case "http-user", "http-passwd", "ftp-user", "ftp-passwd":
      note(name, place, "put user = \"NAME:PASSWORD\" into a section such as [host.\"example.org\"]")
    case "input-file", "save-session":
      note(name, place, "`dray import aria2 \(TextSafety.escaped(value.start(200)))` queues what is in it")
    default: takeByHabit(name, value, place)
    }
  }

  /// Translates an option in the same way as on dray's command line.
  private mutating func takeByHabit(_ name: String, _ value: String, _ place: String) {
    if let key = AriaOption.setting(name) { return set(key, value, name, place) }
    guard let habit = Habit.named("--\(name)") else {
      guard let option = catalog.option(name) else { return note(name, place, "it has no meaning here") }
      if option.isFlag {
        if value == "true" { set(name, nil, name, place) }
      } else {
        set(name, value, name, place)
      }
      return
    }
    do throws(Failure) {
      let words = try habit.words(for: value, name)
      guard let option = words.first else { return }
      set(String(option.dropFirst(2)), words.dropFirst().first, name, place)
    } catch {
      note(name, place, habit.isRefused ? error.advice?.text(.commandLine) ?? error.reason : error.reason)
    }
  }

  private mutating func set(_ key: String, _ value: String?, _ name: String, _ place: String) {
    if let reason = ConfigurationKeys.refusal(key) { return note(name, place, reason) }
    if key == "header", let value, let reason = ConfigurationKeys.refusal(header: value) {
      return note(name, place, reason)
    }
    let isRepeating = catalog.option(key)?.isRepeating ?? false
    var setting = Setting(
      key: key, values: [value].compactMap(\.self), place: place, name: name, isRepeating: isRepeating)
    if let index = settings.firstIndex(where: { $0.key == key }) {
      if isRepeating { setting.values = settings[index].values + setting.values }
      settings[index] = setting
    } else {
      settings.append(setting)
    }
  }
}
