// Takes the place of TOMLKit in builds without the package trait Documents, which read no TOML and compile no C++.

#if !Documents

/// The reason why a build without the trait reads no document of this kind.
private struct NotBuilt: Error, CustomStringConvertible {
  let description = "this program was built without the package trait Documents"
}

struct TOMLTable {
  let keys: [String] = []

  /// Always throws.
  init(string: String) throws { throw NotBuilt() }

  subscript(key: String) -> (any TOMLValueConvertible)? { nil }
}

enum TOMLType {
  case array, bool, date, dateTime, double, int, string, table, time
}

/// No value exists, because no document is read.
protocol TOMLValueConvertible {
  var type: TOMLType { get }
  var table: TOMLTable? { get }
  var array: [any TOMLValueConvertible]? { get }
  var string: String? { get }
  var int: Int? { get }
  var double: Double? { get }
  var bool: Bool? { get }
}

struct TOMLParseError: Error {
  struct Source {
    var begin: (line: Int, column: Int)
  }

  let description: String
  let source: Source
}

#endif
