/// Observes a store's changes until the object is released.
package final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the observation.
  package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
