// Recognises refusals of a job's options and refusals of the keys.

extension S3Refusal {
  /// The reason and the advice if the answer refuses an option for objects; `nil` for any other answer.
  var optionRefused: (reason: String, advice: Advice)? {
    switch code {
    case "InvalidStorageClass":
      ("the server does not have this storage class", "use another with \(.storageClass), or omit it")
    case "AccessControlListNotSupported", "InvalidBucketAclWithObjectOwnership":
      ("the bucket takes no access control lists", "omit \(.cannedACL)")
    case "InvalidEncryptionAlgorithmError", "InvalidEncryptionMethod", "ServerSideEncryptionConfigurationNotFoundError":
      ("the server does not encrypt this way", "use another with \(.encryption), or omit it")
    case _ where code.hasPrefix("KMS"): ("the key for encryption cannot be used", "check the key of \(.encryption)")
    case "InvalidTag", "InvalidTagKey", "InvalidTagValue": ("the server refuses a tag", "check the tags, or omit them")
    case "MetadataTooLarge": ("the metadata is too large", "give less of it")
    case "EntityTooLarge": ("the file is too large for this server", "choose another server")
    case "KeyTooLongError": ("the key is too long", "choose another name with \(.output)")
    case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
      ("the object store is full", "make room there, then \(.run) continues")
    default: nil
    }
  }

  /// The reason and the advice if the answer refuses the keys themselves; `nil` for any other answer.
  var keysRefused: (reason: String, advice: Advice)? {
    switch code {
    case "InvalidAccessKeyId":
      ("the server does not know the access key", "check the keys and the clock, and \(.endpoint)")
    case "SignatureDoesNotMatch":
      (
        "the secret key is wrong, or the request was changed on its way",
        "check the keys and the clock, \(.awsRegion) and \(.endpoint)"
      )
    case "AuthorizationHeaderMalformed": ("the region is wrong", "check \(.awsRegion) and \(.endpoint)")
    default: nil
    }
  }
}
