/// The result of receiving body bytes.
public enum BodyVerdict {
  /// The bytes were consumed.
  case taken
  /// The bytes were not consumed. They are delivered again after this time (``TransferLoop/now()``), or after
  /// ``TickVerdict/proceed``.
  case pause(until: Double)
  /// The bytes were not consumed, and the transfer ends.
  case abort
}
