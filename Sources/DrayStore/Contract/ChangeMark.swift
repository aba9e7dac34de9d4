// How far a store has changed, and who is told of it.

/// How far a store has changed: two that are equal were taken with no change between them.
public struct ChangeMark: Sendable, Equatable {
  private let others: Int
  private let own: Int

  /// Made by the store.
  /// - Parameters:
  ///   - others: a number that differs after each change through other connections,
  ///   - own: and one for the changes through the same connection.
  public init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}

/// An observer of a store's changes; it ends when this is released.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Made by a store.
  /// - Parameter end: ends the observation.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
