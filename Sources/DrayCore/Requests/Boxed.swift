// Storage for parts of requests and jobs that are rarely present.

/// A value that is usually absent, stored outside its owner. While it is absent, copying the owner costs only one more
/// pointer.
@propertyWrapper
public struct Boxed<Value: Sendable & Equatable>: Sendable, Equatable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box?

  /// The value; `nil` if there is none.
  public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }

  /// Boxes a value.
  public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

  /// Whether the values are equal.
  public static func == (one: Boxed, other: Boxed) -> Bool {
    one.box === other.box || one.wrappedValue == other.wrappedValue
  }
}

// In JSON the value appears without its box, and an absent value is left out.

extension Boxed: Codable where Value: Codable {
  /// Decodes a value.
  public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try wrappedValue?.encode(to: encoder) }
}

extension KeyedDecodingContainer {
  func decode<Value: Codable>(_: Boxed<Value>.Type, forKey key: Key) throws -> Boxed<Value> {
    Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value: Codable>(_ boxed: Boxed<Value>, forKey key: Key) throws {
    try encodeIfPresent(boxed.wrappedValue, forKey: key)
  }
}
