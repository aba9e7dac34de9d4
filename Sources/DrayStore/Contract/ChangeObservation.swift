/// An observer of a store's changes. Releasing it ends the observation.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the observation.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
