/// A version of a store's content: two equal marks mean that nothing changed in between.
package struct ChangeMark: Sendable, Equatable {
  private let others: Int
  private let own: Int

  /// - Parameters:
  ///   - others: A number that changes with each write by another connection.
  ///   - own: A number that changes with each write by the same connection.
  package init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}
