// Values that most jobs do not have.

/// A value that is rarely there, kept outside of what has it: without it, copying the owner costs no more than a pointer.
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

  public static func == (one: Boxed, other: Boxed) -> Bool {
    one.box === other.box || one.wrappedValue == other.wrappedValue
  }
}
