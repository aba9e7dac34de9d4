/// A setting and the values that were given for it. If there are no values, the setting is removed.
struct GivenSetting: Hashable, Sendable {
  var name: String
  var values: [String]

  /// Adds a value for a setting. If the setting can have only one value, the last one counts.
  static func add(_ name: String, _ value: String, to all: inout [GivenSetting]) {
    if let index = all.firstIndex(where: { $0.name == name }) {
      all[index].values.append(value)
    } else {
      all.append(GivenSetting(name: name, values: [value]))
    }
  }
}
