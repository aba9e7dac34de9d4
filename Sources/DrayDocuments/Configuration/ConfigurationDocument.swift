// A configuration file as values: keys at the top, in sections of commands, and in sections of hosts, each with its
// line. What the keys mean is unknown here.

internal import TOMLKit

/// A configuration file that was read.
public struct ConfigurationDocument: Sendable, Equatable {
  /// What a key applies to.
  public enum Section: Sendable, Hashable {
    /// Every command that has the option.
    case all
    /// One command: its name, and those of the commands it is below.
    case command([String])
    /// Requests to hosts of this pattern.
    case host(String)
  }

  /// A value.
  public enum Value: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case array([Value])
    /// Of a kind that no option accepts; the word for it.
    case other(String)
  }

  /// A key with its value.
  public struct Entry: Sendable, Equatable {
    /// What it applies to.
    public var section: Section
    /// The name of an option.
    public var key: String
    /// Its value.
    public var value: Value
    /// Its line, from 1 on.
    public var line: Int

    /// Makes an entry.
    public init(section: Section, key: String, value: Value, line: Int) {
      (self.section, self.key, self.value, self.line) = (section, key, value, line)
    }
  }

  /// The keys, in the order of their lines.
  public var entries: [Entry]

  /// A section's heading, for errors about sections themselves.
  public struct Heading: Sendable, Hashable {
    /// The section.
    public var section: Section
    /// Its line, from 1 on.
    public var line: Int
  }

  /// The sections there are, also those without a key.
  public var headings: [Heading]

  /// The name of the tables of hosts.
  public static let hostTable = "host"

  /// Reads a file's text.
  /// - Throws: ``DocumentError`` with the line; the column is in its reason.
  public static func parse(_ text: String) throws(DocumentError) -> ConfigurationDocument {
    let shape = TOMLShape(text)
    if let reason = shape.reason { throw DocumentError("TOML", reason, line: shape.line) }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      throw DocumentError("TOML", "\(error.description) (column \(place.column))", line: place.line)
    } catch {
      throw DocumentError("TOML", "\(error)")
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
        // No section is that deep, and each one stores its whole path.
        guard let inner = value.table, path.count < 2 * TOMLShape.partLimit else {
          entries.append(Entry(section: Self.section(path), key: key, value: Self.value(value), line: line))
          continue
        }
        if below != [hostTable] { headings.append(Heading(section: Self.section(below), line: line)) }
        read(inner, path: below)
      }
    }

    private static func section(_ path: [String]) -> Section {
      guard let first = path.first else { return .all }
      // The pattern of a host may have been written without quotation marks: its dots are then TOML's.
      return first == hostTable ? .host(path.dropFirst().joined(separator: ".")) : .command(path)
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
