internal import Curl
internal import DrayCore

/// The objects that all requests of a transfer share, on any of its connections. Confined to the loop's thread.
struct TransferContext {
  var plan: TransferPlan
  let outside: Transfer
  let observer: any TransferObserver
  let shared: SharedMemory
  let transport: TransportMemory
}

/// The version of the file that the connections of a group fetch.
struct GroupFile {
  let part: any PartStorage
  let size: Int64
  /// The validators of the version at the first server.
  let validators: Validators
  let offered: [SourcedDigest]
  /// The number of answers so far that contradicted their own heads.
  let wrongParts: Int
}
