// Change marks of a store, and the observation of its changes.

/// Identifies a version of a store's content: two equal marks mean that nothing changed in between.
public struct ChangeMark: Sendable, Equatable {
  private let others: Int
  private let own: Int

  /// Creates a mark.
  /// - Parameters:
  ///   - others: a number that differs after each change by other connections.
  ///   - own: a number that differs after each change by the same connection.
  public init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}
