// Reads a configuration file as values with line numbers: top-level keys, keys of commands, hosts and sources.
// The meaning of the keys is unknown here.

#if Documents
internal import TOMLKit
#endif

package struct ConfigurationDocument: Sendable, Equatable {
  package enum Section: Sendable, Hashable {
    /// Every command that has the option.
    case all
    /// One command: its name, after the names of its parent commands.
    case command([String])
    /// Requests to hosts that match this pattern.
    case host(String)
    /// New jobs that match a rule, given the rule's index.
    case rule(Int)
    /// The program that finds the files of names with this scheme.
    case source(String)
  }

  package enum Value: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case array([Value])
    /// A value of a kind that no option accepts, with the name of the kind.
    case other(String)
  }

  package struct Entry: Sendable, Equatable {
    package var section: Section
    package var key: String
    package var value: Value
    package var line: Int

    package init(section: Section, key: String, value: Value, line: Int) {
      (self.section, self.key, self.value, self.line) = (section, key, value, line)
    }
  }

  /// In the order of their lines.
  package var entries: [Entry]

  /// The heading of a section, for errors about the section itself.
  package struct Heading: Sendable, Hashable {
    package var section: Section
    package var line: Int
  }

  /// Includes sections without keys.
  package var headings: [Heading]

  package static let hostTable = "host"
  package static let ruleTable = "rule"
  package static let sourceTable = "source"

  /// Throws ``DocumentError`` with the line; the column is in its reason.
  package static func parse(_ text: String) throws(DocumentError) -> ConfigurationDocument {
    let shape = TOMLShape(text)
    if let reason = shape.reason { throw DocumentError("TOML", reason, line: shape.line) }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      throw DocumentError("TOML", "\(error.description) (column \(place.column))", line: place.line)
    } catch {
      throw DocumentError("TOML", "it cannot be read: \(error)")
    }
    var reader = Reader(places: TOMLPlaces(text))
    reader.read(root, path: [])
    return ConfigurationDocument(
      entries: reader.entries.sorted { ($0.line, $0.key) < ($1.line, $1.key) },
      headings: reader.headings.sorted { $0.line < $1.line })
  }

  private struct Reader {
    let places: TOMLPlaces
    var entries: [Entry] = []
    var headings: [Heading] = []

    mutating func read(_ table: TOMLTable, path: [String]) {
      for key in table.keys {
        guard let value = table[key] else { continue }
        let below = path + [key]
        let line = places.line(below) ?? 1
        if below == [ruleTable], let rules = Self.tables(value) {
          for (index, rule) in rules.enumerated() { read(rule: rule, index, below, line) }
          continue
        }
        // No section is this deep. The depth is limited because each section stores its whole path.
        guard let inner = value.table, path.count < 2 * TOMLShape.partLimit else {
          entries.append(Entry(section: Self.section(path), key: key, value: Self.value(value), line: line))
          continue
        }
        if below != [hostTable], below != [sourceTable] {
          headings.append(Heading(section: Self.section(below), line: line))
        }
        read(inner, path: below)
      }
    }

    /// `nil` for other values, and for an empty array.
    private static func tables(_ value: any TOMLValueConvertible) -> [TOMLTable]? {
      guard let all = value.array?.map({ $0.table }), !all.isEmpty, !all.contains(where: { $0 == nil }) else {
        return nil
      }
      return all.compactMap(\.self)
    }

    private mutating func read(rule: TOMLTable, _ index: Int, _ path: [String], _ line: Int) {
      let below = path + ["\(index)"]
      headings.append(Heading(section: .rule(index), line: places.line(below) ?? line))
      for key in rule.keys {
        guard let value = rule[key] else { continue }
        entries.append(
          Entry(
            section: .rule(index), key: key, value: Self.value(value), line: places.line(below + [key]) ?? line))
      }
    }

    private static func section(_ path: [String]) -> Section {
      guard let first = path.first else { return .all }
      // In a host pattern or a scheme without quotation marks, the dots separate TOML keys.
      let rest = path.dropFirst().joined(separator: ".")
      return first == hostTable ? .host(rest) : first == sourceTable ? .source(rest) : .command(path)
    }

    private static func value(_ value: any TOMLValueConvertible) -> Value {
      switch value.type {
      case .string: value.string.map(Value.string) ?? .other("text")
      case .int: value.int.map(Value.integer) ?? .other("an integer")
      case .double: value.double.map(Value.float) ?? .other("a number")
      case .bool: value.bool.map(Value.boolean) ?? .other("true or false")
      case .array: value.array.map { .array($0.map { self.value($0) }) } ?? .other("an array")
      case .table: .other("a table")
      case .date: .other("a date")
      case .time: .other("a time of day")
      case .dateTime: .other("a date with a time")
      }
    }
  }
}
