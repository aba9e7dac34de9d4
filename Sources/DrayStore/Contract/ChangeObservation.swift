/// Observes a store's changes until the object is released.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the observation.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
