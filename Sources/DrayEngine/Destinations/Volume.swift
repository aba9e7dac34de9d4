internal import DrayCore

/// Destinations that can be synced together.
public struct Volume: Sendable, Hashable {
  private let id: UInt64
  /// Whether ``Destination/syncVolume()`` makes every file as durable as ``PartStorage/sync()`` does.
  public let canBeSynced: Bool
  public let keepsIdentities: Bool

  public init(id: UInt64, canBeSynced: Bool = false, keepsIdentities: Bool = true) {
    (self.id, self.canBeSynced, self.keepsIdentities) = (id, canBeSynced, keepsIdentities)
  }
}
