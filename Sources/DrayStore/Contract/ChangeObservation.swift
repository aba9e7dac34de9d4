/// An observer of a store's changes. Releasing it ends the observation.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Creates an observation.
  /// - Parameter end: ends the observation.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
