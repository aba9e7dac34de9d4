/// A transfer's answer when it is given bytes of the body.
public enum BodyVerdict {
  /// The transfer has taken the bytes.
  case taken
  /// The transfer has not taken the bytes. The loop delivers them again after this time (``TransferLoop/now()``), or
  /// after ``TickVerdict/proceed``.
  case pause(until: Double)
  /// The transfer has not taken the bytes, and ends.
  case abort
}
