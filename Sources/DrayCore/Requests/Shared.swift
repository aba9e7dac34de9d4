// Storage for large parts of jobs.

/// A value stored outside its owner, and shared by copies of the owner until one of them changes it. Copying the owner
/// therefore copies only a pointer. This also keeps the code small that copies the types containing the owner.
@usableFromInline
struct Shared<Value: Sendable & Equatable>: Sendable, Equatable {
  @usableFromInline
  final class Box: @unchecked Sendable {
    // Changed only by the one owner of the box, which has exclusive access to itself.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  init(_ value: Value) { box = Box(value) }

  @inlinable var value: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  @usableFromInline
  static func == (one: Shared, other: Shared) -> Bool { one.box === other.box || one.value == other.value }
}
