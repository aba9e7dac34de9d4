/// A setting and its given values. An empty array removes the setting.
struct GivenSetting: Hashable, Sendable {
  var name: String
  var values: [String]

  /// Adds a value. If a setting has one value only, the last counts.
  static func add(_ name: String, _ value: String, to all: inout [GivenSetting]) {
    if let index = all.firstIndex(where: { $0.name == name }) {
      all[index].values.append(value)
    } else {
      all.append(GivenSetting(name: name, values: [value]))
    }
  }
}
